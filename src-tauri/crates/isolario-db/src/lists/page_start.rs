//! The start of a page of a list: after the last row of another page, or after a number of rows.

use super::cursor::Cursor;

/// The start of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    /// After a row, or at the top. It costs the same anywhere in a list.
    After(Option<Cursor>),
    /// After so many rows. These are skipped in the index, without being read.
    At(i64),
}

impl From<Option<&Cursor>> for Start {
    fn from(cursor: Option<&Cursor>) -> Start {
        Start::After(cursor.cloned())
    }
}

impl Start {
    pub(super) fn cursor(&self) -> Option<&Cursor> {
        match self {
            Start::After(cursor) => cursor.as_ref(),
            Start::At(_) => None,
        }
    }

    /// Rows to skip.
    pub(super) fn skipped(&self) -> i64 {
        match self {
            Start::After(_) => 0,
            Start::At(rows) => (*rows).max(0),
        }
    }
}

/// A stretch of a list that one index walk covers: the rows with a key, then the rows without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stretch {
    Keyed,
    Unkeyed,
}

/// A part of a stretch: so many rows after a cursor, or after so many other rows.
#[derive(Clone, Copy)]
pub(super) struct Span<'c> {
    pub(super) stretch: Stretch,
    pub(super) after: Option<&'c Cursor>,
    pub(super) skipped: i64,
    pub(super) limit: usize,
}

impl Span<'_> {
    /// The same part, with the rows that it would skip.
    pub(super) fn unskipped(&self) -> Self {
        let limit = match self.skipped {
            0 => self.limit,
            _ => usize::MAX,
        };
        Span {
            skipped: 0,
            limit,
            ..*self
        }
    }
}
