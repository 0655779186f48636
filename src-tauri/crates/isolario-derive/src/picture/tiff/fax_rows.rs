//! Faxes of Group 3 in one dimension and of Group 4 (ITU-T T.4, T.6): rows of one bit a pixel, black is 1.

use std::io::{self, BufRead, Bytes, Read};

use fax::Color;
use fax::decoder::{DecodeStatus, Group3Decoder, Group4Decoder, pels};

enum Group<R: Read> {
    Three(Group3Decoder<Bytes<R>>),
    Four(Group4Decoder<Bytes<R>>),
}

/// Unpacks while it is read. What a fax leaves out at its end is white.
pub(super) struct FaxRows<R: Read> {
    group: Group<R>,
    width: u32,
    row: Vec<u8>,
    /// Bytes of the row that were given out.
    at: usize,
    ended: bool,
}

impl<R: BufRead> FaxRows<R> {
    /// A fax of Group 3 in one dimension.
    ///
    /// # Errors
    /// It does not begin as one.
    pub fn group_3(packed: R, width: u32) -> io::Result<FaxRows<R>> {
        let decoder = Group3Decoder::new(packed.bytes()).map_err(|_| damaged())?;
        Ok(FaxRows::new(Group::Three(decoder), width))
    }

    /// A fax of Group 4.
    ///
    /// # Errors
    /// It is empty, or the disk fails.
    pub fn group_4(packed: R, width: u32) -> io::Result<FaxRows<R>> {
        let decoder = Group4Decoder::new(packed.bytes(), width)?;
        Ok(FaxRows::new(Group::Four(decoder), width))
    }

    fn new(group: Group<R>, width: u32) -> FaxRows<R> {
        FaxRows {
            group,
            width,
            row: Vec::new(),
            at: 0,
            ended: false,
        }
    }

    fn next_row(&mut self) -> io::Result<()> {
        let bytes = self.width.div_ceil(8) as usize;
        self.row.clear();
        self.row.resize(bytes, 0);
        self.at = 0;
        if self.ended {
            return Ok(());
        }
        let status = match &mut self.group {
            Group::Three(decoder) => decoder.advance().map_err(|_| damaged())?,
            Group::Four(decoder) => decoder.advance().map_err(|_| damaged())?,
        };
        self.ended = status == DecodeStatus::End;
        let changes = match &self.group {
            Group::Three(decoder) => decoder.transitions(),
            Group::Four(_) if self.ended => return Ok(()),
            Group::Four(decoder) => decoder.transition(),
        };
        for (at, colour) in pels(changes, self.width).enumerate() {
            if colour == Color::Black {
                self.row[at / 8] |= 0x80 >> (at % 8);
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Read for FaxRows<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at == self.row.len() {
            self.next_row()?;
        }
        let left = &self.row[self.at..];
        let read = left.len().min(out.len());
        out[..read].copy_from_slice(&left[..read]);
        self.at += read;
        Ok(read)
    }
}

fn damaged() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "its fax code cannot be followed",
    )
}
