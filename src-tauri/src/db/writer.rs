//! The one writer. Waiting changes share a commit, each in its own savepoint, so that one refused
//! change fails alone and a commit's sync to disk is paid once for all of them.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, current};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::{broadcast, oneshot, watch};

use super::{DbError, Event, Read};

/// A change under way. Everything a reader can ask it can ask too, and sees what it wrote.
pub struct Write<'c> {
    read: Read<'c>,
    pub(super) events: Vec<Event>,
}

impl<'c> std::ops::Deref for Write<'c> {
    type Target = Read<'c>;
    fn deref(&self) -> &Read<'c> {
        &self.read
    }
}

/// Tells the one who asked how it ended, once the commit is known to be on disk or lost.
type Acknowledge = Box<dyn FnOnce(&Committed)>;
type Change = Box<dyn FnOnce(&Connection) -> (Acknowledge, Applied) + Send>;

enum Committed {
    Yes,
    No(DbError),
}

/// What a change left in the open transaction.
enum Applied {
    Kept(Vec<Event>),
    Undone,
}

const GROUP_LIMIT: usize = 256;

#[derive(Clone)]
pub(super) struct Writer(Arc<Desk>);

/// Where changes are handed in, and the thread that carries them out.
struct Desk {
    /// Closed when nobody needs the writer any more.
    queue: Mutex<Option<Sender<Change>>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Desk {
    /// Waits until the database is closed: a program that ended before would cut its last tidying short.
    fn drop(&mut self) {
        if let Ok(queue) = self.queue.get_mut() {
            queue.take();
        }
        // A change may have had the last writer with it.
        let thread = self.thread.take();
        let another = thread.filter(|thread| thread.thread().id() != current().id());
        // How it ended was told to everybody who waited.
        let _ = another.map(JoinHandle::join);
    }
}

impl Writer {
    pub(super) fn start(
        connection: Connection,
        events: broadcast::Sender<Arc<Event>>,
        commits: watch::Sender<u64>,
    ) -> Result<Writer, DbError> {
        let (queue, waiting) = channel();
        let thread = std::thread::Builder::new().name("database writer".into());
        let thread = thread.spawn(move || run(connection, &waiting, &events, &commits));
        Ok(Writer(Arc::new(Desk {
            queue: Mutex::new(Some(queue)),
            thread: Some(thread.map_err(|_| DbError::Closed)?),
        })))
    }

    /// One that refuses every change.
    pub(super) fn closed() -> Writer {
        Writer(Arc::new(Desk {
            queue: Mutex::default(),
            thread: None,
        }))
    }

    pub(super) async fn submit<T, E, F>(&self, change: F) -> Result<T, E>
    where
        F: FnOnce(&mut Write<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let boxed: Change = Box::new(move |connection| apply(connection, change, reply));
        {
            let queue = self.0.queue.lock().map_err(|_| E::from(DbError::Closed))?;
            let queue = queue.as_ref().ok_or_else(|| E::from(DbError::Closed))?;
            queue.send(boxed).map_err(|_| E::from(DbError::Closed))?;
        }
        answer
            .await
            .unwrap_or_else(|_| Err(E::from(DbError::Closed)))
    }
}

fn run(
    mut connection: Connection,
    waiting: &Receiver<Change>,
    events: &broadcast::Sender<Arc<Event>>,
    commits: &watch::Sender<u64>,
) {
    while let Ok(first) = waiting.recv() {
        let mut group = vec![first];
        group.extend(waiting.try_iter().take(GROUP_LIMIT - 1));
        commit_group(&mut connection, group, events);
        commits.send_modify(|number| *number += 1);
    }
}

fn commit_group(
    connection: &mut Connection,
    group: Vec<Change>,
    events: &broadcast::Sender<Arc<Event>>,
) {
    let Ok(transaction) = connection.transaction_with_behavior(TransactionBehavior::Immediate)
    else {
        return; // Dropping the changes drops their reply channels: every waiter is told.
    };
    let (acknowledgements, happened) = apply_all(&transaction, group);
    let committed = match finish(transaction) {
        Ok(()) => Committed::Yes,
        Err(error) => {
            tracing::error!(%error, "a commit failed");
            Committed::No(error)
        }
    };
    if let Committed::Yes = committed {
        for event in happened {
            // Nobody listening is no error.
            let _ = events.send(Arc::new(event));
        }
    }
    for acknowledge in acknowledgements {
        acknowledge(&committed);
    }
}

fn apply_all(transaction: &Transaction<'_>, group: Vec<Change>) -> (Vec<Acknowledge>, Vec<Event>) {
    let mut acknowledgements = Vec::with_capacity(group.len());
    let mut happened = Vec::new();
    for change in group {
        let (acknowledge, applied) = change(transaction);
        acknowledgements.push(acknowledge);
        if let Applied::Kept(events) = applied {
            happened.extend(events);
        }
    }
    (acknowledgements, happened)
}

/// Commits, unless an error such as a full disk has already ended the transaction behind our back:
/// then nothing of the group is on disk and nobody may be told otherwise.
fn finish(transaction: Transaction<'_>) -> Result<(), DbError> {
    if transaction.is_autocommit() {
        return Err(DbError::Lost);
    }
    transaction
        .commit()
        .map_err(|error| match DbError::from(error) {
            // The last frame of the log, which makes the commit, had no room.
            DbError::Full => DbError::Full,
            // It may have been written all the same, and only its sync have failed.
            other => DbError::Uncertain(other.to_string()),
        })
}

/// What each of the group is told of a commit that failed for all.
fn loss(error: &DbError) -> DbError {
    match error {
        DbError::Full => DbError::Full,
        DbError::Uncertain(why) => DbError::Uncertain(why.clone()),
        _ => DbError::Lost,
    }
}

fn apply<T, E, F>(
    connection: &Connection,
    change: F,
    reply: oneshot::Sender<Result<T, E>>,
) -> (Acknowledge, Applied)
where
    F: FnOnce(&mut Write<'_>) -> Result<T, E>,
    T: 'static,
    E: From<DbError> + 'static,
{
    let mut write = Write {
        read: Read {
            connection,
            known: None,
        },
        events: Vec::new(),
    };
    let outcome = in_savepoint(connection, || change(&mut write));
    let applied = match &outcome {
        Ok(_) => Applied::Kept(std::mem::take(&mut write.events)),
        Err(_) => Applied::Undone,
    };
    let acknowledge: Acknowledge = Box::new(move |committed| {
        let answer = match (outcome, committed) {
            (Ok(_), Committed::No(error)) => Err(E::from(loss(error))),
            (outcome, _) => outcome,
        };
        // The asker may have gone away; the change stands all the same.
        let _ = reply.send(answer);
    });
    (acknowledge, applied)
}

fn in_savepoint<T, E: From<DbError>>(
    connection: &Connection,
    change: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let execute = |sql: &str| -> Result<(), DbError> {
        connection.prepare_cached(sql)?.execute([])?;
        Ok(())
    };
    if connection.is_autocommit() {
        return Err(E::from(DbError::Closed));
    }
    execute("SAVEPOINT change_of_group")?;
    // A panic in one change must not take the writer, and every later write, with it.
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(change))
        .unwrap_or_else(|_| Err(E::from(DbError::Closed)));
    if outcome.is_err() && !connection.is_autocommit() {
        execute("ROLLBACK TO change_of_group")?;
    }
    if !connection.is_autocommit() {
        execute("RELEASE change_of_group")?;
    }
    outcome
}

#[cfg(test)]
mod tests;
