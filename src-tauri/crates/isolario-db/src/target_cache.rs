//! What a reader remembers of the things that references lead to, as long as nothing was committed.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use isolario_model::content::{EntityKind, Target};

/// Terms, people and collections that many resources refer to, of one version of the database.
#[derive(Default)]
pub(super) struct TargetCache {
    version: Cell<i64>,
    targets: RefCell<HashMap<(EntityKind, i64), Option<Target>>>,
}

/// References remembered at most: a bound on memory, above what a model's vocabularies need.
const MOST: usize = 1024;

impl TargetCache {
    /// Forgets everything that was read from another version.
    pub(super) fn keep_only(&self, version: i64) {
        if self.version.replace(version) != version {
            self.targets.borrow_mut().clear();
        }
    }

    /// The target as remembered, else as found, which is remembered.
    pub(super) fn or_find<E>(
        &self,
        kind: EntityKind,
        id: i64,
        find: impl FnOnce() -> Result<Option<Target>, E>,
    ) -> Result<Option<Target>, E> {
        if let Some(known) = self.targets.borrow().get(&(kind, id)) {
            return Ok(known.clone());
        }
        let found = find()?;
        let mut targets = self.targets.borrow_mut();
        if targets.len() >= MOST {
            targets.clear();
        }
        targets.insert((kind, id), found.clone());
        Ok(found)
    }
}
