//! Decides whether files have settled: closed by their writer, unchanged for a while, not locked, and with the sidecar
//! that the rule declares.

use std::sync::Arc;

use super::folder::{LockState, lock_of, look_of};
use super::notices::{Notices, Writer};
use super::sidecar::{candidates, describe};
use super::{WatchedFolder, now};
use isolario_db::DbError;
use isolario_model::content::{FileLook, WatchState, WatchedFile};
use isolario_model::watch_rule::Sidecar;
use isolario_platform::beneath::open_to_write;
use isolario_platform::files::{FileIdentity, identity_of};

/// How many files one call settles.
const BATCH: u32 = 500;
/// Milliseconds between two checks for a missing sidecar.
const POLL_INTERVAL: i64 = 500;

/// The next step for a row.
enum Verdict {
    Keep(Box<WatchedFile>),
    Forget(i64),
}

/// Settles the files that are due. Returns whether there may be more.
///
/// # Errors
/// What the database refuses.
pub async fn settle(watched: &Arc<WatchedFolder>, notices: &Notices) -> Result<bool, DbError> {
    let (db, id) = (&watched.repository.db, watched.id);
    let due = db
        .read(move |read| read.due_watched_files(id, WatchState::Seen, now(), BATCH))
        .await?;
    if due.is_empty() {
        return Ok(false);
    }
    let more = due.len() == BATCH as usize;
    let writers: Vec<Writer> = due
        .iter()
        .map(|file| notices.writer_of(&watched.folder.path().join(&file.path)))
        .collect();
    let looking = watched.clone();
    let judged = tokio::task::spawn_blocking(move || {
        let files: Vec<Observation> = due
            .into_iter()
            .zip(writers)
            .map(|(file, writer)| look(&looking, file, writer))
            .collect();
        let unknown = files.iter().filter(|seen| seen.writer == Writer::Unknown);
        let written = open_to_write(&unknown.filter_map(|seen| seen.identity).collect());
        let judge = |seen: Observation| {
            let writing = seen.identity.is_some_and(|file| written.contains(&file));
            judge(&looking, seen, writing)
        };
        files.into_iter().map(judge).collect::<Vec<_>>()
    });
    let verdicts = judged.await.map_err(|_| DbError::Closed)?;
    // On a drive that was taken away, no file is there; that says nothing of the files.
    if !watched.folder.is_still_there() {
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
    watched.happened();
    Ok(more)
}

/// The current state of a file on disk.
struct Observation {
    file: WatchedFile,
    writer: Writer,
    /// `None`: the file does not exist.
    look: Option<(FileLook, LockState)>,
    identity: Option<FileIdentity>,
}

fn look(watched: &WatchedFolder, file: WatchedFile, writer: Writer) -> Observation {
    let open = watched.folder.file(&file.path).ok();
    let open = open.and_then(|open| Some((open.metadata().ok()?, open)));
    Observation {
        file,
        writer,
        identity: open
            .as_ref()
            .and_then(|(found, open)| identity_of(open, found).ok()),
        look: open.and_then(|(found, open)| Some((look_of(&open, &found).ok()?, lock_of(&open)))),
    }
}

fn judge(watched: &WatchedFolder, seen: Observation, open_to_write: bool) -> Verdict {
    let now = now();
    let wait = watched.rule.settle_time();
    let mut file = seen.file;
    let Some((look, locked)) = seen.look else {
        return absent(file);
    };
    let writing = open_to_write || seen.writer == Writer::Writing;
    if look != file.look {
        (file.look, file.since) = (look, now);
        file.due = now + wait;
    } else if writing || locked == LockState::Yes {
        file.due = now + wait;
    } else if file.look.size == 0 {
        file.state = WatchState::Skipped;
        file.reason = Some("The file is empty.".into());
        file.changed = now;
    } else if waits_for_description(watched, &file, now) {
        file.due = now + POLL_INTERVAL.min(wait.max(1));
    } else {
        (file.state, file.due, file.changed) = (WatchState::Settled, now, now);
    }
    Verdict::Keep(Box::new(file))
}

/// Deletes the row of a file that is gone before its ingest. The row of a file that was ingested stays.
fn absent(mut file: WatchedFile) -> Verdict {
    if file.mid.is_none() {
        return Verdict::Forget(file.id);
    }
    file.state = WatchState::Done;
    Verdict::Keep(Box::new(file))
}

/// Whether the sidecar that the rule declares is missing or still being written.
fn waits_for_description(watched: &WatchedFolder, file: &WatchedFile, now: i64) -> bool {
    let extension = match watched.rule.sidecar {
        Sidecar::None => return false,
        Sidecar::Any => None,
        Sidecar::Json => Some("json"),
        Sidecar::Xmp => Some("xmp"),
        Sidecar::Csv => Some("csv"),
    };
    if now - file.since >= watched.rule.sidecar_time() + watched.rule.settle_time() {
        return false;
    }
    let fresh = |look: FileLook| now - look.modified / 1_000_000 < watched.rule.settle_time();
    let beside = |extension: &str| {
        let mut looks = candidates(&file.path, extension).into_iter();
        looks.find_map(|path| watched.folder.look(&path).ok().flatten())
    };
    match extension {
        None => ["json", "xmp"].into_iter().filter_map(beside).any(fresh),
        // A table that cannot be read is told of when the file's turn comes.
        Some("csv") => describe(&watched.folder, &watched.tables, &watched.rule, &file.path)
            .is_ok_and(|found| found.is_none()),
        Some(extension) => beside(extension).is_none_or(fresh),
    }
}
