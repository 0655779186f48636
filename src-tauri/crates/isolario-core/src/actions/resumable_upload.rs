//! Uploads that come in parts and survive broken connections and restarts of the program. At their
//! end stands the same action as for those that come at once.

mod append;
mod begin;
mod expiry;
mod finish;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Refusal;
use super::upload_media::{Destination, Upload, UploadResult};
use super::write_with_reserve::write_with_reserve;
use crate::repository::Repository;
pub use append::{UploadPart, append};
pub use begin::{FirstPart, begin};
pub use expiry::{EVERY, clear_up, expire_now_and_then};
use isolario_blobs::{Algorithm, Checksum};
use isolario_db::{UploadRecord, Write};
use isolario_model::policy::{Actor, Denial};

/// How long an upload waits for its next part. Seconds.
pub const LIFETIME: i64 = 7 * 24 * 60 * 60;
/// How many uploads one user may leave unfinished.
const MOST_UNFINISHED: i64 = 100;

/// What is to become of bytes that come in parts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UploadRequest {
    pub upload: Upload,
    /// What the sender says of the whole.
    pub promised: Vec<Checksum>,
    /// A checksum that is to be made besides, and told.
    pub wanted: Option<Algorithm>,
    /// Whether the sender writes addresses percent-encoded.
    pub percent_encoded: bool,
}

/// How far an upload has come.
#[derive(Debug, Clone)]
pub struct UploadProgress {
    pub id: Uuid,
    /// Bytes on disk.
    pub received: u64,
    /// Bytes of the whole, where the sender said.
    pub length: Option<u64>,
    /// Whether the bytes have become what they were meant for.
    pub complete: bool,
    /// Seconds for which it will wait for the next part.
    pub lifetime: i64,
}

/// Why an upload does not go on.
#[derive(Debug)]
pub enum UploadHalt {
    /// Nothing was appended. The upload, where there is one, is as it was.
    Refused(Refusal),
    /// The part belongs elsewhere.
    Offset { expected: u64, provided: u64 },
    /// The part disagrees with what was said about the length of the whole.
    Length,
    /// The body of the part broke off; what came is kept as far as it could be checked.
    Broken { why: String, received: u64 },
    /// A newer request for the same upload took its turn. What had come is kept.
    Superseded { received: u64 },
    /// The bytes became already what they were meant for.
    Complete { received: u64 },
    /// The bytes came whole, and are refused as if they had come at once. The upload is over.
    Final(Box<Destination>, Refusal),
}

impl<R: Into<Refusal>> From<R> for UploadHalt {
    fn from(refusal: R) -> UploadHalt {
        UploadHalt::Refused(refusal.into())
    }
}

/// An upload whose bytes have become what they were meant for.
#[derive(Debug, Clone)]
pub struct FinishedUpload {
    pub uploaded: UploadResult,
    pub request: UploadRequest,
}

/// The outcome of a part.
#[derive(Debug)]
pub enum PartOutcome {
    /// It is on disk, and more may come.
    On(UploadProgress),
    /// It was the last one.
    Over(Box<FinishedUpload>),
}

/// How far an upload has come. A part that is on its way is broken off: whoever asks has lost it.
///
/// # Errors
/// `Denied` or `Missing` for anybody but the one who began it.
pub async fn progress(
    repository: &Repository,
    actor: &Actor,
    id: Uuid,
) -> Result<UploadProgress, Refusal> {
    find(repository, actor, id).await?;
    let _turn = repository.uploading.take(id).await;
    let upload = find(repository, actor, id).await?;
    Ok(UploadProgress::of(&upload))
}

impl UploadProgress {
    fn of(upload: &UploadRecord) -> UploadProgress {
        let now = chrono::Utc::now().timestamp();
        UploadProgress {
            id: upload.id,
            received: upload.received,
            length: upload.length,
            complete: upload.outcome.is_some(),
            lifetime: (upload.touched + LIFETIME - now).max(0),
        }
    }
}

/// Gives an upload up; its bytes go.
///
/// # Errors
/// `Denied` or `Missing` for anybody but the one who began it.
pub async fn give_up(repository: &Repository, actor: &Actor, id: Uuid) -> Result<(), Refusal> {
    find(repository, actor, id).await?;
    let _turn = repository.uploading.take(id).await;
    find(repository, actor, id).await?;
    forget(repository, id).await
}

/// The upload of that id, for the one who began it.
async fn find(repository: &Repository, actor: &Actor, id: Uuid) -> Result<UploadRecord, Refusal> {
    let upload = repository.db.read(move |read| read.upload(id)).await?;
    match upload {
        Some(upload) if actor.owns(upload.uid) => Ok(upload),
        Some(_) if actor.is_anonymous() => Err(Denial::new("Sign in to go on.").into()),
        _ => Err(Refusal::Missing(
            "There is no such upload. It may have expired, or be somebody else's.".into(),
        )),
    }
}

/// Removes an upload and its bytes. The row goes first: bytes without one are cleared up at the start.
async fn forget(repository: &Repository, id: Uuid) -> Result<(), Refusal> {
    let change = move |write: &mut Write<'_>| Ok(write.delete_upload(id)?);
    write_with_reserve(repository, change).await?;
    repository.uploading.forget(id);
    remove_bytes(repository, id).await;
    Ok(())
}

async fn remove_bytes(repository: &Repository, id: Uuid) {
    if let Err(error) = repository.blobs.remove_partial(id).await {
        tracing::warn!(%error, %id, "the bytes of an upload are removed at the next start");
    }
}

fn written(thing: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(thing)
        .map_err(|error| Refusal::Storage(format!("The upload cannot be noted: {error}.")))
}

fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, Refusal> {
    serde_json::from_str(text)
        .map_err(|error| Refusal::Storage(format!("The upload cannot be gone on with: {error}.")))
}
