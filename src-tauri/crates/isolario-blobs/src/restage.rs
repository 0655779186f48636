//! Stages stored bytes again, without a copy.

use std::io::{self, Read};
use std::path::Path;

use super::checksum::{Sum, wanted};
use super::stage::Temporary;
use super::{Algorithm, Blobs, StageError, StagedBlob, on_disk};
use isolario_disk::disk_fault::StoreFault;
use isolario_disk::regular_file;

impl Blobs {
    /// Stages the bytes of a blob again, by a hard link where the file system has such links. It computes the checksums
    /// that are asked for besides SHA-512, and compares the bytes with their checksum, because damaged bytes must not
    /// become current ones.
    ///
    /// # Errors
    /// `NotFound` when the blob is not there, `InvalidData` when it is damaged; what else the disk or the bucket
    /// refuses.
    pub async fn stage_again(
        &self,
        blob: &str,
        sha512: &str,
        asked: &[Algorithm],
    ) -> io::Result<StagedBlob> {
        if Blobs::is_in_bucket(blob) {
            let blob = self.open_blob(blob).await?;
            let size = blob.size;
            let body = std::pin::pin!(blob.stream(0..size));
            let staged = self.stage(body, Some(size), asked).await;
            return unless_damaged(staged.map_err(unstaged)?, sha512);
        }
        let (stored, sha512) = (self.locate(blob)?, sha512.to_owned());
        let mut sums: Vec<Sum> = wanted(asked).into_iter().map(Sum::new).collect();
        let name = format!("{}.part", uuid::Uuid::new_v4().simple());
        let temporary = Temporary(self.staging.join(name));
        on_disk(move || {
            if let Err(error) = std::fs::hard_link(&stored, &temporary.0) {
                if error.kind() == io::ErrorKind::NotFound {
                    return Err(error);
                }
                regular_file::copy(&stored, &temporary.0)?.sync_all()?;
            }
            let size = read_through(&temporary.0, &mut sums)?;
            unless_damaged(StagedBlob::new(temporary, size, sums), &sha512)
        })
        .await
    }
}

/// Why bytes of a bucket were not staged.
fn unstaged(error: StageError) -> io::Error {
    match error {
        StageError::Disk(error) => error,
        StageError::Broken(_) | StageError::Stalled(_) => StoreFault::Unreachable.into(),
        other => io::Error::other(other.to_string()),
    }
}

fn unless_damaged(staged: StagedBlob, sha512: &str) -> io::Result<StagedBlob> {
    match staged.sha512 == sha512 {
        true => Ok(staged),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "the stored bytes are not what they were",
        )),
    }
}

/// Computes the checksums of a file. Returns how many bytes it has.
fn read_through(path: &Path, sums: &mut [Sum]) -> io::Result<u64> {
    let mut file = regular_file::open(path)?;
    let mut chunk = vec![0; 256 * 1024];
    let mut size = 0;
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 {
            return Ok(size);
        }
        size += read as u64;
        sums.iter_mut().for_each(|sum| sum.update(&chunk[..read]));
    }
}
