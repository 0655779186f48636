//! Whether files that were seen are whole: closed by their writer, unchanged for a while, not locked, and
//! described.

use std::sync::Arc;

use super::folder::{Identity, Locked, identity, lock_of, look_of, open_to_write};
use super::notices::{Notices, Writer};
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
    Keep(Box<WatchedFile>),
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
    let writers: Vec<Writer> = due
        .iter()
        .map(|file| notices.writer_of(&taking.folder.path().join(&file.path)))
        .collect();
    let looking = taking.clone();
    let judged = tokio::task::spawn_blocking(move || {
        let files: Vec<Seen> = due
            .into_iter()
            .zip(writers)
            .map(|(file, writer)| look(&looking, file, writer))
            .collect();
        let unknown = files.iter().filter(|seen| seen.writer == Writer::Unknown);
        let written = open_to_write(&unknown.filter_map(|seen| seen.identity).collect());
        let judge = |seen: Seen| {
            let writing = seen.identity.is_some_and(|file| written.contains(&file));
            judge(&looking, seen, writing)
        };
        files.into_iter().map(judge).collect::<Vec<_>>()
    });
    let verdicts = judged.await.map_err(|_| DbError::Closed)?;
    // On a drive that was taken away, no file is there; that says nothing of the files.
    if !taking.folder.is_still_there() {
        return Ok(false);
    }
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

/// A file as it is now.
struct Seen {
    file: WatchedFile,
    writer: Writer,
    /// `None`: it is not there.
    look: Option<(FileLook, Locked)>,
    identity: Option<Identity>,
}

fn look(taking: &Taking, file: WatchedFile, writer: Writer) -> Seen {
    let open = taking.folder.file(&file.path).ok();
    let open = open.and_then(|open| Some((open.metadata().ok()?, open)));
    Seen {
        file,
        writer,
        identity: open.as_ref().map(|(metadata, _)| identity(metadata)),
        look: open.map(|(metadata, open)| (look_of(&metadata), lock_of(&open))),
    }
}

fn judge(taking: &Taking, seen: Seen, open_to_write: bool) -> Verdict {
    let now = now();
    let wait = taking.rule.settle_time();
    let mut file = seen.file;
    let Some((look, locked)) = seen.look else {
        return absent(file);
    };
    let writing = open_to_write || seen.writer == Writer::Writing;
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
    Verdict::Keep(Box::new(file))
}

/// A file that went away before it was taken is nobody's business; one that was taken before stays so.
fn absent(mut file: WatchedFile) -> Verdict {
    if file.mid.is_none() {
        return Verdict::Forget(file.id);
    }
    file.state = WatchState::Done;
    Verdict::Keep(Box::new(file))
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
