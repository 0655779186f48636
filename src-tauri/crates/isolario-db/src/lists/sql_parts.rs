//! SQL put together from parts, each with its values.

use rusqlite::types::Value;

/// Up to so many nodes are sorted, or counted one by one.
pub(super) const FEW: i64 = 10_000;

/// A piece of SQL with the values of its `?` in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Query {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Query {
    /// SQL that needs no values.
    pub(super) fn new(sql: &str) -> Query {
        Query {
            sql: sql.to_owned(),
            values: Vec::new(),
        }
    }

    /// SQL with whole numbers for its `?`.
    pub(super) fn with(sql: &str, values: &[i64]) -> Query {
        Query {
            sql: sql.to_owned(),
            values: values.iter().map(|value| Value::Integer(*value)).collect(),
        }
    }

    /// Adds SQL after a space.
    pub(super) fn push(&mut self, sql: &str) -> &mut Query {
        self.sql.push(' ');
        self.sql.push_str(sql);
        self
    }

    /// Adds the value for a `?`.
    pub(super) fn bind(&mut self, value: impl Into<Value>) -> &mut Query {
        self.values.push(value.into());
        self
    }

    /// Adds another piece after a space.
    pub(super) fn append(&mut self, other: &Query) -> &mut Query {
        self.push(&other.sql);
        self.values.extend(other.values.iter().cloned());
        self
    }

    /// Adds `AND` and a condition.
    pub(super) fn and(&mut self, condition: &Query) -> &mut Query {
        self.push("AND").append(condition)
    }
}
