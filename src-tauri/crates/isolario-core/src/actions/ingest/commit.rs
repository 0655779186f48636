//! Inspects, places and commits staged bytes.

use std::sync::Arc;

use uuid::Uuid;

use super::{location_after, signature};
use crate::actions::{Author, Refusal, relocate};
use crate::repository::Repository;
use isolario_blobs::{
    Algorithm, BlobLocation, Blobs, Checksum, Deposit, PlacedBlob, Signature, StagedBlob,
};
use isolario_db::{DbError, INVENTORY, NewFileVersion, Write};
use isolario_disk::faults;
use isolario_model::content::{Bundle, FileFacts, FileRecord, FileUri, MimeType};
use isolario_model::media_inspection::{Facts, inspect};

/// Where uploaded bytes go, the bundle and MIME type to inspect them by, and their author.
pub struct UploadTarget {
    pub location: BlobLocation,
    pub bundle: Arc<Bundle>,
    pub mime: MimeType,
    pub author: Author,
}

/// Bytes that are placed and not committed yet.
pub struct PlacedUpload {
    pub blob: String,
    pub mime: MimeType,
    pub size: u64,
    /// SHA-512 and what else was asked for.
    pub checksums: Vec<Checksum>,
    pub facts: Facts,
    location: BlobLocation,
}

/// The outcome of the transaction for placed bytes.
pub enum CommitOutcome<T> {
    /// The rows of the bytes are written.
    Committed(T),
    /// Another change was first, so the bytes belong at this location. Nothing was changed.
    Relocate(BlobLocation),
}

impl PlacedUpload {
    /// The row of this version.
    pub fn version<'a>(&'a self, author: &Author) -> NewFileVersion<'a> {
        NewFileVersion {
            blob: &self.blob,
            mime: &self.mime,
            size: self.size,
            width: self.facts.width,
            height: self.facts.height,
            sha512: self.hex(Algorithm::Sha512).unwrap_or_default(),
            sha256: self.hex(Algorithm::Sha256),
            md5: self.hex(Algorithm::Md5),
            made: author.at,
            author: author.uid,
        }
    }

    fn hex(&self, algorithm: Algorithm) -> Option<String> {
        let mut checksums = self.checksums.iter();
        let made = checksums.find(|checksum| checksum.algorithm == algorithm);
        made.map(Checksum::hex)
    }

    /// Identity for a new file at this address, or where its bytes have to lie first.
    pub fn identity(&self, uri: &FileUri) -> Result<Uuid, BlobLocation> {
        let is_first = self.location.version == 1;
        if is_first && self.location.uri == *uri {
            return Ok(self.location.uuid);
        }
        let location = match is_first {
            true => BlobLocation::with_identity(self.location.uuid, uri.clone()),
            false => BlobLocation::new(uri.clone()),
        };
        match self.location.is_same_as(&location) {
            true => Ok(location.uuid),
            false => Err(location),
        }
    }

    /// Where the bytes have to lie to replace those of a file, unless they are there.
    ///
    /// # Errors
    /// As `location_after`.
    pub fn moved_for(&self, file: &FileRecord) -> Result<Option<BlobLocation>, Refusal> {
        let location = location_after(file)?;
        Ok((!self.location.is_same_as(&location)).then_some(location))
    }

    /// What references to the file show of it.
    pub fn file_facts(&self, uri: FileUri) -> FileFacts {
        FileFacts {
            uri,
            mime: self.mime.clone(),
            size: i64::try_from(self.size).unwrap_or(i64::MAX),
            width: self.facts.width.map(i64::from),
            height: self.facts.height.map(i64::from),
        }
    }
}

