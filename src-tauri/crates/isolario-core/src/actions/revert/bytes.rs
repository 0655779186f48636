//! Former bytes that become the current ones of their file again: the same steps as an upload's.

use std::sync::Arc;

use crate::actions::ingest::{
    CommitOutcome, PlacedUpload, UploadTarget, location_after, place_and_commit,
};
use crate::actions::patch_entity::{PreparedUpdate, known_bundle, make};
use crate::actions::relocate::{retire, wherever};
use crate::actions::upload_media::permit_shared;
use crate::actions::{Author, Precondition, Refusal};
use crate::repository::Repository;
use isolario_blobs::{Algorithm, BlobLocation, StagedBlob};
use isolario_db::Write;
use isolario_model::content::{Entity, EntityKind, FileRecord};
use isolario_model::policy::{Actor, Operation, PermittedChange, permit};

/// One file of a media, and what else changes with it.
pub struct FileRevert {
    /// The file at the version whose bytes are wanted back.
    pub former: FileRecord,
    pub change: PreparedUpdate,
    pub actor: Actor,
    pub author: Author,
}

/// Makes former bytes a new version of their file, and writes the change of the media with it.
///
/// # Errors
/// As `revert`.
pub async fn bring_back(
    repository: &Arc<Repository>,
    media: &Entity,
    step: FileRevert,
    expected: Precondition,
) -> Result<Entity, Refusal> {
    let model = repository.model();
    let (mid, fid) = (media.id, step.former.fid);
    let target = UploadTarget {
        location: location(repository, fid).await?,
        bundle: Arc::new(known_bundle(&model, media)?.clone()),
        mime: step.former.mime.clone(),
        author: step.author.clone(),
    };
    let staged = stage_former(repository, &step.former).await;
    let staged = staged.map_err(|error| Refusal::disk(&error))?;
    place_and_commit(
        repository.clone(),
        staged,
        target,
        move |write, placed_upload| {
            let media = write.entity(EntityKind::Media, mid)?;
            let media = media.ok_or_else(|| gone(EntityKind::Media, mid))?;
            let permitted = permit(
                &step.actor,
                Operation::Revert,
                &write.subject(&step.actor, &media)?,
            )?;
            expected.refuse_lost_race(&media)?;
            let file = write.file(fid)?;
            let file = file.ok_or_else(|| gone(EntityKind::File, fid))?;
            let permitted_bytes = permit_shared(write, &step.actor, &permitted, &file)?;
            if let Some(location) = placed_upload.moved_for(&file)? {
                return Ok(CommitOutcome::Relocate(location));
            }
            renew(write, &permitted_bytes, &file, placed_upload, &step.author)?;
            let media = make(
                write,
                &permitted,
                &model,
                media,
                &step.change,
                (&step.actor, &step.author),
            )?;
            Ok(CommitOutcome::Committed(media))
        },
    )
    .await
}

/// Makes placed bytes the newest version of a file.
///
/// # Errors
/// What the database refuses.
pub(in crate::actions) fn renew<'t>(
    write: &mut Write<'t>,
    permitted_bytes: &PermittedChange<'t>,
    file: &FileRecord,
    placed_upload: &PlacedUpload,
    author: &Author,
) -> Result<(), Refusal> {
    let version = placed_upload.version(author);
    write.add_file_version(permitted_bytes, file.fid, &version)?;
    Ok(retire(write, permitted_bytes, file)?)
}

/// Where the next bytes of a file go.
///
/// # Errors
/// `NotFound` where the file is gone.
pub(in crate::actions) async fn location(
    repository: &Repository,
    fid: i64,
) -> Result<BlobLocation, Refusal> {
    let file = repository.db.read(move |read| read.file(fid)).await?;
    location_after(&file.ok_or_else(|| gone(EntityKind::File, fid))?)
}

/// Stages the bytes that a file had at a version, with the checksums that are kept of it.
///
/// # Errors
/// `NotFound` where they are lost, `InvalidData` where they are damaged; what the disk refuses.
pub(in crate::actions) async fn stage_former(
    repository: &Repository,
    former: &FileRecord,
) -> std::io::Result<StagedBlob> {
    let asked: Vec<Algorithm> = [
        (Algorithm::Sha256, &former.sha256),
        (Algorithm::Md5, &former.md5),
    ]
    .into_iter()
    .filter_map(|(algorithm, known)| known.is_some().then_some(algorithm))
    .collect();
    let (blobs, sha512, asked) = (&repository.blobs, &former.sha512, &asked);
    let take = |blob: String| async move { blobs.stage_again(&blob, sha512, asked).await };
    wherever(&repository.db, former, take).await
}

fn gone(kind: EntityKind, id: i64) -> Refusal {
    Refusal::NotFound { kind, id }
}
