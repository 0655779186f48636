//! Former bytes that become the current ones of their file again: the same steps as an upload's.

use std::sync::Arc;

use crate::actions::arrival::{Berth, Home, Kept, keep, storage};
use crate::actions::relocate::{retire, wherever};
use crate::actions::update_entity::{Change, known_bundle, make};
use crate::actions::upload_media::permit_shared;
use crate::actions::{Author, Expected, Refusal};
use crate::auth::Actor;
use crate::blobs::{Algorithm, Staged};
use crate::content::{Entity, EntityKind, FileRecord};
use crate::repository::Repository;

/// One file of a media, and what else changes with it.
pub struct Step {
    /// The file at the version whose bytes are wanted back.
    pub former: FileRecord,
    pub change: Change,
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
    step: Step,
    expected: Expected,
) -> Result<Entity, Refusal> {
    let model = repository.model.clone();
    let (mid, fid) = (media.id, step.former.fid);
    let berth = Berth {
        home: home(repository, fid).await?,
        bundle: Arc::new(known_bundle(&model, media)?.clone()),
        mime: step.former.mime.clone(),
        author: step.author.clone(),
    };
    let staged = stage(repository, &step.former).await?;
    keep(repository.clone(), staged, berth, move |write, arrival| {
        let media = write.entity(EntityKind::Media, mid)?;
        let media = media.ok_or_else(|| gone(EntityKind::Media, mid))?;
        expected.refuse_lost_race(&media)?;
        permit_shared(write, &step.actor, mid, fid)?;
        let file = write.file(fid)?;
        let file = file.ok_or_else(|| gone(EntityKind::File, fid))?;
        if let Some(home) = arrival.moved_for(&file)? {
            return Ok(Kept::Elsewhere(home));
        }
        write.add_file_version(fid, &arrival.version(&step.author))?;
        retire(write, fid, file.version)?;
        let media = make(write, &model, media, &step.change, &step.author)?;
        Ok(Kept::Known(media))
    })
    .await
}

async fn home(repository: &Repository, fid: i64) -> Result<Home, Refusal> {
    let file = repository.db.read(move |read| read.file(fid)).await?;
    Home::after(&file.ok_or_else(|| gone(EntityKind::File, fid))?)
}

async fn stage(repository: &Repository, former: &FileRecord) -> Result<Staged, Refusal> {
    let asked: Vec<Algorithm> = [
        (Algorithm::Sha256, &former.sha256),
        (Algorithm::Md5, &former.md5),
    ]
    .into_iter()
    .filter_map(|(algorithm, known)| known.is_some().then_some(algorithm))
    .collect();
    let (blobs, sha512, asked) = (&repository.blobs, &former.sha512, &asked);
    let take = |blob: String| async move { blobs.stage_again(&blob, sha512, asked).await };
    let staged = wherever(&repository.db, former, take).await;
    staged.map_err(|error| storage(&error))
}

fn gone(kind: EntityKind, id: i64) -> Refusal {
    Refusal::NotFound { kind, id }
}
