//! The snapshot from which lists are read.

use std::ops::Deref;

use crate::{DbError, Read, Write};

/// A snapshot in which no index rows are due of what was committed before it was asked for. Whatever reads
/// `listing`, or the values of nodes, asks for one.
pub struct Lists<'c>(Read<'c>);

impl<'c> Lists<'c> {
    /// Only after the due index rows were written.
    pub(crate) fn of(read: Read<'c>) -> Lists<'c> {
        Lists(read)
    }
}

impl<'c> Deref for Lists<'c> {
    type Target = Read<'c>;
    fn deref(&self) -> &Read<'c> {
        &self.0
    }
}

impl<'c> Write<'c> {
    /// The lists as they are within the change.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn lists(&mut self) -> Result<Lists<'c>, DbError> {
        self.write_due_index()?;
        Ok(Lists::of(self.read))
    }
}
