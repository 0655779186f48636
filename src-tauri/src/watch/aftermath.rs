//! What happens to files that have been taken, or could not be. It may be done twice; the rows know what is left to do.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::names::{split, stem};
use super::rule::{Afterwards, Sidecar};
use super::sidecar::candidates;
use super::{Taking, now};
use crate::blobs::Summed;
use crate::content::{EntityKind, FileRecord, FixityState, WatchState, WatchedFile};
use crate::db::DbError;
use crate::faults;

/// How many files are looked after at once.
const BATCH: u32 = 200;

/// Moves and removes what is to be moved and removed.
///
/// # Errors
/// What the database refuses.
pub async fn tidy(taking: &Arc<Taking>) -> Result<(), DbError> {
    let (db, id) = (&taking.repository.db, taking.id);
    let mut after = 0;
    loop {
        let files = db.read_here(|read| read.untidy_watched_files(id, after, BATCH))?;
        let Some(last) = files.last() else {
            return Ok(());
        };
        after = last.id;
        let working = taking.clone();
        let rows = tokio::task::spawn_blocking(move || {
            files
                .into_iter()
                .map(|file| one(&working, file))
                .collect::<Vec<_>>()
        });
        let rows = rows.await.map_err(|_| DbError::Closed)?;
        faults::point("tidied");
        db.write(move |write| -> Result<(), DbError> {
            rows.iter()
                .try_for_each(|row| write.update_watched_file(row))
        })
        .await?;
        taking.happened();
    }
}

fn one(taking: &Taking, mut file: WatchedFile) -> WatchedFile {
    (file.untidy, file.changed) = (false, now());
    let outcome = match (file.state, taking.rule.afterwards) {
        (WatchState::Failed, _) => put_aside(taking, &mut file),
        (WatchState::Done, Afterwards::Delete) => delete(taking, &mut file),
        (WatchState::Done | WatchState::Skipped, Afterwards::Move) => move_away(taking, &mut file),
        _ => Ok(()),
    };
    if let Err(words) = outcome {
        let reason = file.reason.take().map(|reason| format!("{reason} {words}"));
        file.reason = Some(reason.unwrap_or(words));
    }
    file
}

fn put_aside(taking: &Taking, file: &mut WatchedFile) -> Result<(), String> {
    let words = file.reason.clone().unwrap_or_default();
    let moved = taking
        .folder
        .move_to_failed(&file.path, &file.look, file.id);
    let moved = moved.map_err(|error| format!("It could not be moved to failed/: {error}."))?;
    let Some(target) = moved else { return Ok(()) };
    let text = format!(
        "{}\n\n{words}\n\nMend that, then retry it in Isolario, or put the file back.\n",
        file.path
    );
    let told = taking.folder.explain(&target, &text);
    file.moved_to = Some(target);
    told.map_err(|error| format!("Its explanation could not be written: {error}."))
}

fn move_away(taking: &Taking, file: &mut WatchedFile) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("It could not be moved to done/: {error}.");
    let moved = taking
        .folder
        .move_to_done(&file.path, &file.look, file.id)
        .map_err(failed)?;
    let before = || {
        taking
            .folder
            .was_moved_to_done(&file.path, &file.look, file.id)
    };
    let Some(target) = moved.or_else(before) else {
        return not_as_it_was(taking, file);
    };
    (file.gone, file.moved_to) = (Some(now()), Some(target));
    for sidecar in own_sidecars(taking, file) {
        if let Ok(Some(look)) = taking.folder.look(&sidecar) {
            taking
                .folder
                .move_to_done(&sidecar, &look, file.id)
                .map_err(failed)?;
        }
    }
    Ok(())
}

fn delete(taking: &Taking, file: &mut WatchedFile) -> Result<(), String> {
    if !is_kept(taking, file) {
        return Err("It was not removed: the stored bytes are not what they should be.".into());
    }
    let failed = |error: std::io::Error| format!("It could not be removed: {error}.");
    if !taking
        .folder
        .remove(&file.path, &file.look)
        .map_err(failed)?
    {
        return not_as_it_was(taking, file);
    }
    file.gone = Some(now());
    for sidecar in own_sidecars(taking, file) {
        if let Ok(Some(look)) = taking.folder.look(&sidecar) {
            taking.folder.remove(&sidecar, &look).map_err(failed)?;
        }
    }
    Ok(())
}

/// A file that went away was moved or removed by somebody; another in its place is a change of it.
fn not_as_it_was(taking: &Taking, file: &mut WatchedFile) -> Result<(), String> {
    match taking.folder.look(&file.path) {
        Ok(None) => file.gone = Some(now()),
        Ok(Some(look)) => {
            (file.look, file.state) = (look, WatchState::Seen);
            (file.since, file.due) = (now(), now() + taking.rule.settle_time());
        }
        Err(error) => return Err(format!("It cannot be looked at: {error}.")),
    }
    Ok(())
}

/// Reads the stored bytes of a file and compares them with the checksum of those that were taken.
fn is_kept(taking: &Taking, file: &WatchedFile) -> bool {
    let (Some(stored), Some(sha512)) = (stored(taking, file), &file.sha512) else {
        return false;
    };
    let known = Summed {
        size: file.look.size,
        sha512: sha512.clone(),
    };
    let blobs = &taking.repository.blobs;
    let verdict = blobs.verify(&stored.blob, &known, &mut |_| ControlFlow::Continue(()));
    verdict.is_some_and(|verdict| verdict.state == FixityState::Intact)
}

fn stored(taking: &Taking, file: &WatchedFile) -> Option<FileRecord> {
    let repository = &taking.repository;
    let mid = file.mid?;
    let found = repository
        .db
        .read_here(|read| -> Result<Option<FileRecord>, DbError> {
            let Some(media) = read.entity(EntityKind::Media, mid)? else {
                return Ok(None);
            };
            let bundle = repository.model.bundle(EntityKind::Media, &media.bundle);
            let field = bundle.and_then(|bundle| bundle.file_field());
            let fid = field.and_then(|field| media.reference(&field.name));
            fid.map_or(Ok(None), |fid| read.file(fid))
        });
    found.ok().flatten()
}

/// The descriptions that belong to this file alone.
fn own_sidecars(taking: &Taking, file: &WatchedFile) -> Vec<String> {
    if taking.rule.sidecar == Sidecar::None {
        return Vec::new();
    }
    let (folder, name) = split(&file.path);
    let beside = match folder {
        "" => stem(name).to_owned(),
        folder => format!("{folder}/{}", stem(name)),
    };
    // The row of this very file is still there: it goes with what is written next.
    let others = taking
        .repository
        .db
        .read_here(|read| read.watched_siblings(taking.id, &beside));
    let shared = others.is_ok_and(|count| count > 1);
    let names = ["json", "xmp"].into_iter().flat_map(|extension| {
        let [whole, short] = candidates(&file.path, extension);
        [Some(whole), (!shared).then_some(short)]
    });
    names.flatten().filter(|path| *path != file.path).collect()
}
