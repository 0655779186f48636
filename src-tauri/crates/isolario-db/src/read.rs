//! What a query reads.

use rusqlite::Connection;

use super::target_cache::TargetCache;

/// A snapshot of the database. Its queries are in the files of the tables.
#[derive(Clone, Copy)]
pub struct Read<'c> {
    pub(super) connection: &'c Connection,
    /// The cached targets of references in this snapshot; `None` within a change.
    pub(super) known: Option<&'c TargetCache>,
}
