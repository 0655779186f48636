//! A set of ids that narrows a list: the nodes that a search has found, or what a report is of.

use std::sync::Arc;

use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error};

use super::sql_parts::{FEW, Query};

/// Resources of one kind by their ids.
#[derive(Debug, Clone, Default)]
pub struct IdSet {
    /// A bit for each id, the lowest of the first byte for 0.
    bits: Arc<[u8]>,
    /// Up to `FEW` of the ids, as a JSON array.
    first: Arc<str>,
    count: i64,
}

impl IdSet {
    /// The set of some ids. Those below zero belong to nothing.
    pub fn new(ids: &[i64]) -> IdSet {
        let places = ids.iter().filter_map(|id| usize::try_from(*id).ok());
        let bytes = places.clone().max().map_or(0, |last| last / 8 + 1);
        let mut bits = vec![0; bytes];
        places.for_each(|id| bits[id / 8] |= 1 << (id % 8));
        let few = usize::try_from(FEW).unwrap_or(usize::MAX);
        let first: Vec<String> = ids.iter().take(few).map(i64::to_string).collect();
        IdSet {
            bits: bits.into(),
            first: format!("[{}]", first.join(",")).into(),
            count: i64::try_from(ids.len()).unwrap_or(i64::MAX),
        }
    }

    /// Whether an id is one of them.
    pub fn contains(&self, id: i64) -> bool {
        has_bit(&self.bits, id)
    }

    /// A bit for each id, as `has_id` takes them.
    pub(crate) fn bits(&self) -> &[u8] {
        &self.bits
    }

    /// How many ids there are.
    pub(super) fn count(&self) -> i64 {
        self.count
    }

    /// The condition that the set has the id in a column.
    pub(super) fn has(&self, column: &str) -> Query {
        let mut query = Query::new(&format!("has_id(?, {column})"));
        query.bind(self.bits.to_vec());
        query
    }

    /// A SELECT of one column `id`: up to `FEW` of the ids.
    pub(super) fn first(&self) -> Query {
        let mut query = Query::new("SELECT f.value AS id FROM json_each(?) f");
        query.bind(self.first.to_string());
        query
    }
}

/// Lets the SQL of a connection ask whether a set has an id.
pub(crate) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_DIRECTONLY;
    connection.create_scalar_function("has_id", 2, flags, |arguments| {
        let ValueRef::Blob(bits) = arguments.get_raw(0) else {
            return Err(Error::InvalidParameterName("has_id".into()));
        };
        let id: i64 = arguments.get(1)?;
        Ok(has_bit(bits, id))
    })
}

fn has_bit(bits: &[u8], id: i64) -> bool {
    let byte = usize::try_from(id).ok().and_then(|id| bits.get(id / 8));
    byte.is_some_and(|byte| byte >> (id % 8) & 1 == 1)
}
