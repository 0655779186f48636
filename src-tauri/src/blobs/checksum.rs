//! Whether bytes that arrived are the bytes that were sent.

use std::io;

use aws_lc_rs::digest;

use super::{Staged, on_disk};

/// A way to make a checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    Sha256,
    Sha512,
}

/// A checksum that the sender gave for the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checksum {
    pub algorithm: Algorithm,
    pub value: Vec<u8>,
}

impl Staged {
    /// Whether every one of these is a checksum of the bytes. SHA-512 is known since they arrived;
    /// for SHA-256 they are read once more.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn agrees_with(&self, promised: &[Checksum]) -> io::Result<bool> {
        for checksum in promised {
            let found = match checksum.algorithm {
                Algorithm::Sha512 => self.sha512.clone(),
                Algorithm::Sha256 => self.sha256().await?,
            };
            if found != hex::encode(&checksum.value) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn sha256(&self) -> io::Result<String> {
        let mut bytes = self.reader()?;
        on_disk(move || {
            let mut sum = Sum(digest::Context::new(&digest::SHA256));
            io::copy(&mut bytes, &mut sum)?;
            Ok(hex::encode(sum.0.finish()))
        })
        .await
    }
}

struct Sum(digest::Context);

impl io::Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
