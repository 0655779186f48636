//! What a change writes.

use rusqlite::Connection;

use super::savepoint::in_savepoint;
use super::{DbError, Event, Read};

/// The nodes whose index rows a change has made due. A node that was due already is counted again.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DueNodes {
    added: u64,
    /// Whether all nodes that were due before were written.
    is_written: bool,
}

impl DueNodes {
    /// All were written, and none was added since.
    pub(super) fn written() -> DueNodes {
        DueNodes {
            added: 0,
            is_written: true,
        }
    }

    pub(super) fn add(&mut self) {
        self.added += 1;
    }

    /// How many nodes are due after the change, of those that were due before it.
    pub(super) fn after(self, before: u64) -> u64 {
        match self.is_written {
            true => self.added,
            false => before + self.added,
        }
    }
}

/// A change in the open transaction. It offers every query of a reader, and sees its own writes.
///
/// What changes a resource, file, account, role, rule or setting demands that the policy permits it in this
/// transaction:
/// ```
/// # use isolario_db::{Db, DbError};
/// # use isolario_model::content::Entity;
/// # use isolario_model::policy::{Actor, Operation, Subject, permit};
/// async fn create(db: &Db, actor: Actor, page: Entity) -> Result<i64, DbError> {
///     db.write(move |write| {
///         let permitted = permit(&actor, Operation::Create, &Subject::of(&page))?;
///         write.insert_entity(&permitted, &page)
///     })
///     .await
/// }
/// ```
/// It cannot be forgotten:
/// ```compile_fail,E0061
/// # use isolario_db::{Db, DbError};
/// # use isolario_model::content::Entity;
/// async fn create(db: &Db, page: Entity) -> Result<i64, DbError> {
///     db.write(move |write| write.insert_entity(&page)).await
/// }
/// ```
/// Nor can it be decided before the transaction:
/// ```compile_fail,E0521
/// # use isolario_db::{Db, DbError};
/// # use isolario_model::content::Entity;
/// # use isolario_model::policy::{Actor, Operation, Subject, permit};
/// async fn create(db: &Db, actor: Actor, page: Entity) -> Result<i64, DbError> {
///     let permitted = permit(&actor, Operation::Create, &Subject::of(&page))?;
///     db.write(move |write| write.insert_entity(&permitted, &page)).await
/// }
/// ```
pub struct Write<'c> {
    pub(super) read: Read<'c>,
    pub(super) events: Vec<Event>,
    pub(super) due: DueNodes,
}

impl<'c> std::ops::Deref for Write<'c> {
    type Target = Read<'c>;
    fn deref(&self) -> &Read<'c> {
        &self.read
    }
}

impl<'c> Write<'c> {
    /// A change that has written nothing yet.
    pub(super) fn begin(connection: &'c Connection) -> Write<'c> {
        Write {
            read: Read {
                connection,
                known: None,
            },
            events: Vec::new(),
            due: DueNodes::default(),
        }
    }

    /// Makes a part of the change that may fail alone: then nothing of the part is stored, and the rest stands.
    ///
    /// # Errors
    /// Those of the part.
    pub fn attempt<T, E: From<DbError>>(
        &mut self,
        part: impl FnOnce(&mut Write<'c>) -> Result<T, E>,
    ) -> Result<T, E> {
        let (connection, events, due) = (self.read.connection, self.events.len(), self.due);
        let outcome = in_savepoint(connection, || part(self));
        if outcome.is_err() {
            self.events.truncate(events);
            self.due = due;
        }
        outcome
    }
}
