//! Appends a part to a resumable upload.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::finish::{CompleteUpload, finish, replay};
use super::{PartOutcome, UploadHalt, UploadProgress, UploadRequest, find, forget, read};
use crate::actions::Refusal;
use crate::actions::ingest::unfit;
use crate::repository::Repository;
use crate::repository::UploadLock;
use isolario_blobs::{Append, AppendResult, Checksum, StageError};
use isolario_db::UploadRecord;
use isolario_disk::faults;
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// A part that arrives.
pub struct UploadPart<S> {
    pub id: Uuid,
    /// Bytes of the upload before this part.
    pub offset: u64,
    /// Whether it is the last one.
    pub complete: bool,
    /// Bytes of the whole upload, if the client says so.
    pub length: Option<u64>,
    /// Bytes of the part, if the client says so.
    pub declared: Option<u64>,
    /// What the sender says of the part alone.
    pub promised: Vec<Checksum>,
    pub chunks: S,
}

impl UploadPart<()> {
    /// With its bytes.
    pub fn with<S>(self, chunks: S) -> UploadPart<S> {
        UploadPart {
            id: self.id,
            offset: self.offset,
            complete: self.complete,
            length: self.length,
            declared: self.declared,
            promised: self.promised,
            chunks,
        }
    }
}

/// Appends a part. The last part finishes the upload. The bytes that have arrived are kept, even if the client
/// disconnects.
///
/// # Errors
/// See `UploadHalt`.
pub async fn append<S, E>(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    part: UploadPart<S>,
) -> Result<PartOutcome, UploadHalt>
where
    S: Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
    E: Display + 'static,
{
    find(repository, actor, part.id).await?;
    let gone = CancellationToken::new();
    let _guard = gone.clone().drop_guard();
    let (repository, actor) = (repository.clone(), actor.clone());
    let whole = tokio::spawn(async move {
        let turn = repository.uploading.take(part.id).await;
        let session = AppendSession {
            repository,
            actor,
            origin,
            turn,
            gone,
        };
        session.append(part).await
    });
    whole.await.unwrap_or_else(|error| {
        Err(UploadHalt::Refused(Refusal::Storage(format!(
            "The part could not be kept: {error}."
        ))))
    })
}

/// A request that continues an upload and holds its lock.
struct AppendSession {
    repository: Arc<Repository>,
    actor: Actor,
    origin: Origin,
    turn: UploadLock,
    /// Cancelled when the client has disconnected.
    gone: CancellationToken,
}

impl AppendSession {
    async fn append<S, E>(mut self, part: UploadPart<S>) -> Result<PartOutcome, UploadHalt>
    where
        S: Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
        E: Display + 'static,
    {
        let upload = find(&self.repository, &self.actor, part.id).await?;
        refuse_elsewhere(&upload, &part)?;
        if let Some(outcome) = &upload.outcome {
            return replay(&upload, outcome, part.complete);
        }
        let length = agreed_length(&upload, &part)?;
        let request: UploadRequest = read(&upload.request)?;
        self.restore(&upload).await?;
        let (complete, promised) = (part.complete, part.promised.clone());
        let received = self.receive(&upload, &request, part, length).await?;
        // After its last byte no more may come, whether or not its sender said how many there are.
        let ended = complete && received.broken.is_none();
        let length = length.or(ended.then_some(upload.received + received.size));
        faults::point("appended");
        let upload = self.note(upload, &received, &promised, length).await?;
        self.turn
            .carried
            .replace((upload.received, received.sums.clone()));
        if !complete {
            return Ok(PartOutcome::On(UploadProgress::of(&upload)));
        }
        if length.is_some_and(|length| length != upload.received) {
            return Err(UploadHalt::Length);
        }
        let outcome = CompleteUpload {
            upload,
            request,
            sums: received.sums,
        };
        let finished = finish(&self.repository, &self.actor, self.origin, outcome).await?;
        Ok(PartOutcome::Over(Box::new(finished)))
    }

    /// Fetches what was acknowledged from the bucket, if this disk has lost it.
    async fn restore(&self, upload: &UploadRecord) -> Result<(), UploadHalt> {
        let (db, id, received) = (&self.repository.db, upload.id, upload.received);
        let pieces = db.read(move |read| read.upload_pieces(id)).await?;
        let restored = self.repository.blobs.restore_partial(id, received, &pieces);
        match restored.await {
            Ok(()) => Ok(()),
            Err(error) => Err(self.lost(id, error).await),
        }
    }

    /// Appends the bytes of a part to the stored ones, and syncs them.
    async fn receive<S, E>(
        &self,
        upload: &UploadRecord,
        request: &UploadRequest,
        part: UploadPart<S>,
        length: Option<u64>,
    ) -> Result<AppendResult, UploadHalt>
    where
        S: Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
        E: Display + 'static,
    {
        let carried = self.turn.carried.as_ref();
        let promised = request.promised.iter().map(|promise| promise.algorithm);
        let append = Append {
            id: part.id,
            offset: part.offset,
            declared: part.declared,
            sums: carried
                .filter(|(size, _)| *size == part.offset)
                .map(|(_, sums)| sums.clone()),
            asked: promised.chain(request.wanted).collect(),
            of_part: part
                .promised
                .iter()
                .map(|promise| promise.algorithm)
                .collect(),
        };
        let too_long = Arc::new(AtomicBool::new(false));
        let left = length.map(|length| length - part.offset);
        let chunks = part
            .chunks
            .map(|chunk| chunk.map_err(|error| error.to_string()));
        let chunks = no_longer_than(left, too_long.clone(), chunks);
        let chunks = Box::pin(chunks.take_until(Box::pin(self.ended())));
        let appended = self.repository.blobs.append(append, chunks).await;
        let mut appended = match appended {
            Ok(appended) => appended,
            Err(StageError::Disk(error)) => return Err(self.lost(upload.id, error).await),
            Err(excess) => return Err(UploadHalt::Refused(unfit(excess, "Nothing was appended."))),
        };
        if let Some(excess @ StageError::TooLarge { .. }) = appended
            .broken
            .take_if(|broken| matches!(broken, StageError::TooLarge { .. }))
        {
            forget(&self.repository, upload.id).await?;
            return Err(UploadHalt::Refused(unfit(excess, "The upload is over.")));
        }
        if too_long.load(Ordering::Relaxed) {
            // Bytes beyond the end belong to another file than was announced.
            forget(&self.repository, upload.id).await?;
            return Err(UploadHalt::Length);
        }
        self.look_for_breaks(&mut appended, part.declared);
        Ok(appended)
    }

