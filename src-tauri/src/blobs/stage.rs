//! Bytes on their way in: streamed to a temporary file, hashed beside the writing, counted, synced.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, IoSlice, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use aws_lc_rs::digest;
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::task::{JoinHandle, spawn_blocking};

use super::{Blobs, joined};

/// Bytes that are written and hashed together while the next ones arrive.
const BATCH_BYTES: usize = 512 * 1024;
/// A sender of tiny chunks must not make a batch of millions.
const BATCH_CHUNKS: usize = 512;
/// A sender that is silent for so long has gone.
const PATIENCE: Duration = Duration::from_secs(120);

/// Why an upload did not arrive. Nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    #[error("The body broke off: {0}.")]
    Broken(String),
    #[error("No bytes arrived for {} seconds.", PATIENCE.as_secs())]
    Stalled,
    #[error("The body has {received} bytes where {declared} were declared.")]
    Length { declared: u64, received: u64 },
    #[error("The bytes could not be written: {0}.")]
    Disk(#[from] io::Error),
}

/// Bytes that have arrived whole and are on disk, but that nobody can see yet. Dropped means removed.
#[derive(Debug)]
pub struct Staged {
    pub(super) temporary: Temporary,
    /// Bytes.
    pub size: u64,
    /// Hexadecimal.
    pub sha512: String,
}

impl Staged {
    /// Opens the bytes to look at them.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn reader(&self) -> io::Result<BufReader<File>> {
        Ok(BufReader::new(File::open(&self.temporary.0)?))
    }
}

/// A file in staging; gone with this value unless it was placed.
#[derive(Debug)]
pub(super) struct Temporary(pub(super) PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // After placing there is nothing under this name any more.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Blobs {
    /// Takes a body in. Memory is bounded whatever its length; no thread is held while the sender is
    /// slow; when the future is dropped, the temporary file goes too.
    ///
    /// # Errors
    /// When the body breaks off, stalls, or has another length than `declared`; what the disk refuses.
    pub async fn stage<S, E>(
        &self,
        mut body: S,
        declared: Option<u64>,
    ) -> Result<Staged, StageError>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: Display,
    {
        let mut intake = Intake::start(&self.staging);
        loop {
            let batch = gather(&mut body).await?;
            if batch.is_empty() {
                break;
            }
            intake.take(batch).await?;
        }
        match declared {
            Some(declared) if declared != intake.size => Err(StageError::Length {
                declared,
                received: intake.size,
            }),
            _ => Ok(intake.finish().await?),
        }
    }
}

async fn gather<S, E>(body: &mut S) -> Result<Vec<Bytes>, StageError>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
{
    let mut batch = Vec::new();
    let mut size = 0;
    while size < BATCH_BYTES && batch.len() < BATCH_CHUNKS {
        let next = tokio::time::timeout(PATIENCE, body.next()).await;
        match next.map_err(|_| StageError::Stalled)? {
            Some(Ok(chunk)) if chunk.is_empty() => {}
            Some(Ok(chunk)) => {
                size += chunk.len();
                batch.push(chunk);
            }
            Some(Err(error)) => return Err(StageError::Broken(error.to_string())),
            None => break,
        }
    }
    Ok(batch)
}

/// A file being written and its checksum, each on a thread of its own while there is a batch to work on.
struct Intake {
    size: u64,
    writing: JoinHandle<io::Result<Output>>,
    hashing: JoinHandle<io::Result<digest::Context>>,
}

/// The file and its guard travel together: whoever drops them last removes the file.
struct Output {
    file: File,
    temporary: Temporary,
}

impl Intake {
    fn start(staging: &Path) -> Intake {
        let path = staging.join(format!("{}.part", uuid::Uuid::new_v4().simple()));
        Intake {
            size: 0,
            writing: spawn_blocking(move || Output::create(path)),
            hashing: spawn_blocking(|| Ok(digest::Context::new(&digest::SHA512))),
        }
    }

    /// Starts work on a batch as soon as the one before it is done.
    async fn take(&mut self, batch: Vec<Bytes>) -> io::Result<()> {
        let output = joined(&mut self.writing).await?;
        let context = joined(&mut self.hashing).await?;
        self.size += batch.iter().map(|chunk| chunk.len() as u64).sum::<u64>();
        let copy = batch.clone(); // Counts references; the bytes are not copied.
        self.writing = spawn_blocking(move || output.write(&batch));
        self.hashing = spawn_blocking(move || Ok(hash(context, &copy)));
        Ok(())
    }

