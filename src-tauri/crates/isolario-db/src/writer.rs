//! The one writer. Waiting changes share a commit, each in its own savepoint, so that a refused change fails alone and
//! all of them share one sync to disk.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, current};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::{broadcast, oneshot, watch};

use super::savepoint::in_savepoint;
use super::{DbError, Event, Read, Write};
use isolario_disk::disk_fault::DiskFault;

/// Sends the outcome to the caller, once the commit is on disk or lost.
type Acknowledge = Box<dyn FnOnce(&CommitResult)>;
type Change = Box<dyn FnOnce(Result<&Connection, &DbError>) -> (Acknowledge, ChangeOutcome) + Send>;

enum CommitResult {
    Yes,
    No(DbError),
}

/// The outcome of a change in the open transaction.
enum ChangeOutcome {
    Kept(Vec<Event>),
    Undone,
}

const GROUP_LIMIT: usize = 256;

#[derive(Clone)]
pub(super) struct Writer(Arc<WriterThread>);

/// The queue of changes, and the thread that makes them.
struct WriterThread {
    /// Closed when nobody uses the writer any more.
    queue: Mutex<Option<Sender<Change>>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for WriterThread {
    /// Waits until the database is closed. If the program ended before, the last checkpoint would be interrupted.
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
        Ok(Writer(Arc::new(WriterThread {
            queue: Mutex::new(Some(queue)),
            thread: Some(thread.map_err(|_| DbError::Closed)?),
        })))
    }

    /// A writer that refuses every change.
    pub(super) fn closed() -> Writer {
        Writer(Arc::new(WriterThread {
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
    let transaction = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => return refuse_all(group, &DbError::from(error)),
    };
    let (acknowledgements, happened) = apply_all(&transaction, group);
    let committed = match finish(transaction) {
        Ok(()) => CommitResult::Yes,
        Err(error) => {
            tracing::error!(%error, "a commit failed");
            CommitResult::No(error)
        }
    };
    if let CommitResult::Yes = committed {
        for event in happened {
            // Nobody listening is no error.
            let _ = events.send(Arc::new(event));
        }
    }
    for acknowledge in acknowledgements {
        acknowledge(&committed);
    }
}

/// Sends every waiting caller the reason why the transaction cannot begin.
fn refuse_all(group: Vec<Change>, error: &DbError) {
    tracing::error!(%error, "a commit could not be begun");
    for change in group {
        let (acknowledge, _) = change(Err(error));
        acknowledge(&CommitResult::Yes);
    }
}

fn apply_all(transaction: &Transaction<'_>, group: Vec<Change>) -> (Vec<Acknowledge>, Vec<Event>) {
    let mut acknowledgements = Vec::with_capacity(group.len());
    let mut happened = Vec::new();
    for change in group {
        let (acknowledge, applied) = change(Ok(transaction));
        acknowledgements.push(acknowledge);
        if let ChangeOutcome::Kept(events) = applied {
            happened.extend(events);
        }
    }
    (acknowledgements, happened)
}

/// Commits, unless an error such as a full disk has ended the transaction. Then nothing of the group is on disk, and
/// every caller gets an error.
fn finish(transaction: Transaction<'_>) -> Result<(), DbError> {
    if transaction.is_autocommit() {
        return Err(DbError::Lost);
    }
    transaction
        .commit()
        .map_err(|error| match DbError::from(error) {
            // The last frame of the log, which makes the commit, found no space.
            full @ DbError::Disk(DiskFault::Full) => full,
            // It may have been written all the same, and only its sync have failed.
            other => DbError::Uncertain(other.to_string()),
        })
}

/// The error that every caller of a group gets when its commit failed.
fn loss(error: &DbError) -> DbError {
    match error {
        DbError::Disk(fault) => DbError::Disk(fault.clone()),
        DbError::Uncertain(why) => DbError::Uncertain(why.clone()),
        _ => DbError::Lost,
    }
}

fn apply<T, E, F>(
    connection: Result<&Connection, &DbError>,
    change: F,
    reply: oneshot::Sender<Result<T, E>>,
) -> (Acknowledge, ChangeOutcome)
where
    F: FnOnce(&mut Write<'_>) -> Result<T, E>,
    T: 'static,
    E: From<DbError> + 'static,
{
    let outcome = connection.map_err(|error| E::from(loss(error)));
    let outcome = outcome.and_then(|connection| carry_out(connection, change));
    let (outcome, applied) = match outcome {
        Ok((value, events)) => (Ok(value), ChangeOutcome::Kept(events)),
        Err(error) => (Err(error), ChangeOutcome::Undone),
    };
    let acknowledge: Acknowledge = Box::new(move |committed| {
        let answer = match (outcome, committed) {
            (Ok(_), CommitResult::No(error)) => Err(E::from(loss(error))),
            (outcome, _) => outcome,
        };
        // The asker may have gone away; the change stands all the same.
        let _ = reply.send(answer);
    });
    (acknowledge, applied)
}

/// Runs a change. Its caller gets the outcome after the commit.
fn carry_out<T, E, F>(connection: &Connection, change: F) -> Result<(T, Vec<Event>), E>
where
    F: FnOnce(&mut Write<'_>) -> Result<T, E>,
    E: From<DbError>,
{
    let mut write = Write {
        read: Read {
            connection,
            known: None,
        },
        events: Vec::new(),
    };
    let value = in_savepoint(connection, || change(&mut write))?;
    Ok((value, write.events))
}

#[cfg(test)]
mod tests;
