//! Looks up the targets of references for one actor in one snapshot. A target that the actor may not view is not found.

use std::cell::RefCell;

use super::view_entity::visible_target;
use isolario_db::{DbError, Read};
use isolario_model::content::{EntityKind, Target};
use isolario_model::fields::ReferenceLookup;
use isolario_model::policy::Actor;

/// The targets that an actor may refer to. The first database error is stored, and `settle` returns it.
pub struct PermittedReferences<'a> {
    read: &'a Read<'a>,
    actor: &'a Actor,
    failure: RefCell<Option<DbError>>,
}

impl<'a> PermittedReferences<'a> {
    /// Lookups in `read` on behalf of `actor`.
    pub fn new(read: &'a Read<'a>, actor: &'a Actor) -> PermittedReferences<'a> {
        PermittedReferences {
            read,
            actor,
            failure: RefCell::new(None),
        }
    }

    /// The answer, unless a lookup failed.
    ///
    /// # Errors
    /// The first error any look-up met.
    pub fn settle<T>(self, answer: T) -> Result<T, DbError> {
        match self.failure.into_inner() {
            Some(error) => Err(error),
            None => Ok(answer),
        }
    }

    fn or_record<T>(&self, outcome: Result<Option<T>, DbError>) -> Option<T> {
        outcome.unwrap_or_else(|error| {
            self.failure.borrow_mut().get_or_insert(error);
            None
        })
    }
}

impl ReferenceLookup for PermittedReferences<'_> {
    fn target(&self, kind: EntityKind, id: i64) -> Option<Target> {
        self.or_record(visible_target(self.read, self.actor, kind, id))
    }

    fn id_of_uuid(&self, kind: EntityKind, uuid: &str) -> Option<i64> {
        let id = self.or_record(self.read.id_of_uuid(kind, uuid))?;
        Some(self.target(kind, id)?.id)
    }
}
