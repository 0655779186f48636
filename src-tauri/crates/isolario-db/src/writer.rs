//! The one writer. Waiting changes share a commit, each in its own savepoint, so that a refused change fails alone and
//! all of them share one sync to disk. A change with a commit of its own needs none: its failure undoes the transaction.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, current};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::{broadcast, oneshot, watch};

use super::index_due::{IDLE, MOST_DUE};
use super::savepoint::{in_savepoint, unless_it_panics};
use super::write::DueNodes;
use super::{DbError, Event, Read, Write};
use isolario_disk::disk_fault::DiskFault;

/// Sends the outcome to the caller, once the commit is on disk or lost.
type Acknowledge = Box<dyn FnOnce(&CommitResult)>;
type Change =
    Box<dyn FnOnce(Result<(&Connection, Undo), &DbError>) -> (Acknowledge, ChangeOutcome) + Send>;

/// How a change is undone that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Undo {
    Savepoint,
    /// The whole transaction, because nothing else is in it. SQLite then does not store each page as it was before.
    Transaction,
}

/// What waits for the writer.
enum Request {
    Change(Change),
    /// Index rows that are due. The sender is dropped when they are written, or cannot be.
    DueIndex(oneshot::Sender<()>),
}

enum CommitResult {
    Yes,
    No(DbError),
}

/// The outcome of a change in the open transaction.
enum ChangeOutcome {
    Kept(Vec<Event>, DueNodes),
    Undone,
}

const GROUP_LIMIT: usize = 256;

#[derive(Clone)]
pub(super) struct Writer(Arc<WriterThread>);

/// The queue of requests, and the thread that carries them out.
struct WriterThread {
    /// Closed when nobody uses the writer any more.
    queue: Mutex<Option<Sender<Request>>>,
    thread: Option<JoinHandle<()>>,
    /// How many nodes have index rows that are due, or more.
    due: Arc<AtomicU64>,
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
        let read = Read {
            connection: &connection,
            known: None,
        };
        let due = Arc::new(AtomicU64::new(read.due_nodes()?));
        let mut committer = Committer {
            connection,
            events,
            commits,
            due: due.clone(),
        };
        let thread = std::thread::Builder::new().name("database writer".into());
        let thread = thread.spawn(move || committer.run(&waiting));
        Ok(Writer(Arc::new(WriterThread {
            queue: Mutex::new(Some(queue)),
            thread: Some(thread.map_err(|_| DbError::Closed)?),
            due,
        })))
    }

    /// A writer that refuses every change.
    pub(super) fn closed() -> Writer {
        Writer(Arc::new(WriterThread {
            queue: Mutex::default(),
            thread: None,
            due: Arc::default(),
        }))
    }

    /// Writes the index rows that are due. If the disk does not allow it, lists stay as they were.
    pub(super) async fn write_due_index(&self) {
        if self.0.due.load(Ordering::Acquire) == 0 {
            return;
        }
        let (written, answer) = oneshot::channel();
        if self.send(Request::DueIndex(written)).is_ok() {
            // Nothing is sent. The end of the waiting is the answer.
            let _ = answer.await;
        }
    }

    fn send(&self, request: Request) -> Result<(), DbError> {
        let queue = self.0.queue.lock().map_err(|_| DbError::Closed)?;
        let queue = queue.as_ref().ok_or(DbError::Closed)?;
        queue.send(request).map_err(|_| DbError::Closed)
    }

    pub(super) async fn submit<T, E, F>(&self, change: F) -> Result<T, E>
    where
        F: FnOnce(&mut Write<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let boxed: Change = Box::new(move |connection| apply(connection, change, reply));
        self.send(Request::Change(boxed))?;
        answer
            .await
            .unwrap_or_else(|_| Err(E::from(DbError::Closed)))
    }
}

/// What the thread of the writer has.
struct Committer {
    connection: Connection,
    events: broadcast::Sender<Arc<Event>>,
    commits: watch::Sender<u64>,
    due: Arc<AtomicU64>,
}

