//! PackBits (TIFF 6.0, Section 9).

use std::io::{self, BufRead, Read};

/// Unpacks while it is read.
pub(super) struct PackBits<R> {
    packed: R,
    /// Bytes left of the run, and its byte if it repeats one.
    left: usize,
    repeated: Option<u8>,
}

impl<R: BufRead> PackBits<R> {
    /// Before the first byte.
    pub fn new(packed: R) -> PackBits<R> {
        PackBits {
            packed,
            left: 0,
            repeated: None,
        }
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        let byte = self.packed.fill_buf()?.first().copied();
        self.packed.consume(usize::from(byte.is_some()));
        Ok(byte)
    }

    /// Whether there is another run.
    fn next_run(&mut self) -> io::Result<bool> {
        while let Some(head) = self.byte()? {
            match head {
                0..=127 => (self.left, self.repeated) = (usize::from(head) + 1, None),
                128 => continue,
                129.. => {
                    let Some(byte) = self.byte()? else {
                        return Ok(false);
                    };
                    (self.left, self.repeated) = (257 - usize::from(head), Some(byte));
                }
            }
            return Ok(true);
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for PackBits<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() || self.left == 0 && !self.next_run()? {
            return Ok(0);
        }
        let wanted = out.len().min(self.left);
        let read = match self.repeated {
            Some(byte) => {
                out[..wanted].fill(byte);
                wanted
            }
            None => self.packed.read(&mut out[..wanted])?,
        };
        self.left -= read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_standard() {
        let packed = [
            0xfe, 0xaa, 0x02, 0x80, 0x00, 0x2a, 0xfd, 0xaa, 0x03, 0x80, 0x00, 0x2a, 0x22, 0xf7,
            0xaa,
        ];
        let mut bytes = Vec::new();
        PackBits::new(&packed[..]).read_to_end(&mut bytes).unwrap();
        let expected = [
            0xaa, 0xaa, 0xaa, 0x80, 0x00, 0x2a, 0xaa, 0xaa, 0xaa, 0xaa, 0x80, 0x00, 0x2a, 0x22,
            0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa,
        ];
        assert_eq!(bytes, expected);
    }
}
