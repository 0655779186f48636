//! Finishes a resumable upload with the action of a single upload.

use std::sync::Arc;

use super::{
    FinishedUpload, PartOutcome, UploadHalt, UploadRequest, forget, read, remove_bytes, written,
};
use crate::actions::ingest::{as_of_now, refuse_other_bytes};
use crate::actions::upload_media::{self, UploadResult};
use crate::actions::{Author, Refusal};
use crate::repository::Repository;
use isolario_blobs::Sums;
use isolario_db::UploadRecord;
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// An upload whose last part is on disk.
pub(super) struct CompleteUpload {
    pub upload: UploadRecord,
    pub request: UploadRequest,
    pub sums: Sums,
}

/// Makes the bytes the file of their media. A refusal ends the upload. When the disk or the database fails, the upload
/// stays, and the client can send the last part again without bytes.
pub(super) async fn finish(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    outcome: CompleteUpload,
) -> Result<FinishedUpload, UploadHalt> {
    let id = outcome.upload.id;
    let request = outcome.request.clone();
    match upload(repository, actor, origin, outcome).await {
        Ok(uploaded) => {
            repository.uploading.forget(id);
            remove_bytes(repository, id).await;
            Ok(FinishedUpload { uploaded, request })
        }
        Err(refusal @ (Refusal::Disk(_) | Refusal::Storage(_) | Refusal::Database(_))) => {
            Err(UploadHalt::Refused(refusal))
        }
        Err(refusal) => {
            forget(repository, id).await?;
            Err(UploadHalt::Final(
                Box::new(request.upload.destination),
                refusal,
            ))
        }
    }
}

async fn upload(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    outcome: CompleteUpload,
) -> Result<UploadResult, Refusal> {
    let CompleteUpload {
        upload,
        request,
        sums,
    } = outcome;
    // Much may have changed since it began: who may do what, and what is there.
    let actor = as_of_now(repository, actor).await?;
    let author = Author::new(&actor, origin);
    let at = author.at;
    let admission = upload_media::admit(repository, &actor, author, request.upload)?;
    let staged = repository
        .blobs
        .stage_partial(upload.id, upload.received, sums);
    let staged = staged.await.map_err(|error| Refusal::disk(&error))?;
    refuse_other_bytes(&staged, &request.promised)?;
    upload_media::commit_staged(repository, admission, staged, move |write, uploaded| {
        // In the same transaction: an answer that is lost can be given again.
        write.set_upload_outcome(upload.id, &written(uploaded)?, at)?;
        Ok(())
    })
    .await
}

/// Repeats the last response for a client that did not receive it.
pub(super) fn replay(
    upload: &UploadRecord,
    outcome: &str,
    complete: bool,
) -> Result<PartOutcome, UploadHalt> {
    if !complete {
        let received = upload.received;
        return Err(UploadHalt::Complete { received });
    }
    Ok(PartOutcome::Over(Box::new(FinishedUpload {
        uploaded: read(outcome)?,
        request: read(&upload.request)?,
    })))
}
