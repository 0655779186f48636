//! Begins a resumable upload: asks the policy, adds its row, and receives its first bytes.

use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::Stream;
use uuid::Uuid;

use super::{
    MOST_UNFINISHED, PartOutcome, UploadHalt, UploadPart, UploadRequest, append, give_up,
    remove_bytes, written,
};
use crate::actions::upload_media;
use crate::actions::{Author, Refusal};
use crate::repository::Repository;
use isolario_blobs::Checksum;
use isolario_db::{Read, UploadRecord};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// The bytes that come with the request that begins an upload. There may be none.
pub struct FirstPart<S> {
    /// Bytes of the whole, where the sender says.
    pub length: Option<u64>,
    /// Bytes of this part, where the sender says.
    pub declared: Option<u64>,
    /// What the sender says of this part alone.
    pub promised: Vec<Checksum>,
    pub chunks: S,
}

/// Begins an upload. It refuses what can be refused without the body; the end of the upload checks this again. An
/// upload whose first part breaks off is removed, because the client does not know its address and cannot continue it.
///
/// # Errors
/// As `upload_media::admit` and `append`; `TooMany` for an actor with too many unfinished uploads.
pub async fn begin<S, E>(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    request: UploadRequest,
    first: FirstPart<S>,
) -> Result<(Uuid, PartOutcome), UploadHalt>
where
    S: Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
    E: Display + 'static,
{
    let id = note(repository, actor, origin, request, first.length).await?;
    let part = UploadPart {
        id,
        offset: 0,
        complete: false,
        length: first.length,
        declared: first.declared,
        promised: first.promised,
        chunks: first.chunks,
    };
    let (repository, actor) = (repository.clone(), actor.clone());
    // Whoever sends may go away; what is left then has to be removed all the same.
    let taken = tokio::spawn(async move {
        match append(&repository, &actor, origin, part).await {
            Ok(stage) => Ok((id, stage)),
            Err(halt) => match give_up(&repository, &actor, id).await {
                Ok(()) | Err(Refusal::Missing(_)) => Err(halt),
                Err(refusal) => Err(refusal.into()),
            },
        }
    });
    taken.await.unwrap_or_else(|error| {
        let words = format!("The upload could not be begun: {error}.");
        Err(Refusal::Storage(words).into())
    })
}

/// Adds the row of an admitted upload, and the file for its bytes.
async fn note(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    request: UploadRequest,
    length: Option<u64>,
) -> Result<Uuid, Refusal> {
    let author = Author::new(actor, origin);
    let at = author.at;
    upload_media::admit(repository, actor, author, request.upload.clone())?;
    let uid = actor.uid;
    let many = move |read: &Read<'_>| refuse_too_many(read, uid);
    repository.db.read(many).await?;
    let upload = UploadRecord {
        id: Uuid::new_v4(),
        uid: actor.uid,
        request: written(&request)?,
        received: 0,
        length,
        touched: at,
        outcome: None,
    };
    let id = upload.id;
    let begun = repository.blobs.begin_partial(id).await;
    begun.map_err(|error| Refusal::disk(&error))?;
    let inserted = repository.db.write(move |write| {
        // While the place was made, others may have been begun.
        refuse_too_many(write, upload.uid)?;
        Ok::<_, Refusal>(write.insert_upload(&upload)?)
    });
    if let Err(error) = inserted.await {
        remove_bytes(repository, id).await;
        return Err(error);
    }
    Ok(id)
}

fn refuse_too_many(read: &Read<'_>, uid: i64) -> Result<(), Refusal> {
    match read.count_unfinished_uploads(uid)? < MOST_UNFINISHED {
        true => Ok(()),
        false => Err(Refusal::TooMany(format!(
            "{MOST_UNFINISHED} uploads are unfinished. Finish or delete one of them first."
        ))),
    }
}
