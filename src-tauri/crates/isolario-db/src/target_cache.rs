//! Caches the targets of references for a reader, until the next commit.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use isolario_model::content::{EntityKind, Target};

/// The resource of a kind with an id, if it is there.
type Found = Option<Arc<Target>>;

/// The cached targets of one version of the database: mostly terms, accounts and collections.
#[derive(Default)]
pub(super) struct TargetCache {
    version: Cell<i64>,
    targets: RefCell<HashMap<(EntityKind, i64), Found>>,
}

/// The most targets in the cache. The vocabularies of a content model need fewer.
const MOST: usize = 1024;

impl TargetCache {
    /// Empties the cache if it is of another version.
    pub(super) fn keep_only(&self, version: i64) {
        if self.version.replace(version) != version {
            self.targets.borrow_mut().clear();
        }
    }

    /// The cached target. If there is none, finds it and caches it.
    pub(super) fn or_find<E>(
        &self,
        kind: EntityKind,
        id: i64,
        find: impl FnOnce() -> Result<Option<Target>, E>,
    ) -> Result<Found, E> {
        if let Some(known) = self.targets.borrow().get(&(kind, id)) {
            return Ok(known.clone());
        }
        let found = find()?.map(Arc::new);
        let mut targets = self.targets.borrow_mut();
        if targets.len() >= MOST {
            targets.clear();
        }
        targets.insert((kind, id), found.clone());
        Ok(found)
    }
}
