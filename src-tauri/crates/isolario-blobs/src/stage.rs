//! Stages incoming bytes: writes them to a temporary file, and computes their size and checksums meanwhile.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::Stream;

use super::checksum::{Sum, wanted};
use super::early_upload::EarlyUpload;
use super::intake::{Begin, Limit, Output, Retention, write_body};
use super::{Algorithm, BlobLocation, Blobs, Checksum, StageError};
use isolario_disk::regular_file;
use isolario_platform::files;

/// Bytes that have arrived and have no lasting name yet. They are removed when this is dropped. Placing syncs them.
#[derive(Debug)]
pub struct StagedBlob {
    pub(super) temporary: Temporary,
    /// Whether they are synced.
    pub(super) synced: bool,
    /// They may be in the bucket already.
    pub(super) early: Option<Box<EarlyUpload>>,
    /// Bytes.
    pub size: u64,
    /// Hexadecimal.
    pub sha512: String,
    /// SHA-512, and the other checksums that were asked for.
    pub checksums: Vec<Checksum>,
}

impl StagedBlob {
    /// Opens the bytes for reading.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn reader(&self) -> io::Result<BufReader<File>> {
        Ok(BufReader::new(regular_file::open(&self.temporary.0)?))
    }

    /// Moves the bytes to a place on the same disk, where nothing syncs or removes them.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn leave_at(self, place: &Path) -> io::Result<()> {
        files::rename(&self.temporary.0, place)
    }

    /// Whether every one of these is a checksum of the bytes. One whose algorithm was not asked for is not.
    pub fn agrees_with(&self, promised: &[Checksum]) -> bool {
        promised
            .iter()
            .all(|checksum| self.checksums.contains(checksum))
    }

    /// Bytes that are on disk.
    pub(super) fn new(temporary: Temporary, size: u64, sums: Vec<Sum>) -> StagedBlob {
        let checksums: Vec<Checksum> = sums.into_iter().map(Sum::finish).collect();
        let sha512 = checksums
            .iter()
            .find(|checksum| checksum.algorithm == Algorithm::Sha512);
        StagedBlob {
            temporary,
            synced: true,
            early: None,
            size,
            sha512: sha512.map(Checksum::hex).unwrap_or_default(),
            checksums,
        }
    }
}

/// A file in staging. It is removed when this is dropped, unless it was placed.
#[derive(Debug)]
pub(super) struct Temporary(pub(super) PathBuf);

impl Temporary {
    /// A new unique name.
    pub(super) fn new(staging: &Path) -> Temporary {
        Temporary(staging.join(format!("{}.part", uuid::Uuid::new_v4().simple())))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After placing there is nothing under this name any more.
        let _ = files::remove_file(&self.0);
    }
}

impl Blobs {
    /// Stages a body, and computes its SHA-512 and the checksums in `asked`. Its length does not change the memory that
    /// this needs. A slow sender occupies no thread. When the future is dropped, the temporary file is removed.
    ///
    /// # Errors
    /// When the body breaks off, stalls, is too large, or has another length than `declared`; when too many uploads run
    /// at the same time; what the disk refuses.
    pub async fn stage<S, E>(
        &self,
        body: S,
        declared: Option<u64>,
        asked: &[Algorithm],
    ) -> Result<StagedBlob, StageError>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: Display,
    {
        self.stage_for(None, body, declared, asked).await
    }

    /// As `stage`. If it is known where the bytes are likely to be placed, and a bucket takes them there, large ones are
    /// put into it while they arrive.
    ///
    /// # Errors
    /// As `stage`.
    pub async fn stage_for<S, E>(
        &self,
        location: Option<&BlobLocation>,
        body: S,
        declared: Option<u64>,
        asked: &[Algorithm],
    ) -> Result<StagedBlob, StageError>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: Display,
    {
        let _place = self.bounds.enter()?;
        let limit = Limit {
            bounds: &self.bounds,
            directory: &self.staging,
            before: 0,
        };
        limit.refuse(declared.unwrap_or(0))?;
        let temporary = Temporary::new(&self.staging);
        let store = match location {
            Some(location) => self.store_for(location).await,
            None => None,
        };
        let retention = match &store {
            Some(_) => Retention::Spool,
            None => Retention::Whole,
        };
        let early = location.zip(store).zip(declared);
        let early = early.and_then(|((location, (store, in_flight)), size)| {
            self.put_early(store, location, &temporary.0, size, in_flight)
        });
        let progress = early.as_deref().map(EarlyUpload::write_progress);
        let create = move || {
            let file = File::create_new(&temporary.0)?;
            Ok(Output {
                file,
                guard: temporary,
                progress,
            })
        };
        let begin = |algorithm| -> Begin { Box::new(move || Ok(Sum::new(algorithm))) };
        let sums = wanted(asked).into_iter().map(begin).collect();
        let taken = write_body(body, create, sums, retention, limit).await?;
        match declared {
            Some(declared) if declared != taken.size => Err(StageError::Length {
                declared,
                received: taken.size,
            }),
            _ => Ok(StagedBlob {
                synced: taken.synced,
                early,
                ..StagedBlob::new(taken.guard, taken.size, taken.sums)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use aws_lc_rs::digest;
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
            let staged = runtime.block_on(blobs.stage(body(chunks), Some(sent.len() as u64), &[])).unwrap();
            prop_assert_eq!(staged.size, sent.len() as u64);
            prop_assert_eq!(&staged.sha512, &hex::encode(digest::digest(&digest::SHA512, &sent)));
            prop_assert_eq!(std::fs::read(&staged.temporary.0).unwrap(), sent);
        }
    }

    #[tokio::test]
    async fn dropped_means_removed() {
        let (disk, blobs) = blobs();
        let staged = blobs
            .stage(body(vec![b"bytes".to_vec()]), None, &[])
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
        let error = blobs
            .stage(stream::iter(chunks), None, &[])
            .await
            .unwrap_err();
        assert_eq!(error.to_string(), "The body broke off: connection reset.");
        assert_eq!(staged_files(&disk), 0);
    }

    #[tokio::test]
    async fn a_wrong_length_is_refused() {
        let (disk, blobs) = blobs();
        let error = blobs
            .stage(body(vec![b"four".to_vec()]), Some(5), &[])
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
        let mut count = staged_files(disk);
        for _ in 0..3000 {
            if count == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
            count = staged_files(disk);
        }
        count
    }
}
