//! LZW (TIFF 6.0, Section 13).

use std::io::{self, BufRead, Read};

use weezl::decode::Decoder;
use weezl::{BitOrder, LzwStatus};

/// Unpacks while it is read.
pub(super) struct Lzw<R> {
    packed: R,
    decoder: Decoder,
}

impl<R: BufRead> Lzw<R> {
    /// Before the first byte.
    pub fn new(packed: R) -> Lzw<R> {
        Lzw {
            packed,
            decoder: Decoder::with_tiff_size_switch(BitOrder::Msb, 8),
        }
    }
}

impl<R: BufRead> Read for Lzw<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let bytes = self.packed.fill_buf()?;
            let at_end = bytes.is_empty();
            let result = self.decoder.decode_bytes(bytes, out);
            self.packed.consume(result.consumed_in);
            match result.status {
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
                Ok(_) if result.consumed_out > 0 => return Ok(result.consumed_out),
                Ok(LzwStatus::Done) => return Ok(0),
                Ok(LzwStatus::NoProgress) if at_end || out.is_empty() => return Ok(0),
                Ok(_) if at_end && result.consumed_in == 0 => return Ok(0),
                Ok(_) => {}
            }
        }
    }
}