    async fn finish(self) -> io::Result<Staged> {
        let output = joined(self.writing).await?;
        let synced = spawn_blocking(move || output.sync());
        let context = joined(self.hashing).await?;
        Ok(Staged {
            temporary: joined(synced).await?,
            size: self.size,
            sha512: hex::encode(context.finish()),
        })
    }
}

impl Output {
    fn create(path: PathBuf) -> io::Result<Output> {
        let file = File::create_new(&path)?;
        Ok(Output {
            file,
            temporary: Temporary(path),
        })
    }

    fn write(mut self, batch: &[Bytes]) -> io::Result<Output> {
        let mut slices: Vec<IoSlice<'_>> = batch.iter().map(|chunk| IoSlice::new(chunk)).collect();
        let mut rest = slices.as_mut_slice();
        while !rest.is_empty() {
            match self.file.write_vectored(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => IoSlice::advance_slices(&mut rest, written),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self)
    }

    fn sync(self) -> io::Result<Temporary> {
        self.file.sync_all()?;
        Ok(self.temporary)
    }
}

fn hash(mut context: digest::Context, batch: &[Bytes]) -> digest::Context {
    for chunk in batch {
        context.update(chunk);
    }
    context
}

#[cfg(test)]
mod tests {
    use futures_util::stream;
    use proptest::prelude::*;

    use super::super::tests::blobs;
    use super::*;

    fn body(chunks: Vec<Vec<u8>>) -> impl Stream<Item = Result<Bytes, String>> + Unpin {
        stream::iter(chunks.into_iter().map(|chunk| Ok(Bytes::from(chunk))))
    }

    fn staged_files(disk: &tempfile::TempDir) -> usize {
        disk.path().join("staging").read_dir().unwrap().count()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn what_arrives_is_what_was_sent(sizes in prop::collection::vec(0_usize..400_000, 0..12)) {
            let chunks: Vec<Vec<u8>> = (0_u8..).zip(&sizes).map(|(at, &size)| vec![at; size]).collect();
            let sent = chunks.concat();
            let (_disk, blobs) = blobs();
            let runtime = tokio::runtime::Runtime::new().unwrap();
            let staged = runtime.block_on(blobs.stage(body(chunks), Some(sent.len() as u64))).unwrap();
            prop_assert_eq!(staged.size, sent.len() as u64);
            prop_assert_eq!(&staged.sha512, &hex::encode(digest::digest(&digest::SHA512, &sent)));
            prop_assert_eq!(std::fs::read(&staged.temporary.0).unwrap(), sent);
        }
    }

    #[tokio::test]
    async fn dropped_means_removed() {
        let (disk, blobs) = blobs();
        let staged = blobs
            .stage(body(vec![b"bytes".to_vec()]), None)
            .await
            .unwrap();
        assert_eq!(staged_files(&disk), 1);
        drop(staged);
        assert_eq!(staged_files(&disk), 0);
    }

    #[tokio::test]
    async fn a_broken_body_leaves_nothing() {
        let (disk, blobs) = blobs();
        let chunks = vec![
            Ok(Bytes::from_static(b"some")),
            Err("connection reset".to_owned()),
        ];
        let error = blobs.stage(stream::iter(chunks), None).await.unwrap_err();
        assert_eq!(error.to_string(), "The body broke off: connection reset.");
        assert_eq!(settled(&disk).await, 0);
    }

    #[tokio::test]
    async fn a_wrong_length_is_refused() {
        let (disk, blobs) = blobs();
        let error = blobs
            .stage(body(vec![b"four".to_vec()]), Some(5))
            .await
            .unwrap_err();
        assert!(matches!(
            error,
            StageError::Length {
                declared: 5,
                received: 4
            }
        ));
        assert_eq!(settled(&disk).await, 0);
    }

    /// The temporary goes with the last batch in flight.
    async fn settled(disk: &tempfile::TempDir) -> usize {
        for _ in 0..200 {
            if staged_files(disk) == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        staged_files(disk)
    }
}
