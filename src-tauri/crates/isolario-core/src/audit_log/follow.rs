//! Writes the log from the table of events.

use std::collections::HashMap;
use std::collections::hash_map::Entry::Vacant;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::Utc;
use tokio_util::sync::CancellationToken;

use super::tail::Tail;
use super::{AuditChange, AuditEntry, path};
use crate::repository::Repository;
use isolario_db::{Db, DbError, Read};
use isolario_model::content::EntityKind;
use isolario_model::fields::iso;

/// Events that are read at once.
const EVENTS: u32 = 200;
/// So many bytes wait for the disk at most, and as many as lines of so many events have.
const UNSYNCED: usize = 128 * 1024;
/// Changes gather for so long: many together cost hardly more than one.
const GATHERING: Duration = Duration::from_millis(200);
/// How often the disk is waited for.
const SYNCED_EVERY: Duration = Duration::from_secs(5);
/// After a failure of the disk, the log is tried again.
const RETRY: Duration = Duration::from_secs(30);

/// Why the log could not be written.
#[derive(Debug, thiserror::Error)]
enum FollowError {
    #[error(transparent)]
    Disk(#[from] io::Error),
    #[error(transparent)]
    Database(#[from] DbError),
}

/// Follows the changes of a repository until it is told to stop, and has then all that were committed before. What cannot
/// be written is said in the log of the program and tried again.
pub async fn follow(repository: Arc<Repository>, stop: CancellationToken) {
    let path = path(&repository.directory);
    while let Err(error) = follow_until_failure(&repository, path.clone(), &stop).await {
        tracing::error!(%error, path = %path.display(), "the audit log cannot be written");
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(RETRY) => {}
        }
    }
}

async fn follow_until_failure(
    repository: &Repository,
    path: PathBuf,
    stop: &CancellationToken,
) -> Result<(), FollowError> {
    // Before the table is read, so that no commit falls between.
    let mut arrivals = repository.db.event_arrivals();
    let db = repository.db.clone();
    let mut tail = on_thread(move || begun(&path, &db)).await?;
    let mut synced = Instant::now();
    loop {
        let closes = stop.is_cancelled();
        let db = repository.db.clone();
        let due = closes || synced.elapsed() >= SYNCED_EVERY;
        tail = on_thread(move || {
            add_all(&mut tail, &db)?;
            if due && tail.unsynced > 0 {
                tail.sync()?;
            }
            Ok(tail)
        })
        .await?;
        if due {
            synced = Instant::now();
        }
        if closes {
            return Ok(());
        }
        tokio::select! {
            () = stop.cancelled() => {}
            is_open = arrivals.next() => match is_open {
                true => tokio::time::sleep(GATHERING).await,
                false => return Ok(()),
            }
        }
    }
}

async fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, FollowError> + Send + 'static,
) -> Result<T, FollowError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or(Err(FollowError::Database(DbError::Closed)))
}

/// The log, which goes on where it ends, or says that the database is not the one that it told of.
fn begun(path: &Path, db: &Db) -> Result<Tail, FollowError> {
    let mut tail = Tail::open(path)?;
    let last = tail.last.clone();
    let after = db.read_here(|read| other_database(read, last.as_ref()))?;
    if let Some(after_event) = after {
        tail.add(vec![AuditEntry::OtherDatabase {
            at: iso(Utc::now().timestamp()),
            after_event,
        }])?;
    }
    Ok(tail)
}

/// After which event the log goes on, where the database does not have what the log told last; `None` where it does.
fn other_database(read: &Read<'_>, last: Option<&AuditEntry>) -> Result<Option<i64>, DbError> {
    let Some(last) = last else { return Ok(None) };
    let newest = read.last_event()?;
    if newest < last.last_event() {
        return Ok(Some(newest));
    }
    let AuditEntry::Change(change) = last else {
        return Ok(None);
    };
    let there = read.events_after(change.event - 1, 1)?;
    let is_there = there.first().is_some_and(|event| change.is_of(event));
    Ok((!is_there).then_some(0))
}

/// Adds what the log does not have yet.
fn add_all(tail: &mut Tail, db: &Db) -> Result<(), FollowError> {
    loop {
        let after = tail.last.as_ref().map_or(0, AuditEntry::last_event);
        let entries = db.read_here(|read| entries_after(read, after))?;
        if entries.is_empty() {
            return Ok(());
        }
        tail.add(entries)?;
        if tail.unsynced > UNSYNCED {
            tail.sync()?;
        }
    }
}

fn entries_after(read: &Read<'_>, after: i64) -> Result<Vec<AuditEntry>, DbError> {
    let mut names = HashMap::new();
    let mut entries = Vec::new();
    for event in read.events_after(after, EVENTS)? {
        if let Vacant(unknown) = names.entry(event.actor) {
            let user = read.target(EntityKind::User, event.actor)?;
            unknown.insert(user.map(|user| user.label));
        }
        let name = names[&event.actor].clone();
        entries.push(AuditEntry::Change(AuditChange::of(&event, name)));
    }
    Ok(entries)
}