    /// Returns when this part must end: the client has disconnected or sends a newer request, or the program closes.
    fn ended(&self) -> impl Future<Output = ()> + Send + 'static {
        let (gone, superseded) = (self.gone.clone(), self.turn.superseded.clone());
        let closing = self.repository.closing.clone();
        async move {
            tokio::select! {
                () = gone.cancelled() => {}
                () = superseded.cancelled() => {}
                () = closing.cancelled() => {}
            }
        }
    }

    /// A body that was ended from here looks whole.
    fn look_for_breaks(&self, appended: &mut AppendResult, declared: Option<u64>) {
        let ended = self.gone.is_cancelled()
            || self.turn.superseded.is_cancelled()
            || self.repository.closing.is_cancelled();
        let is_whole = match declared {
            Some(declared) => declared == appended.size,
            None => !ended,
        };
        if !is_whole && appended.broken.is_none() {
            appended.broken = Some(StageError::Broken("the connection was given up".into()));
        }
    }

    /// Ends an upload whose acknowledged bytes are lost.
    async fn lost(&self, id: Uuid, error: std::io::Error) -> UploadHalt {
        use std::io::ErrorKind::{NotFound, UnexpectedEof};
        if !matches!(error.kind(), NotFound | UnexpectedEof) {
            return UploadHalt::Refused(Refusal::disk(&error));
        }
        tracing::error!(%error, %id, "bytes of an upload are lost");
        if let Err(refusal) = forget(&self.repository, id).await {
            return UploadHalt::Refused(refusal);
        }
        UploadHalt::Refused(Refusal::Missing(
            "The bytes of this upload are lost. Begin it again.".into(),
        ))
    }

    /// Stores how many bytes the upload has. A part with a checksum counts only if it is complete and correct.
    async fn note(
        &mut self,
        upload: UploadRecord,
        received: &AppendResult,
        promised: &[Checksum],
        length: Option<u64>,
    ) -> Result<UploadRecord, UploadHalt> {
        let before = upload.received;
        let unchecked = received.broken.is_some() && !promised.is_empty();
        if received.broken.is_none() && promised != received.of_part {
            return Err(UploadHalt::Refused(Refusal::Malformed(
                "The bytes that arrived have another digest than was sent with them. Nothing was appended.".into(),
            )));
        }
        let upload = UploadRecord {
            received: if unchecked {
                before
            } else {
                before + received.size
            },
            length,
            touched: chrono::Utc::now().timestamp(),
            ..upload
        };
        let (id, size, at) = (upload.id, upload.received, upload.touched);
        let pieces = received.pieces.clone();
        let noted = self.repository.db.write(move |write| {
            if size > before {
                write.set_upload_pieces(id, before, &pieces)?;
            }
            write.set_upload_received(id, size, length, at)
        });
        noted.await?;
        let Some(broken) = &received.broken else {
            return Ok(upload);
        };
        if !unchecked {
            self.turn.carried.replace((size, received.sums.clone()));
        }
        Err(match self.turn.superseded.is_cancelled() {
            true => UploadHalt::Superseded { received: size },
            false => UploadHalt::Broken {
                why: broken.to_string(),
                received: size,
            },
        })
    }
}

fn refuse_elsewhere<S>(upload: &UploadRecord, part: &UploadPart<S>) -> Result<(), UploadHalt> {
    let (expected, provided) = (upload.received, part.offset);
    match expected == provided {
        true => Ok(()),
        false => Err(UploadHalt::Offset { expected, provided }),
    }
}

/// The length of the whole upload, if all statements about it agree.
fn agreed_length<S>(
    upload: &UploadRecord,
    part: &UploadPart<S>,
) -> Result<Option<u64>, UploadHalt> {
    let end = part.declared.map(|size| part.offset.saturating_add(size));
    let said = [upload.length, part.length, end.filter(|_| part.complete)];
    let mut said = said.into_iter().flatten();
    let length = said.next();
    let agrees = said.all(|other| Some(other) == length);
    let reaches_beyond = length.is_some_and(|length| end.unwrap_or(part.offset) > length);
    match agrees && !reaches_beyond {
        true => Ok(length),
        false => Err(UploadHalt::Length),
    }
}

/// Breaks off a body that is longer than the rest of the upload, with an error.
fn no_longer_than(
    longest: Option<u64>,
    too_long: Arc<AtomicBool>,
    chunks: impl Stream<Item = Result<Bytes, String>> + Send + 'static,
) -> impl Stream<Item = Result<Bytes, String>> + Send + 'static {
    let mut size = 0;
    chunks.map(move |chunk| {
        let chunk = chunk?;
        size += chunk.len() as u64;
        if longest.is_some_and(|longest| size > longest) {
            too_long.store(true, Ordering::Relaxed);
            return Err("it is longer than was announced".into());
        }
        Ok(chunk)
    })
}
