//! Answers the field types' questions about other things, for one actor, from one snapshot.

use std::cell::RefCell;

use super::view_file::may_view_file;
use crate::auth::{Actor, Operation, Subject, may};
use crate::content::{EntityKind, Target};
use crate::db::{DbError, Read};
use crate::fields::Lookups;

/// What an actor may refer to. The first database error is kept for the caller to ask after.
pub struct Known<'a> {
    read: &'a Read<'a>,
    actor: &'a Actor,
    failure: RefCell<Option<DbError>>,
}

impl<'a> Known<'a> {
    /// Looks things up in `read` on behalf of `actor`.
    pub fn new(read: &'a Read<'a>, actor: &'a Actor) -> Known<'a> {
        Known {
            read,
            actor,
            failure: RefCell::new(None),
        }
    }

    /// The answer, unless a question could not be asked of the database.
    ///
    /// # Errors
    /// The first error any look-up met.
    pub fn settle<T>(self, answer: T) -> Result<T, DbError> {
        match self.failure.into_inner() {
            Some(error) => Err(error),
            None => Ok(answer),
        }
    }

    fn may_have_file(&self, fid: i64) -> bool {
        let asked = || -> Result<Option<bool>, DbError> {
            let file = self.read.file(fid)?;
            file.map(|file| may_view_file(self.read, self.actor, &file))
                .transpose()
        };
        self.or_note(asked()).unwrap_or(false)
    }

    fn may_view_alone(&self, target: &Target) -> bool {
        may(self.actor, Operation::View, &Subject::of_target(target)).is_ok()
    }

    fn or_note<T>(&self, outcome: Result<Option<T>, DbError>) -> Option<T> {
        outcome.unwrap_or_else(|error| {
            self.failure.borrow_mut().get_or_insert(error);
            None
        })
    }
}

impl Lookups for Known<'_> {
    fn target(&self, kind: EntityKind, id: i64) -> Option<Target> {
        self.or_note(self.read.target(kind, id))
    }

    fn id_of_uuid(&self, kind: EntityKind, uuid: &str) -> Option<i64> {
        self.or_note(self.read.id_of_uuid(kind, uuid))
    }

    fn may_view(&self, target: &Target) -> bool {
        match target.kind {
            // Whoever is named as owner or author need not be visible to be named.
            EntityKind::User => true,
            // Whoever may use a file in a media of their own may have its bytes.
            EntityKind::File => self.may_view_alone(target) || self.may_have_file(target.id),
            _ => self.may_view_alone(target),
        }
    }
}
