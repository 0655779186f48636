//! The bytes of resumable uploads. They lie in `uploads/` until the upload is complete, also while the program is not
//! running. If the repository has a bucket, it has a copy of them.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::Stream;
use uuid::Uuid;

use super::checksum::{Sum, wanted};
use super::disk::sync_directory;
use super::intake::{Begin, Limit, Output, Retention, write_body};
use super::stage::Temporary;
use super::{Algorithm, Blobs, Checksum, StageError, StagedBlob, on_disk};
use isolario_disk::regular_file;
use isolario_model::content::UploadPiece;
use isolario_platform::files;

/// Unfinished checksums of the bytes so far, to be continued with the next part.
#[derive(Clone)]
pub struct Sums(Vec<Sum>);

/// The place of the next part in its upload, and its checksums.
pub struct Append {
    pub id: Uuid,
    /// Bytes before this part. Bytes after them were never acknowledged, so they are overwritten.
    pub offset: u64,
    /// Bytes of this part, if the client says so.
    pub declared: Option<u64>,
    /// The checksums of the bytes before this part. Without them, these bytes are read again.
    pub sums: Option<Sums>,
    /// Checksums of the whole upload besides SHA-512.
    pub asked: Vec<Algorithm>,
    /// Checksums of this part alone.
    pub of_part: Vec<Algorithm>,
}

/// A part that is on disk, complete or as far as it arrived.
pub struct AppendResult {
    /// Bytes.
    pub size: u64,
    /// The checksums of all bytes so far.
    pub sums: Sums,
    /// The checksums of this part alone.
    pub of_part: Vec<Checksum>,
    /// The copy of it in the bucket.
    pub pieces: Vec<UploadPiece>,
    /// Why the part broke off, if it did.
    pub broken: Option<StageError>,
}

impl Blobs {
    /// Makes the file of a new upload.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn begin_partial(&self, id: Uuid) -> io::Result<()> {
        let (path, directory) = (self.partial(id), self.uploads.clone());
        on_disk(move || {
            File::create_new(path)?; // There are no bytes yet that could be lost.
            sync_directory(&directory)
        })
        .await
    }

    /// Writes the next part and computes its checksums. When this returns, the part is on disk, as far as it arrived, and
    /// in the bucket, if the repository has one.
    ///
    /// # Errors
    /// `Disk`, of the bucket, too, and with `NotFound` or `UnexpectedEof` when earlier bytes are lost; a part that declares to be too large; a
    /// part beside too many others.
    pub async fn append<S, E>(&self, append: Append, body: S) -> Result<AppendResult, StageError>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: Display,
    {
        let _place = self.bounds.enter()?;
        let limit = Limit {
            bounds: &self.bounds,
            directory: &self.uploads,
            before: append.offset,
        };
        limit.refuse(append.declared.unwrap_or(0))?;
        let (id, offset) = (append.id, append.offset);
        let path = self.partial(id);
        let of_part = append.of_part.clone();
        let sums = sums_of(append, &path);
        let whole = sums.len();
        let begun = of_part.into_iter().map(begin_empty);
        let sums = sums.into_iter().chain(begun).collect();
        let open = move || open_at(&path, offset);
        let mut taken = write_body(body, open, sums, Retention::Part, limit).await?;
        let of_part = taken.sums.split_off(whole);
        Ok(AppendResult {
            pieces: self.put_pieces(id, offset, offset + taken.size).await?,
            size: taken.size,
            sums: Sums(taken.sums),
            of_part: of_part.into_iter().map(Sum::finish).collect(),
            broken: taken.broken,
        })
    }

    /// Stages an upload of so many bytes after its last part. The bytes also stay in `uploads/` until they are removed
    /// there, so that nothing is lost if the program ends before the commit.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn stage_partial(&self, id: Uuid, size: u64, sums: Sums) -> io::Result<StagedBlob> {
        let (path, temporary) = (self.partial(id), Temporary::new(&self.staging));
        on_disk(move || {
            std::fs::hard_link(path, &temporary.0)?;
            Ok(StagedBlob::new(temporary, size, sums.0))
        })
        .await
    }

    /// Removes the bytes of an upload from `uploads/`, if they are there, and from the bucket.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn remove_partial(&self, id: Uuid) -> io::Result<()> {
        self.remove_pieces(id).await;
        let path = self.partial(id);
        on_disk(move || match files::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        })
        .await
    }

    /// The uploads that have bytes in `uploads/`.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn partials(&self) -> io::Result<Vec<Uuid>> {
        let directory = self.uploads.clone();
        on_disk(move || {
            let mut found = Vec::new();
            for entry in directory.read_dir()? {
                let name = entry?.file_name();
                found.extend(name.to_str().and_then(|name| Uuid::parse_str(name).ok()));
            }
            Ok(found)
        })
        .await
    }

    pub(super) fn partial(&self, id: Uuid) -> PathBuf {
        self.uploads.join(id.simple().to_string())
    }
}

