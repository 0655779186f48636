//! Moves or deletes watched files after their ingest, or after it has failed. The rows say what is left to do, so a
//! repetition does no harm.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::names::{split, stem};
use super::sidecar::candidates;
use super::{WatchedFolder, now};
use isolario_blobs::FileDigest;
use isolario_db::DbError;
use isolario_disk::faults;
use isolario_model::content::{EntityKind, FileRecord, FixityState, WatchState, WatchedFile};
use isolario_model::watch_rule::{Afterwards, Sidecar};

/// How many files one transaction cleans up.
const BATCH: u32 = 200;

/// Moves and deletes files as their rows and the rule say.
///
/// # Errors
/// What the database refuses.
pub async fn clean_up(watched: &Arc<WatchedFolder>) -> Result<(), DbError> {
    let (db, id) = (&watched.repository.db, watched.id);
    let mut after = 0;
    loop {
        let files = db.read_here(|read| read.untidy_watched_files(id, after, BATCH))?;
        let Some(last) = files.last() else {
            return Ok(());
        };
        after = last.id;
        let working = watched.clone();
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
        watched.happened();
    }
}

fn one(watched: &WatchedFolder, mut file: WatchedFile) -> WatchedFile {
    (file.untidy, file.changed) = (false, now());
    let outcome = match (file.state, watched.rule.afterwards) {
        (WatchState::Failed, _) => put_aside(watched, &mut file),
        (WatchState::Done, Afterwards::Delete) => delete(watched, &mut file),
        (WatchState::Done | WatchState::Skipped, Afterwards::Move) => move_away(watched, &mut file),
        _ => Ok(()),
    };
    if let Err(words) = outcome {
        let reason = file.reason.take().map(|reason| format!("{reason} {words}"));
        file.reason = Some(reason.unwrap_or(words));
    }
    file
}

fn put_aside(watched: &WatchedFolder, file: &mut WatchedFile) -> Result<(), String> {
    let words = file.reason.clone().unwrap_or_default();
    let moved = watched
        .folder
        .move_to_failed(&file.path, &file.look, file.id);
    let moved = moved.map_err(|error| format!("It could not be moved to failed/: {error}."))?;
    let Some(target) = moved else { return Ok(()) };
    let text = format!(
        "{}\n\n{words}\n\nMend that, then retry it in Isolario, or put the file back.\n",
        file.path
    );
    let told = watched.folder.explain(&target, &text);
    file.moved_to = Some(target);
    told.map_err(|error| format!("Its explanation could not be written: {error}."))
}

fn move_away(watched: &WatchedFolder, file: &mut WatchedFile) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("It could not be moved to done/: {error}.");
    let moved = watched
        .folder
        .move_to_done(&file.path, &file.look, file.id)
        .map_err(failed)?;
    let before = || {
        watched
            .folder
            .was_moved_to_done(&file.path, &file.look, file.id)
    };
    let Some(target) = moved.or_else(before) else {
        return update_changed(watched, file);
    };
    (file.gone, file.moved_to) = (Some(now()), Some(target));
    for sidecar in own_sidecars(watched, file) {
        if let Ok(Some(look)) = watched.folder.look(&sidecar) {
            watched
                .folder
                .move_to_done(&sidecar, &look, file.id)
                .map_err(failed)?;
        }
    }
    Ok(())
}

fn delete(watched: &WatchedFolder, file: &mut WatchedFile) -> Result<(), String> {
    if !is_kept(watched, file) {
        return Err("It was not removed: the stored bytes are not what they should be.".into());
    }
    let failed = |error: std::io::Error| format!("It could not be removed: {error}.");
    if !watched
        .folder
        .remove(&file.path, &file.look)
        .map_err(failed)?
    {
        return update_changed(watched, file);
    }
    file.gone = Some(now());
    for sidecar in own_sidecars(watched, file) {
        if let Ok(Some(look)) = watched.folder.look(&sidecar) {
            watched.folder.remove(&sidecar, &look).map_err(failed)?;
        }
    }
    Ok(())
}

/// Updates the row of a file that is gone, or that another file has replaced.
fn update_changed(watched: &WatchedFolder, file: &mut WatchedFile) -> Result<(), String> {
    match watched.folder.look(&file.path) {
        Ok(None) => file.gone = Some(now()),
        Ok(Some(look)) => {
            (file.look, file.state) = (look, WatchState::Seen);
            (file.since, file.due) = (now(), now() + watched.rule.settle_time());
        }
        Err(error) => return Err(format!("It cannot be looked at: {error}.")),
    }
    Ok(())
}

/// Reads the stored bytes of a file and compares them with the checksum of its ingest.
fn is_kept(watched: &WatchedFolder, file: &WatchedFile) -> bool {
    let (Some(stored), Some(sha512)) = (stored(watched, file), &file.sha512) else {
        return false;
    };
    let known = FileDigest {
        size: file.look.size,
        sha512: sha512.clone(),
    };
    let blobs = &watched.repository.blobs;
    let verdict = blobs.verify(&stored.blob, &known, &mut |_| ControlFlow::Continue(()));
    verdict.is_some_and(|verdict| verdict.state == FixityState::Intact)
}

fn stored(watched: &WatchedFolder, file: &WatchedFile) -> Option<FileRecord> {
    let repository = &watched.repository;
    let mid = file.mid?;
    let found = repository
        .db
        .read_here(|read| -> Result<Option<FileRecord>, DbError> {
            let Some(media) = read.entity(EntityKind::Media, mid)? else {
                return Ok(None);
            };
            let model = repository.model();
            let bundle = model.bundle(EntityKind::Media, &media.bundle);
            let field = bundle.and_then(|bundle| bundle.file_field());
            let fid = field.and_then(|field| media.reference(&field.name));
            fid.map_or(Ok(None), |fid| read.file(fid))
        });
    found.ok().flatten()
}

/// The sidecars of this file alone.
fn own_sidecars(watched: &WatchedFolder, file: &WatchedFile) -> Vec<String> {
    if watched.rule.sidecar == Sidecar::None {
        return Vec::new();
    }
    let (folder, name) = split(&file.path);
    let beside = match folder {
        "" => stem(name).to_owned(),
        folder => format!("{folder}/{}", stem(name)),
    };
    // The row of this very file is still there: it goes with what is written next.
    let others = watched
        .repository
        .db
        .read_here(|read| read.watched_siblings(watched.id, &beside));
    let shared = others.is_ok_and(|count| count > 1);
    let names = ["json", "xmp"].into_iter().flat_map(|extension| {
        let [whole, short] = candidates(&file.path, extension);
        [Some(whole), (!shared).then_some(short)]
    });
    names.flatten().filter(|path| *path != file.path).collect()
}