/// Inspects, places and commits. It runs to its end even if the caller is dropped: placed bytes must not be left
/// without a row.
pub async fn place_and_commit<T, F>(
    repository: Arc<Repository>,
    staged: StagedBlob,
    target: UploadTarget,
    commit: F,
) -> Result<T, Refusal>
where
    T: Send + 'static,
    F: Fn(&mut Write<'_>, &PlacedUpload) -> Result<CommitOutcome<T>, Refusal>
        + Send
        + Sync
        + 'static,
{
    let whole = tokio::spawn(async move {
        let facts = inspect_staged(&staged, &target).await?;
        let commit = Arc::new(commit);
        let (mut staged, mut location) = (staged, target.location.clone());
        // Each further attempt follows a change that another upload has committed, so the loop ends.
        loop {
            location = as_it_is_now(&repository, location)?;
            let placed_upload = PlacedUpload {
                blob: String::new(),
                mime: target.mime.clone(),
                size: staged.size,
                checksums: staged.checksums.clone(),
                facts,
                location,
            };
            let replaces = placed_upload.location.version > 1;
            let signature = sign(&repository, placed_upload.location.version, &target.author)?;
            let deposit = Deposit {
                location: placed_upload.location.clone(),
                signature,
            };
            let placed = repository.blobs.place(staged, &deposit).await;
            let placed = placed.map_err(|error| Refusal::disk(&error))?;
            faults::point("placed");
            match commit_placed(&repository, placed, placed_upload, commit.clone()).await? {
                CommitAttempt::Committed(made) => {
                    if replaces {
                        relocate::follow(&repository.db, &repository.blobs).await;
                    }
                    return Ok(made);
                }
                CommitAttempt::Displaced(back, elsewhere) => (staged, location) = (back, elsewhere),
            }
        }
    });
    whole.await.unwrap_or_else(|error| {
        Err(Refusal::Storage(format!(
            "The upload could not be kept: {error}."
        )))
    })
}

/// A location with the name that the bytes have now that are replaced. While a body arrives, they may be moved.
fn as_it_is_now(repository: &Repository, location: BlobLocation) -> Result<BlobLocation, DbError> {
    if location.version == 1 {
        return Ok(location);
    }
    let uuid = location.uuid.to_string();
    let versions = repository
        .db
        .read_here(|read| read.versions_of_uuid(&uuid))?;
    Ok(BlobLocation {
        replaced: versions.into_iter().last().map(|version| version.blob),
        ..location
    })
}

enum CommitAttempt<T> {
    Committed(T),
    Displaced(StagedBlob, BlobLocation),
}

async fn commit_placed<T, F>(
    repository: &Repository,
    placed: PlacedBlob,
    placed_upload: PlacedUpload,
    commit: Arc<F>,
) -> Result<CommitAttempt<T>, Refusal>
where
    T: Send + 'static,
    F: Fn(&mut Write<'_>, &PlacedUpload) -> Result<CommitOutcome<T>, Refusal>
        + Send
        + Sync
        + 'static,
{
    let blobs = &repository.blobs;
    let placed_upload = PlacedUpload {
        blob: placed.blob.clone(),
        ..placed_upload
    };
    let written = repository.db.write(move |write| {
        let outcome = commit(write, &placed_upload)?;
        let object = Blobs::object_in_bucket(&placed_upload.blob);
        if let (CommitOutcome::Committed(_), Some(object)) = (&outcome, object) {
            write.add_job(INVENTORY, &object.to_string())?;
        }
        Ok(outcome)
    });
    let written = written.await;
    faults::point("committed");
    match written {
        Ok(CommitOutcome::Committed(made)) => {
            blobs.settle(placed).await;
            Ok(CommitAttempt::Committed(made))
        }
        Ok(CommitOutcome::Relocate(location)) => {
            let staged = blobs.reclaim(placed).await;
            Ok(CommitAttempt::Displaced(
                staged.map_err(|error| Refusal::disk(&error))?,
                location,
            ))
        }
        Err(Refusal::Database(error @ (DbError::Uncertain(_) | DbError::Closed))) => {
            // The next start finds out whether the commit is on disk.
            tracing::error!(%error, blob = placed.blob, "an upload was not committed");
            Err(Refusal::Database(error))
        }
        Err(refusal) => {
            blobs.discard(placed).await;
            Err(refusal)
        }
    }
}

fn sign(repository: &Repository, version: i64, author: &Author) -> Result<Signature, DbError> {
    let (uid, at) = (author.uid, author.at);
    let made = repository
        .db
        .read_here(|read| signature(read, version, uid, at));
    let signature = made?;
    Ok(match &author.log {
        Some(message) => Signature {
            message: message.clone(),
            ..signature
        },
        None => signature,
    })
}

async fn inspect_staged(staged: &StagedBlob, target: &UploadTarget) -> Result<Facts, Refusal> {
    let bytes = staged.reader().map_err(|error| Refusal::disk(&error))?;
    let bundle = target.bundle.clone();
    let looking = tokio::task::spawn_blocking(move || inspect(&bundle, bytes));
    Ok(looking.await.unwrap_or_default())
}