impl Committer {
    fn run(&mut self, waiting: &Receiver<Request>) {
        // Whether the disk has refused the index rows that are due. They are tried again after the next change.
        let mut is_refused = false;
        loop {
            let due = self.due.load(Ordering::Relaxed);
            let first = match due == 0 || is_refused {
                true => waiting.recv().map_err(RecvTimeoutError::from),
                false => waiting.recv_timeout(IDLE),
            };
            let first = match first {
                Ok(first) => Some(first),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let next = first.into_iter().chain(waiting.try_iter());
            let (group, waiting_for_index) = divided(next.take(GROUP_LIMIT));
            let needs_index = group.is_empty() || !waiting_for_index.is_empty();
            if !group.is_empty() {
                self.commit_group(group);
            }
            is_refused = false;
            if needs_index || self.due.load(Ordering::Relaxed) >= MOST_DUE {
                let written = self.write_due_index();
                is_refused = written.is_err();
                if let Err(error) = written {
                    tracing::error!(%error, "lists do not show the latest changes");
                }
            }
        }
    }

    /// Writes the index rows that are due, in a transaction of their own. It has no savepoint: SQLite would store every
    /// page as it was before, and walk over all of them after each statement.
    fn write_due_index(&mut self) -> Result<(), DbError> {
        let immediate = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(immediate)?;
        let mut write = Write::begin(&transaction);
        unless_it_panics(|| write.write_due_index())?;
        let due = write.due.after(0);
        finish(transaction)?;
        self.due.store(due, Ordering::Release);
        Ok(())
    }

    fn commit_group(&mut self, group: Vec<Change>) {
        let begun = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = match begun {
            Ok(transaction) => transaction,
            Err(error) => return refuse_all(group, &DbError::from(error)),
        };
        let before = self.due.load(Ordering::Relaxed);
        let undo = match group.len() {
            1 => Undo::Transaction,
            _ => Undo::Savepoint,
        };
        let applied = apply_all(&transaction, group, before, undo);
        // A reader that sees the commit finds out, too, that index rows are due.
        self.due.fetch_max(applied.due, Ordering::Release);
        let finished = match undo == Undo::Transaction && applied.is_undone {
            // Dropped, it is rolled back. The error of the change is its answer.
            true => {
                drop(transaction);
                Ok(())
            }
            false => finish(transaction),
        };
        let committed = match finished {
            Ok(()) => CommitResult::Yes,
            Err(error) => {
                tracing::error!(%error, "a commit failed");
                CommitResult::No(error)
            }
        };
        if let CommitResult::Yes = committed {
            self.due.store(applied.due, Ordering::Release);
            for event in applied.happened {
                // Nobody listening is no error.
                let _ = self.events.send(Arc::new(event));
            }
        }
        self.commits.send_modify(|number| *number += 1);
        for acknowledge in applied.acknowledgements {
            acknowledge(&committed);
        }
    }
}

/// The changes among some requests, and those who wait for index rows.
fn divided(requests: impl Iterator<Item = Request>) -> (Vec<Change>, Vec<oneshot::Sender<()>>) {
    let (mut changes, mut waiting) = (Vec::new(), Vec::new());
    for request in requests {
        match request {
            Request::Change(change) => changes.push(change),
            Request::DueIndex(written) => waiting.push(written),
        }
    }
    (changes, waiting)
}

/// Sends every waiting caller the reason why the transaction cannot begin.
fn refuse_all(group: Vec<Change>, error: &DbError) {
    tracing::error!(%error, "a commit could not be begun");
    for change in group {
        let (acknowledge, _) = change(Err(error));
        acknowledge(&CommitResult::Yes);
    }
}

/// What the changes of a group have done in the open transaction.
struct AppliedGroup {
    acknowledgements: Vec<Acknowledge>,
    happened: Vec<Event>,
    /// How many nodes have index rows that are due.
    due: u64,
    /// Whether the last change failed.
    is_undone: bool,
}

fn apply_all(
    transaction: &Transaction<'_>,
    group: Vec<Change>,
    due: u64,
    undo: Undo,
) -> AppliedGroup {
    let mut applied = AppliedGroup {
        acknowledgements: Vec::with_capacity(group.len()),
        happened: Vec::new(),
        due,
        is_undone: false,
    };
    for change in group {
        let (acknowledge, outcome) = change(Ok((transaction, undo)));
        applied.acknowledgements.push(acknowledge);
        applied.is_undone = matches!(outcome, ChangeOutcome::Undone);
        if let ChangeOutcome::Kept(events, due) = outcome {
            applied.happened.extend(events);
            applied.due = due.after(applied.due);
        }
    }
    applied
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
    connection: Result<(&Connection, Undo), &DbError>,
    change: F,
    reply: oneshot::Sender<Result<T, E>>,
) -> (Acknowledge, ChangeOutcome)
where
    F: FnOnce(&mut Write<'_>) -> Result<T, E>,
    T: 'static,
    E: From<DbError> + 'static,
{
    let outcome = connection.map_err(|error| E::from(loss(error)));
    let outcome = outcome.and_then(|(connection, undo)| carry_out(connection, undo, change));
    let (outcome, applied) = match outcome {
        Ok((value, events, due)) => (Ok(value), ChangeOutcome::Kept(events, due)),
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
fn carry_out<T, E, F>(
    connection: &Connection,
    undo: Undo,
    change: F,
) -> Result<(T, Vec<Event>, DueNodes), E>
where
    F: FnOnce(&mut Write<'_>) -> Result<T, E>,
    E: From<DbError>,
{
    let mut write = Write::begin(connection);
    let change = || change(&mut write);
    let value = match undo {
        Undo::Savepoint => in_savepoint(connection, change)?,
        Undo::Transaction => unless_it_panics(change)?,
    };
    Ok((value, write.events, write.due))
}

#[cfg(test)]
mod tests;
