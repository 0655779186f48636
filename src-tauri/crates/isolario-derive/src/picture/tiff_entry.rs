//! The entries of a TIFF's directories, and how their numbers are written.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::super::refused::DeriveError;

/// How numbers are written in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Writing {
    pub little: bool,
    /// BigTIFF.
    pub big: bool,
}

/// The value of a field, of a type of TIFF.
#[derive(Debug)]
pub(super) struct Entry {
    pub kind: u16,
    pub bytes: Vec<u8>,
}

impl Entry {
    /// Bytes of each of its values.
    pub fn size(&self) -> usize {
        size(self.kind) as usize
    }

    /// Values of its type.
    pub fn count(&self) -> usize {
        self.bytes.len() / self.size()
    }
}

impl Writing {
    /// Bytes of the number of entries of a directory.
    pub fn count_size(self) -> usize {
        if self.big { 8 } else { 2 }
    }

    /// Bytes of an entry.
    pub fn entry_size(self) -> usize {
        if self.big { 20 } else { 12 }
    }

    /// Bytes of an offset, and of a value that stands in its entry.
    pub fn inline(self) -> usize {
        if self.big { 8 } else { 4 }
    }

    /// A number, in so many bytes.
    pub fn bytes(self, number: u64, size: usize) -> Vec<u8> {
        match self.little {
            true => number.to_le_bytes()[..size].to_vec(),
            false => number.to_be_bytes()[8 - size..].to_vec(),
        }
    }

    /// The tag of an entry.
    pub fn tag(self, entry: &[u8]) -> u16 {
        self.number(&entry[..2]) as u16
    }

    /// Bytes of the value of an entry.
    pub fn length(self, entry: &[u8]) -> u64 {
        let kind = self.number(&entry[2..4]) as u16;
        let count = self.number(&entry[4..self.entry_size() - self.inline()]);
        count.saturating_mul(size(kind))
    }

    /// The tag and the value of an entry, and whether all of the value is there; none where it is too long.
    ///
    /// # Errors
    /// The disk fails.
    pub fn entry(
        self,
        file: &mut (impl BufRead + Seek),
        entry: &[u8],
        left: &mut u64,
    ) -> Result<Option<(u16, Entry, bool)>, DeriveError> {
        let (tag, length) = (self.tag(entry), self.length(entry));
        let kind = self.number(&entry[2..4]) as u16;
        let value = &entry[self.entry_size() - self.inline()..];
        if length > *left {
            return Ok(None);
        }
        *left -= length;
        let mut bytes = Vec::new();
        if length <= self.inline() as u64 {
            bytes.extend(&value[..length as usize]);
        } else {
            seek(file, self.number(value))?;
            let taken = file.take(length).read_to_end(&mut bytes);
            taken.map_err(|error| DeriveError::not_read("TIFF", &error))?;
        }
        let whole = bytes.len() as u64 == length;
        Ok(Some((tag, Entry { kind, bytes }, whole)))
    }

    /// The number that bytes are.
    pub fn number(self, bytes: &[u8]) -> u64 {
        let shift = |number, byte: &u8| number << 8 | u64::from(*byte);
        match self.little {
            true => bytes.iter().rev().fold(0, shift),
            false => bytes.iter().fold(0, shift),
        }
    }

    /// The next number of the file, of so many bytes.
    ///
    /// # Errors
    /// The file ends within it.
    pub fn take(self, file: &mut impl BufRead, size: usize) -> Result<u64, DeriveError> {
        let mut bytes = [0; 8];
        read(file, &mut bytes[..size])?;
        Ok(self.number(&bytes[..size]))
    }
}

/// Bytes of a value, by its type. Unknown types are taken for bytes.
fn size(kind: u16) -> u64 {
    match kind {
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16 | 17 | 18 => 8,
        _ => 1,
    }
}

/// Reads so many bytes.
///
/// # Errors
/// The file ends before.
pub(super) fn read(file: &mut impl BufRead, bytes: &mut [u8]) -> Result<(), DeriveError> {
    let read = file.read_exact(bytes);
    read.map_err(|error: io::Error| DeriveError::not_read("TIFF", &error))
}

/// Goes to a place.
///
/// # Errors
/// There is no such place.
pub(super) fn seek(file: &mut impl Seek, offset: u64) -> Result<(), DeriveError> {
    match file.seek(SeekFrom::Start(offset)) {
        Ok(_) => Ok(()),
        Err(error) => Err(DeriveError::damaged("TIFF", error)),
    }
}
