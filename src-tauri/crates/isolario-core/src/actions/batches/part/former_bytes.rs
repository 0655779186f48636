//! Brings back the bytes that an import has replaced, when that is taken back.

use std::io;
use std::sync::Arc;

use super::super::super::account_rules::as_of_now;
use super::super::super::ingest::{CommitOutcome, PlacedUpload, UploadTarget, place_and_commit};
use super::super::super::patch_entity::{PreparedUpdate, known_bundle, make};
use super::super::super::revert::{location, renew, stage_former};
use super::super::super::upload_media::permit_shared;
use super::super::super::{Author, Refusal};
use super::super::company::Company;
use super::super::item_work::{ItemVerdict, Judge};
use super::{Part, author_of};
use crate::repository::Repository;
use isolario_blobs::StagedBlob;
use isolario_db::{BatchItem, BatchItemState, Read, Write};
use isolario_model::content::{Entity, EntityKind, FileRecord, picture_adjustment};
use isolario_model::policy::{Operation, permit};

/// The file of a media whose bytes a change has replaced, at the version before; `None` where it has these bytes.
///
/// # Errors
/// `Lost` where somebody has replaced them since; `Missing` where the former version is not known any more.
pub fn replaced_file(read: &Read<'_>, row: &BatchItem) -> Result<Option<FileRecord>, Refusal> {
    let Some((before, after)) = row.revisions else {
        return Ok(None);
    };
    let is_changed = row.kind == EntityKind::Media && row.parts.is_none();
    if !is_changed || read.entity(row.kind, row.id)?.is_none() {
        return Ok(None);
    }
    let then = read.files_of_revision(after)?;
    for (fid, version) in read.files_of_revision(before)? {
        let left = then.iter().find(|(file, _)| *file == fid);
        let (Some((_, left)), Some(now)) = (left, read.file(fid)?) else {
            continue;
        };
        if *left == version {
            continue;
        }
        let gone = || Refusal::Missing("Its former file is not known any more.".into());
        let former = read.file_at_version(fid, version)?.ok_or_else(gone)?;
        let left = read.file_at_version(fid, *left)?;
        if former.sha512 == now.sha512 {
            continue;
        }
        if left.is_none_or(|left| left.sha512 != now.sha512) {
            let words = "Somebody has replaced its file since. Their file was kept.";
            return Err(Refusal::Lost(words.into()));
        }
        return Ok(Some(former));
    }
    Ok(None)
}

/// Changes the next row of a batch, a media, and makes former bytes a new version of its file in the same transaction.
/// Where that cannot be, the row says why. Returns whether more rows are left.
///
/// # Errors
/// What ends the batch.
pub async fn bring_back(
    repository: &Arc<Repository>,
    part: Part,
    former: Result<Box<FileRecord>, String>,
) -> Result<bool, Refusal> {
    let brought = match former {
        Ok(former) => match stage_former(repository, &former).await {
            Ok(staged) => store(repository, part.clone(), *former, staged).await,
            Err(error) => Err(lost(&error)),
        },
        Err(words) => Err(Refusal::Lost(words)),
    };
    match brought {
        Err(refusal) if refusal.is_of_one() => {
            let words = refusal.to_string();
            let note = move |write: &mut Write<'_>| {
                part.take(write, 1, |_, _, row| {
                    (row.revisions, row.parts) = (None, None);
                    (row.state, row.message) = (BatchItemState::Refused, Some(words.clone()));
                    Ok(())
                })
            };
            repository.db.write(note).await
        }
        brought => brought,
    }
}

/// The refusal of bytes that cannot be read. Those that are gone concern one file; a fault of the disk, all.
fn lost(error: &io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound => {
            Refusal::Missing("The former bytes of its file are gone.".into())
        }
        io::ErrorKind::InvalidData => {
            Refusal::Missing("The former bytes of its file are damaged.".into())
        }
        _ => Refusal::disk(error),
    }
}

async fn store(
    repository: &Arc<Repository>,
    part: Part,
    former: FileRecord,
    staged: StagedBlob,
) -> Result<bool, Refusal> {
    let batch = part.batch;
    let ask = move |read: &Read<'_>| {
        let media = read
            .media_using_file(former.fid)?
            .first()
            .map(|media| media.id);
        let media = media
            .map(|mid| read.entity(EntityKind::Media, mid))
            .transpose()?;
        Ok::<_, Refusal>((read.batch(batch)?, media.flatten(), former))
    };
    let (Some(batch), Some(media), former) = repository.db.read(ask).await? else {
        return Err(Refusal::Missing("Its file is in the trash.".into()));
    };
    let target = UploadTarget {
        location: location(repository, former.fid).await?,
        bundle: Arc::new(known_bundle(&part.model, &media)?.clone()),
        mime: former.mime.clone(),
        author: author_of(&batch),
    };
    let commit = move |write: &mut Write<'_>, placed_upload: &PlacedUpload| {
        if let Some(file) = write.file(former.fid)?
            && let Some(location) = placed_upload.moved_for(&file)?
        {
            return Ok(CommitOutcome::Relocate(location));
        }
        let more = part.take(write, 1, |write, author, row| {
            renew_media(write, &part, author, row, placed_upload)
        });
        Ok(CommitOutcome::Committed(more?))
    };
    place_and_commit(repository.clone(), staged, target, commit).await
}

/// Gives a media its former values and bytes.
fn renew_media(
    write: &mut Write<'_>,
    part: &Part,
    author: &Author,
    row: &mut BatchItem,
    placed_upload: &PlacedUpload,
) -> Result<(), Refusal> {
    let gone = || Refusal::Missing("The state before the change is no longer there.".into());
    let replaced = replaced_file(write, row)?.ok_or_else(gone)?;
    let actor = as_of_now(write, &part.actor)?;
    let media = write.entity(row.kind, row.id)?.ok_or_else(gone)?;
    let update = former_update(write, part, &media, row)?;
    let permitted = permit(
        &actor,
        Operation::ReplaceBytes,
        &write.subject(&actor, &media)?,
    )?;
    let file = write.file(replaced.fid)?.ok_or_else(gone)?;
    let permitted_bytes = permit_shared(write, &actor, &permitted, &file)?;
    renew(write, &permitted_bytes, &file, placed_upload, author)?;
    let before = media.revision;
    let media = make(
        write,
        &permitted,
        &part.model,
        media,
        &update,
        (&actor, author),
    )?;
    row.state = BatchItemState::Changed;
    row.revisions = Some((before, media.revision));
    Ok(())
}

/// The values that a media had before a change, with the adjustment that its picture had.
fn former_update(
    read: &Read<'_>,
    part: &Part,
    media: &Entity,
    row: &BatchItem,
) -> Result<PreparedUpdate, Refusal> {
    let judge = Judge {
        model: &part.model,
        actor: &as_of_now(read, &part.actor)?,
        work: &part.work,
        company: &Company::Batch(part.batch),
    };
    let mut update = match judge.judge(read, row, Some(media))? {
        ItemVerdict::Changes(update) => update,
        ItemVerdict::Denied(words) | ItemVerdict::Invalid(words) => {
            return Err(Refusal::Conflict(words));
        }
        _ => PreparedUpdate::default(),
    };
    let before = row.revisions.map_or(0, |(before, _)| before);
    if let Some(former) = read.at_revision(media, before)? {
        let kept = picture_adjustment::KEPT_AS;
        update.set(kept, former.items(kept).to_vec());
    }
    Ok(update)
}
