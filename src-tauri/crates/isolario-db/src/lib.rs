//! All SQL. Each table has a file. `writer` groups changes into commits, `readers` runs queries. No other crate uses
//! `rusqlite`.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod access_token;
mod address;
mod backup;
mod batch;
mod batch_outcome;
mod blob;
mod copy;
mod derivative;
mod derivative_page;
mod entity;
mod error;
mod event;
mod event_arrivals;
mod field_index;
mod file;
mod file_facts;
mod file_version;
mod fixity;
mod harvest;
mod identity;
mod index_due;
mod integrity;
mod job;
mod lists;
mod migrations;
mod model_effect;
mod openid_identity;
mod permitted;
mod pushed;
mod read;
mod readers;
mod record;
mod record_event;
mod reference;
mod revision;
mod role;
mod saved_search;
mod savepoint;
mod search_feed;
mod session;
mod setting;
mod share_link;
mod state;
mod subject;
mod target_cache;
mod term_trace;
mod trash;
mod upload;
mod user;
mod watch_file;
mod watch_page;
mod watch_rule;
mod write;
mod writer;

use std::path::Path;
use std::sync::Arc;

use tokio::sync::{broadcast, watch};

pub use access_token::{AccessToken, NewAccessToken};
pub use address::{Destination, PathAlias};
pub use backup::BackupRun;
pub use batch::{Batch, BatchItem, BatchItemState, BatchState, NewBatch};
pub use blob::BlobIntent;
pub use derivative::Ending;
pub use derivative_page::{DerivativeCount, DerivativeFilter};
pub use error::DbError;
pub use event::{Event, EventFilter, NewEvent};
pub use event_arrivals::EventArrivals;
pub use file::{NewFile, NewFileVersion};
pub use file_version::StoredVersion;
pub use fixity::{AmissVersion, FixityCounts, FixityRecord};
pub use harvest::{HarvestEntry, HarvestProgress, HarvestRange};
pub use identity::IdentitySummary;
pub use integrity::DanglingReference;
pub use job::{Backlog, INVENTORY, Job, RECORD};
pub use lists::*;
pub use model_effect::ResourceCount;
pub use pushed::Pushed;
pub use read::Read;
pub use reference::MediaFacts;
pub use revision::{NewRevision, RevisionSummary};
pub use role::RoleRecord;
pub use saved_search::NewSavedSearch;
pub use session::SessionRecord;
pub use share_link::{NewShareLink, ShareLink};
pub use state::{DatabaseState, look_into, state_of};
pub use trash::{Deletion, TrashContent, TrashRow};
pub use upload::{UploadRecord, forget_unfinished_uploads};
pub use user::{Credentials, NewUser, SecondFactor};
pub use watch_file::{NewWatchedFile, WatchCount};
pub use watch_rule::WatchRuleRecord;
pub use write::Write;

/// Name of the database in a data directory.
pub const DATABASE: &str = "isolario.db";

/// The database of one repository: one writer, many readers. Cheap to clone.
#[derive(Clone)]
pub struct Db {
    writer: writer::Writer,
    readers: Arc<readers::Readers>,
    events: broadcast::Sender<Arc<Event>>,
    commits: watch::Receiver<u64>,
}

impl Db {
    /// Opens the database file. It makes or migrates it if necessary.
    ///
    /// # Errors
    /// `DbError::Newer` when a newer program made it; `DbError::Disk` or `DbError::Sqlite` for everything the disk or
    /// the file itself refuses.
    pub fn open(path: &Path) -> Result<Db, DbError> {
        let connection = migrations::open(path)?;
        let (events, _) = broadcast::channel(4096);
        let (committed, commits) = watch::channel(0);
        Ok(Db {
            writer: writer::Writer::start(connection, events.clone(), committed)?,
            readers: Arc::new(readers::Readers::new(path)?),
            events,
            commits,
        })
    }

    /// Opens the database file for reading, also on a read-only disk. It makes and migrates nothing, and refuses every
    /// change.
    ///
    /// # Errors
    /// As `open`.
    pub fn inspect(path: &Path) -> Result<Db, DbError> {
        let (events, _) = broadcast::channel(1);
        Ok(Db {
            writer: writer::Writer::closed(),
            readers: Arc::new(readers::Readers::looking(path)?),
            commits: watch::channel(0).1,
            events,
        })
    }

    /// Runs a change. It shares a commit with other waiting changes and is on disk when this returns.
    /// When `change` fails, nothing of it is stored, and the others are not affected.
    pub async fn write<T, E, F>(&self, change: F) -> Result<T, E>
    where
        F: FnOnce(&mut Write<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        self.writer.submit(change).await
    }

    /// Runs a query on the connection of a reader, in one snapshot, off the async threads.
    pub async fn read<T, E, F>(&self, question: F) -> Result<T, E>
    where
        F: FnOnce(&Read<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        let readers = self.readers.clone();
        tokio::task::spawn_blocking(move || readers.with(question))
            .await
            .unwrap_or_else(|_| Err(E::from(DbError::Closed)))
    }

    /// As `read`, for lists: first it writes the index rows that are due, so that each list shows every change that was
    /// committed before.
    pub async fn read_lists<T, E, F>(&self, question: F) -> Result<T, E>
    where
        F: FnOnce(&Lists<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        self.writer.write_due_index().await;
        self.read(move |read| question(&Lists::of(*read))).await
    }

    /// As `read`, on the calling thread. It is for a few look-ups by key, which cost less than another thread, and for
    /// threads that may block. In a request, a query of a list uses `read`.
    ///
    /// # Errors
    /// Those of the query, and what the database refuses.
    pub fn read_here<T, E: From<DbError>>(
        &self,
        question: impl FnOnce(&Read<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.readers.with(question)
    }

    /// Receives the events that are committed from now on.
    pub fn events(&self) -> broadcast::Receiver<Arc<Event>> {
        self.events.subscribe()
    }

    /// Says from now on that events were committed.
    pub fn event_arrivals(&self) -> EventArrivals {
        EventArrivals::of(self.events())
    }

    /// The number of commits since the database was opened. It grows before a change is acknowledged, and after readers
    /// see it.
    pub fn commit_number(&self) -> u64 {
        *self.commits.borrow()
    }

    /// The number of commits since the database was opened. A change of it wakes the receiver.
    pub fn commits(&self) -> watch::Receiver<u64> {
        self.commits.clone()
    }
}

#[cfg(test)]
mod tests;