fn open_at(path: &Path, offset: u64) -> io::Result<Output<()>> {
    let mut file = regular_file::open_with(OpenOptions::new().write(true), path)?;
    if file.metadata()?.len() < offset {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    file.set_len(offset)?;
    file.seek(SeekFrom::Start(offset))?;
    Ok(Output {
        file,
        guard: (),
        progress: None,
    })
}

fn begin_empty(algorithm: Algorithm) -> Begin {
    Box::new(move || Ok(Sum::new(algorithm)))
}

fn sums_of(append: Append, path: &Path) -> Vec<Begin> {
    let offset = append.offset;
    match append.sums {
        Some(Sums(sums)) => sums
            .into_iter()
            .map(|sum| -> Begin { Box::new(move || Ok(sum)) })
            .collect(),
        None => wanted(&append.asked)
            .into_iter()
            .map(|algorithm| -> Begin {
                let path = path.to_owned();
                Box::new(move || sum_up_to(&path, offset, algorithm))
            })
            .collect(),
    }
}

fn sum_up_to(path: &Path, offset: u64, algorithm: Algorithm) -> io::Result<Sum> {
    let mut sum = Sum::new(algorithm);
    if offset > 0 {
        io::copy(&mut regular_file::open(path)?.take(offset), &mut sum)?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use futures_util::stream;
    use proptest::prelude::*;

    use super::super::tests::blobs;
    use super::*;

    fn part(bytes: &[u8]) -> impl Stream<Item = Result<Bytes, String>> + Unpin {
        stream::iter([Ok(Bytes::copy_from_slice(bytes))])
    }

    fn at(id: Uuid, offset: u64, sums: Option<Sums>) -> Append {
        Append {
            id,
            offset,
            declared: None,
            sums,
            asked: vec![Algorithm::Md5],
            of_part: vec![Algorithm::Sha256],
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn parts_are_the_whole_with_sums_carried_or_made_anew(
            parts in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..5000), any::<bool>()), 1..6)
        ) {
            let (_disk, blobs) = blobs();
            let id = Uuid::new_v4();
            tokio::runtime::Runtime::new().unwrap().block_on(async {
                blobs.begin_partial(id).await.unwrap();
                let (mut sums, mut size) = (None, 0);
                for (bytes, forget) in &parts {
                    let carried = sums.take().filter(|_| !forget);
                    let appended = blobs.append(at(id, size, carried), part(bytes)).await.unwrap();
                    size += appended.size;
                    sums = Some(appended.sums);
                }
                let staged = blobs.stage_partial(id, size, sums.unwrap()).await.unwrap();
                let whole: Vec<u8> = parts.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
                let again = blobs.stage(part(&whole), None, &[Algorithm::Md5]).await.unwrap();
                assert_eq!(staged.checksums, again.checksums);
                assert_eq!(std::fs::read(&staged.temporary.0).unwrap(), whole);
            });
        }
    }

    #[tokio::test]
    async fn what_came_before_it_broke_off_is_kept_until_it_is_written_over() {
        let (_disk, blobs) = blobs();
        let id = Uuid::new_v4();
        blobs.begin_partial(id).await.unwrap();
        let chunks = [Ok(Bytes::from_static(b"some")), Err("gone".to_owned())];
        let broken = blobs
            .append(at(id, 0, None), stream::iter(chunks))
            .await
            .unwrap();
        assert_eq!((broken.size, broken.broken.is_some()), (4, true));
        let rest = blobs.append(at(id, 2, None), part(b"up")).await.unwrap();
        let staged = blobs.stage_partial(id, 4, rest.sums).await.unwrap();
        assert_eq!(std::fs::read(&staged.temporary.0).unwrap(), b"soup");
        drop(staged);
        assert_eq!(blobs.partials().await.unwrap(), [id]);
        blobs.remove_partial(id).await.unwrap();
        assert!(blobs.partials().await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn lost_bytes_are_not_made_up() {
        let (_disk, blobs) = blobs();
        let id = Uuid::new_v4();
        blobs.begin_partial(id).await.unwrap();
        let refused = blobs.append(at(id, 5, None), part(b"x")).await;
        assert!(
            matches!(refused, Err(StageError::Disk(error)) if error.kind() == io::ErrorKind::UnexpectedEof)
        );
    }
}
