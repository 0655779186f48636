//! Field values in the shapes in which they can be sorted, filtered and found.

use serde::{Deserialize, Serialize};

use super::EntityKind;

/// One field value by storage shape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum IndexValue {
    Text(String),
    Number(f64),
    /// Days since 1970-01-01, both included.
    Date {
        first: i64,
        last: i64,
    },
    Reference {
        kind: EntityKind,
        id: i64,
    },
}

/// An index value and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IndexRow {
    pub field: String,
    pub delta: usize,
    pub value: IndexValue,
}
