//! Where a page of a list begins: behind the last row of another page, or at a place counted from the top.

use super::cursor::Cursor;
use super::order::Stretch;

/// The beginning of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    /// Behind a row, or at the top. Costs the same anywhere in a list.
    After(Option<Cursor>),
    /// Behind so many rows. These are walked past in the index, without being read.
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

    /// Rows to be walked past.
    pub(super) fn skipped(&self) -> i64 {
        match self {
            Start::After(_) => 0,
            Start::At(rows) => (*rows).max(0),
        }
    }
}

/// A part of a stretch: so many rows behind a cursor, or behind so many others.
#[derive(Clone, Copy)]
pub(super) struct Span<'c> {
    pub(super) stretch: Stretch,
    pub(super) after: Option<&'c Cursor>,
    pub(super) skipped: i64,
    pub(super) limit: usize,
}

impl Span<'_> {
    /// The same, with the rows that would be passed over.
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
