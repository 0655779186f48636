//! The end of an upload that came in parts: from here on it is an upload like any other.

use std::sync::Arc;

use super::append::Stage;
use super::{Finished, Halt, Request, forget, read, remove_bytes, storage, written};
use crate::actions::arrival::{as_of_now, refuse_other_bytes};
use crate::actions::upload_media::{self, Uploaded};
use crate::actions::{Author, Refusal};
use crate::auth::Actor;
use crate::blobs::Sums;
use crate::db::UploadRecord;
use crate::repository::{Door, Repository};

/// An upload whose last part is on disk.
pub(super) struct Outcome {
    pub upload: UploadRecord,
    pub request: Request,
    pub sums: Sums,
}

/// Makes the bytes what they were meant for. When that is refused, the upload is over; when the disk or
/// the database fails, it stays, and the last part can be sent again without bytes.
pub(super) async fn finish(
    repository: &Arc<Repository>,
    actor: &Actor,
    door: Door,
    outcome: Outcome,
) -> Result<Finished, Halt> {
    let id = outcome.upload.id;
    let request = outcome.request.clone();
    match upload(repository, actor, door, outcome).await {
        Ok(uploaded) => {
            repository.uploading.forget(id);
            remove_bytes(repository, id).await;
            Ok(Finished { uploaded, request })
        }
        Err(refusal @ (Refusal::Storage(_) | Refusal::Database(_))) => Err(Halt::Refused(refusal)),
        Err(refusal) => {
            forget(repository, id).await?;
            Err(Halt::Final(Box::new(request.upload.destination), refusal))
        }
    }
}

async fn upload(
    repository: &Arc<Repository>,
    actor: &Actor,
    door: Door,
    outcome: Outcome,
) -> Result<Uploaded, Refusal> {
    let Outcome {
        upload,
        request,
        sums,
    } = outcome;
    // Much may have changed since it began: who may do what, and what is there.
    let actor = as_of_now(repository, actor).await?;
    let author = Author::new(&actor, door);
    let at = author.at;
    let admission = upload_media::admit(repository, &actor, author, request.upload).await?;
    let staged = repository
        .blobs
        .stage_partial(upload.id, upload.received, sums);
    let staged = staged.await.map_err(storage)?;
    refuse_other_bytes(&staged, &request.promised)?;
    upload_media::keep_staged(repository, admission, staged, move |write, uploaded| {
        // In the same transaction: an answer that is lost can be given again.
        write.set_upload_outcome(upload.id, &written(uploaded)?, at)?;
        Ok(())
    })
    .await
}

/// Gives the last answer again to somebody who did not hear it.
pub(super) fn replay(upload: &UploadRecord, outcome: &str, complete: bool) -> Result<Stage, Halt> {
    if !complete {
        let received = upload.received;
        return Err(Halt::Complete { received });
    }
    Ok(Stage::Over(Box::new(Finished {
        uploaded: read(outcome)?,
        request: read(&upload.request)?,
    })))
}
