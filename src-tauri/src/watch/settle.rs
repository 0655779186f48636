//! Whether files that were seen are whole: closed by their writer, unchanged for a while, not locked, and
//! described.

use std::sync::Arc;

use super::folder::{Locked, lock_of, look_of};
use super::notices::Notices;
use super::rule::Sidecar;
use super::sidecar::{candidates, describe};
use super::{Taking, now};
use crate::content::{FileLook, WatchState, WatchedFile};
use crate::db::DbError;

/// How many files are looked at at once.
const BATCH: u32 = 500;
/// How often is looked whether a description has come, milliseconds.
const BETWEEN_LOOKS: i64 = 500;

/// What is to be done with a row.
enum Verdict {
    Keep(WatchedFile),
    Forget(i64),
}

/// Looks at all files whose time has come; whether there may be more.
///
/// # Errors
/// What the database refuses.
pub async fn settle(taking: &Arc<Taking>, notices: &Notices) -> Result<bool, DbError> {
    let (db, id) = (&taking.repository.db, taking.id);
    let due = db
        .read(move |read| read.due_watched_files(id, WatchState::Seen, now(), BATCH))
        .await?;
    if due.is_empty() {
        return Ok(false);
    }
    let more = due.len() == BATCH as usize;
    let writing: Vec<bool> = due
        .iter()
        .map(|file| notices.is_being_written(&taking.folder.path().join(&file.path)))
        .collect();
    let looking = taking.clone();
    let judged = tokio::task::spawn_blocking(move || {
        let files = due.into_iter().zip(writing);
        files
            .map(|(file, writing)| judge(&looking, file, writing))
            .collect::<Vec<_>>()
    });
    let verdicts = judged.await.map_err(|_| DbError::Closed)?;
    db.write(move |write| -> Result<(), DbError> {
        for verdict in &verdicts {
            match verdict {
                Verdict::Keep(file) => write.update_watched_file(file)?,
                Verdict::Forget(id) => write.delete_watched_file(*id)?,
            }
        }
        Ok(())
    })
    .await?;
    taking.happened();
    Ok(more)
}

fn judge(taking: &Taking, mut file: WatchedFile, writing: bool) -> Verdict {
    let now = now();
    let wait = taking.rule.settle_time();
    let Some((look, locked)) = look(taking, &file) else {
        return absent(file);
    };
    if look != file.look {
        (file.look, file.since) = (look, now);
        file.due = now + wait;
    } else if writing || locked == Locked::Yes {
        file.due = now + wait;
    } else if file.look.size == 0 {
        file.state = WatchState::Skipped;
        file.reason = Some("The file is empty.".into());
        file.changed = now;
    } else if waits_for_description(taking, &file, now) {
        file.due = now + BETWEEN_LOOKS.min(wait.max(1));
    } else {
        (file.state, file.due, file.changed) = (WatchState::Settled, now, now);
    }
    Verdict::Keep(file)
}

fn look(taking: &Taking, file: &WatchedFile) -> Option<(FileLook, Locked)> {
    let open = taking.folder.file(&file.path).ok()?;
    let metadata = open.metadata().ok()?;
    Some((look_of(&metadata), lock_of(&open)))
}

/// A file that went away before it was taken is nobody's business; one that was taken before stays so.
fn absent(mut file: WatchedFile) -> Verdict {
    if file.mid.is_none() {
        return Verdict::Forget(file.id);
    }
    file.state = WatchState::Done;
    Verdict::Keep(file)
}

/// Whether the description that the rule declares has not come, or is still being written.
fn waits_for_description(taking: &Taking, file: &WatchedFile, now: i64) -> bool {
    let extension = match taking.rule.sidecar {
        Sidecar::None => return false,
        Sidecar::Any => None,
        Sidecar::Json => Some("json"),
        Sidecar::Xmp => Some("xmp"),
        Sidecar::Csv => Some("csv"),
    };
    if now - file.since >= taking.rule.sidecar_time() + taking.rule.settle_time() {
        return false;
    }
    let fresh = |look: FileLook| now - look.modified / 1_000_000 < taking.rule.settle_time();
    let beside = |extension: &str| {
        let mut looks = candidates(&file.path, extension).into_iter();
        looks.find_map(|path| taking.folder.look(&path).ok().flatten())
    };
    match extension {
        None => ["json", "xmp"].into_iter().filter_map(beside).any(fresh),
        // A table that cannot be read is told of when the file's turn comes.
        Some("csv") => describe(&taking.folder, &taking.tables, &taking.rule, &file.path)
            .is_ok_and(|found| found.is_none()),
        Some(extension) => beside(extension).is_none_or(fresh),
    }
}
