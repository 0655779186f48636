//! What a batch changes together.

use std::collections::HashSet;

use isolario_db::{DbError, Read};
use isolario_model::content::EntityKind;

/// The nodes of the same batch.
#[derive(Debug)]
pub(super) enum Company {
    Batch(i64),
    /// Before there is a batch.
    Nodes(HashSet<i64>),
}

impl Company {
    /// # Errors
    /// What the database refuses.
    pub(super) fn includes(&self, read: &Read<'_>, nid: i64) -> Result<bool, DbError> {
        match self {
            Company::Batch(batch) => read.is_in_batch(*batch, EntityKind::Node, nid),
            Company::Nodes(nodes) => Ok(nodes.contains(&nid)),
        }
    }
}
