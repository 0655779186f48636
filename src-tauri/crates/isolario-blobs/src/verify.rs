//! Verifies stored bytes against their checksums.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use aws_lc_rs::digest;

use super::checksum::{Algorithm, Checksum, Sum};
use super::{Blobs, on_disk};
use isolario_disk::regular_file;
use isolario_model::content::{FixityState, Verdict};

const CHUNK: usize = 1024 * 1024;

/// Size and checksum of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDigest {
    /// Bytes.
    pub size: u64,
    /// Hexadecimal.
    pub sha512: String,
}

impl Blobs {
    /// Reads a blob whole and compares it with its known size and checksum. `on_read` is called with the length of each
    /// piece. It may wait, or break off; then there is no verdict. It runs on a thread that may wait.
    pub fn verify(
        &self,
        blob: &str,
        known: &FileDigest,
        on_read: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Option<Verdict> {
        let found = match self.remote(blob) {
            Ok(Some(remote)) => remote.wait(remote.summed(on_read)),
            Ok(None) => self.locate(blob).and_then(|path| summed(&path, on_read)),
            Err(error) => Err(error),
        };
        match found {
            Ok(found) => found.map(|found| compared(&found, known)),
            Err(error) => Some(unread(&error)),
        }
    }

    /// Reads a blob whole. Returns its size and checksum.
    ///
    /// # Errors
    /// `NotFound` when the bytes are lost; what else the disk or the bucket refuses.
    pub async fn digest(&self, blob: &str) -> io::Result<FileDigest> {
        let on_read = &mut |_| ControlFlow::Continue(());
        match self.remote(blob)? {
            Some(remote) => remote.summed(on_read).await?,
            None => {
                let path = self.locate(blob)?;
                return on_disk(move || digest_of_file(&path)).await;
            }
        }
        .ok_or_else(|| io::ErrorKind::Interrupted.into())
    }

    /// Checks whether a blob exists and has its known size, without reading it. It runs on a thread that may wait.
    pub fn glance(&self, blob: &str, known: &FileDigest) -> Verdict {
        if let Ok(Some(remote)) = self.remote(blob) {
            return match remote.wait(remote.size()) {
                Ok(size) if size != known.size => other_size(size, known.size),
                Ok(_) => Verdict::intact(),
                Err(error) => unread(&error),
            };
        }
        let found = self.locate(blob).and_then(std::fs::symlink_metadata);
        match found {
            Ok(found) if !found.is_file() => {
                Verdict::new(FixityState::Damaged, "It is no regular file.")
            }
            Ok(found) if found.len() != known.size => other_size(found.len(), known.size),
            Ok(_) => Verdict::intact(),
            Err(error) => unread(&error),
        }
    }
}

/// Size and checksum of a file on this machine, which is read whole.
///
/// # Errors
/// What the disk refuses.
pub fn digest_of_file(path: &Path) -> io::Result<FileDigest> {
    let found = summed(path, &mut |_| ControlFlow::Continue(()))?;
    found.ok_or_else(|| io::ErrorKind::Interrupted.into())
}

/// The checksum of everything that is read.
///
/// # Errors
/// What the reader says.
pub fn checksum_of(mut bytes: impl Read, algorithm: Algorithm) -> io::Result<Checksum> {
    let mut sum = Sum::new(algorithm);
    let mut chunk = vec![0; CHUNK];
    loop {
        match bytes.read(&mut chunk) {
            Ok(0) => return Ok(sum.finish()),
            Ok(length) => sum.update(&chunk[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Reads a file whole. `None` when `on_read` breaks off.
pub(super) fn summed(
    path: &Path,
    on_read: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> io::Result<Option<FileDigest>> {
    let mut file = regular_file::open(path)?;
    let mut context = digest::Context::new(&digest::SHA512);
    let mut chunk = vec![0; CHUNK];
    let mut size = 0;
    loop {
        let length = match file.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            outcome => outcome?,
        };
        if length == 0 {
            break;
        }
        context.update(&chunk[..length]);
        size += length as u64;
        if on_read(length as u64).is_break() {
            return Ok(None);
        }
    }
    Ok(Some(FileDigest {
        size,
        sha512: hex::encode(context.finish()),
    }))
}

/// The verdict on what was read.
pub fn compared(found: &FileDigest, known: &FileDigest) -> Verdict {
    if found.size != known.size {
        return other_size(found.size, known.size);
    }
    match found.sha512 == known.sha512 {
        true => Verdict::intact(),
        false => Verdict::new(
            FixityState::Damaged,
            format!(
                "Its SHA-512 is {}… where {}… arrived.",
                start(&found.sha512),
                start(&known.sha512)
            ),
        ),
    }
}

fn start(digest: &str) -> &str {
    digest.get(..16).unwrap_or(digest)
}

fn other_size(found: u64, known: u64) -> Verdict {
    Verdict::new(
        FixityState::Damaged,
        format!("It has {found} bytes where {known} arrived."),
    )
}

fn unread(error: &io::Error) -> Verdict {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            Verdict::new(FixityState::Missing, "Its bytes are not there.")
        }
        _ => Verdict::new(
            FixityState::Unreadable,
            format!("Its bytes cannot be read: {error}."),
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use bytes::Bytes;
    use futures_util::stream;

    use super::super::tests::{blobs, deposit};
    use super::*;

    async fn stored(blobs: &Blobs, scheme: &str) -> (String, FileDigest, PathBuf) {
        let body = stream::iter([Ok::<_, String>(Bytes::from(vec![7; 3_000_000]))]);
        let staged = blobs.stage(body, None, &[]).await.unwrap();
        let known = FileDigest {
            size: staged.size,
            sha512: staged.sha512.clone(),
        };
        let placed = blobs
            .place(staged, &deposit(scheme, "a.bin", 1))
            .await
            .unwrap();
        let blob = placed.blob.clone();
        blobs.settle(placed).await;
        let path = blobs.locate(&blob).unwrap();
        (blob, known, path)
    }

    fn state(blobs: &Blobs, blob: &str, known: &FileDigest) -> FixityState {
        let verdict = blobs.verify(blob, known, &mut |_| ControlFlow::Continue(()));
        verdict.unwrap().state
    }

    #[tokio::test]
    async fn one_changed_byte_is_seen() {
        for scheme in ["public", "fedora"] {
            let (_disk, blobs) = blobs();
            let (blob, known, path) = stored(&blobs, scheme).await;
            assert_eq!(state(&blobs, &blob, &known), FixityState::Intact);
            let mut bytes = std::fs::read(&path).unwrap();
            bytes[2_999_999] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(state(&blobs, &blob, &known), FixityState::Damaged);
            assert_eq!(blobs.glance(&blob, &known).state, FixityState::Intact);
            std::fs::write(&path, &bytes[1..]).unwrap();
            assert_eq!(blobs.glance(&blob, &known).state, FixityState::Damaged);
            std::fs::remove_file(&path).unwrap();
            assert_eq!(state(&blobs, &blob, &known), FixityState::Missing);
            assert_eq!(blobs.glance(&blob, &known).state, FixityState::Missing);
        }
    }

    #[tokio::test]
    async fn a_reader_that_is_told_to_stop_has_no_verdict() {
        let (_disk, blobs) = blobs();
        let (blob, known, _) = stored(&blobs, "public").await;
        let mut pieces = 0;
        let verdict = blobs.verify(&blob, &known, &mut |_| {
            pieces += 1;
            ControlFlow::Break(())
        });
        assert_eq!((verdict, pieces), (None, 1));
    }
}
