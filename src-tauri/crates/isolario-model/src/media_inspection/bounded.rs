//! A reader that gives up after a while: what a hostile file can cost.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

/// Dimensions stand near the beginning of a file, and are reached in few steps.
const STEPS: u32 = 100_000;
const BYTES: u64 = 16 * 1024 * 1024;

/// Passes reads on until the budget of steps or bytes is spent.
pub(super) struct BoundedReader<R> {
    inner: R,
    steps: u32,
    bytes: u64,
}

impl<R> BoundedReader<R> {
    pub(super) fn new(inner: R) -> BoundedReader<R> {
        BoundedReader {
            inner,
            steps: STEPS,
            bytes: BYTES,
        }
    }

    fn step(&mut self) -> io::Result<()> {
        self.steps = self.steps.checked_sub(1).ok_or_else(spent)?;
        match self.bytes {
            0 => Err(spent()),
            _ => Ok(()),
        }
    }

    fn count(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes as u64);
    }
}

fn spent() -> io::Error {
    io::Error::other("the file takes too long to look at")
}

impl<R: Read> Read for BoundedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.step()?;
        let read = self.inner.read(buffer)?;
        self.count(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for BoundedReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.step()?;
        self.inner.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.count(bytes);
        self.inner.consume(bytes);
    }
}

impl<R: Seek> Seek for BoundedReader<R> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.step()?;
        self.inner.seek(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_file_ends() {
        let mut bounded = BoundedReader::new(io::repeat(b'x'));
        let error = io::copy(&mut bounded, &mut io::sink()).unwrap_err();
        assert_eq!(error.to_string(), spent().to_string());
    }

    #[test]
    fn endless_seeking_ends() {
        let mut bounded = BoundedReader::new(io::Cursor::new([0; 8]));
        let mut seeks = std::iter::repeat_with(|| bounded.seek(SeekFrom::Start(0)));
        assert!(seeks.any(|outcome| outcome.is_err()));
    }
}
