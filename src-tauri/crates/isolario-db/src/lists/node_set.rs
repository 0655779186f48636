//! A set of nodes that narrows a list: what a search has found.

use std::sync::Arc;

use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error};

use super::filter::{Filter, SizeEstimate};
use super::list_sql::FEW;
use super::sql_parts::Query;

/// Nodes by their ids.
#[derive(Debug, Clone, Default)]
pub struct NodeSet {
    /// A bit for each id, the lowest of the first byte for 0.
    bits: Arc<[u8]>,
    /// Up to `FEW` of the ids, as a JSON array.
    first: Arc<str>,
    count: i64,
}

impl NodeSet {
    /// The set of some ids. Those below zero belong to no node.
    pub fn new(ids: &[i64]) -> NodeSet {
        let places = ids.iter().filter_map(|id| usize::try_from(*id).ok());
        let bytes = places.clone().max().map_or(0, |last| last / 8 + 1);
        let mut bits = vec![0; bytes];
        places.for_each(|id| bits[id / 8] |= 1 << (id % 8));
        let few = usize::try_from(FEW).unwrap_or(usize::MAX);
        let first: Vec<String> = ids.iter().take(few).map(i64::to_string).collect();
        NodeSet {
            bits: bits.into(),
            first: format!("[{}]", first.join(",")).into(),
            count: i64::try_from(ids.len()).unwrap_or(i64::MAX),
        }
    }

    /// The filter of a list by the set. The ids are distinct, and of nodes that the viewer may see.
    pub(super) fn filter(&self) -> Filter {
        let mut condition = Query::new("has_node(?, l.node)");
        condition.bind(self.bits.to_vec());
        let mut candidates = Query::new("SELECT f.value AS id FROM json_each(?) f");
        candidates.bind(self.first.to_string());
        Filter {
            condition,
            candidates,
            size: SizeEstimate::Known(self.count),
        }
    }
}

/// Lets the SQL of a connection ask whether a set has a node.
pub(crate) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_DIRECTONLY;
    connection.create_scalar_function("has_node", 2, flags, |arguments| {
        let ValueRef::Blob(bits) = arguments.get_raw(0) else {
            return Err(Error::InvalidParameterName("has_node".into()));
        };
        let id: i64 = arguments.get(1)?;
        let byte = usize::try_from(id).ok().and_then(|id| bits.get(id / 8));
        Ok(byte.is_some_and(|byte| byte >> (id % 8) & 1 == 1))
    })
}
