//! What a batch moves into the trash or out of it together.

use super::super::Author;
use super::super::delete_item::delete_all;
use super::super::purge::purge_all;
use super::super::restore::restore_all;
use super::super::trashed_item::PermittedPart;
use isolario_blobs::Blobs;
use isolario_db::{DbError, TrashContent, Write};
use isolario_model::content::{ContentModel, EntityKind};

/// A way into the trash or out of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TrashStep {
    Delete,
    Restore,
    Purge,
}

/// What goes to the trash or leaves it together.
pub(super) struct TrashMove<'t> {
    pub(super) step: TrashStep,
    pub(super) parts: Vec<PermittedPart<'t>>,
    /// What the batch names.
    pub(super) target: (EntityKind, i64),
}

impl<'t> TrashMove<'t> {
    /// The media and files of an item.
    pub(super) fn others(&self) -> impl Iterator<Item = &TrashContent> {
        let things = self.parts.iter().map(|(_, part)| part);
        things.filter(|part| part.target() != self.target)
    }

    fn thing(&self) -> Option<&TrashContent> {
        let mut things = self.parts.iter().map(|(_, part)| part);
        things.find(|part| part.target() == self.target)
    }

    /// The label of what the batch names.
    pub(super) fn label(&self) -> &str {
        self.thing().map_or("", TrashContent::label)
    }

    /// Its revision, or the version of a file.
    pub(super) fn revision(&self) -> i64 {
        self.thing().map_or(0, TrashContent::revision)
    }

    /// # Errors
    /// What the database refuses.
    pub(super) fn make(
        &self,
        write: &mut Write<'t>,
        model: &ContentModel,
        blobs: &Blobs,
        author: &Author,
    ) -> Result<(), DbError> {
        match self.step {
            TrashStep::Delete => delete_all(write, &self.parts, author),
            TrashStep::Restore => restore_all(write, model, blobs, &self.parts, author),
            TrashStep::Purge => purge_all(write, &self.parts, author),
        }
    }
}
