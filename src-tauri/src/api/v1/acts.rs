//! What whoever asks may do with the things of a list, by the same policy that answers when they try.

use serde::Serialize;
use utoipa::ToSchema;

use super::shown::Shown;
use crate::auth::permission::{Operation, Subject, may, may_create_some};
use crate::content::EntityKind;
use crate::db::{ItemRow, MediaRow};

/// What whoever asks may do with an item.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ItemActs {
    /// Describe, publish as far as that is for them, move and reorder it.
    pub update: bool,
    pub delete: bool,
    /// Give it a media of at least one type.
    pub add_media: bool,
}

/// What whoever asks may do with a media.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MediaActs {
    pub update: bool,
    /// Give it other bytes.
    pub replace: bool,
    pub delete: bool,
}

impl Shown<'_> {
    /// What may be done with an item.
    pub(super) fn item_acts(&self, row: &ItemRow) -> ItemActs {
        let subject = Subject {
            kind: EntityKind::Node,
            bundle: &row.bundle,
            owner: row.owner,
            published: row.published,
        };
        let update = self.allows(Operation::Update, &subject);
        let types = self.model().bundles_of(EntityKind::Media);
        let types = types.map(|bundle| bundle.id.as_str());
        ItemActs {
            update,
            delete: self.allows(Operation::Delete, &subject),
            add_media: update && may_create_some(&self.asked.actor, EntityKind::Media, types),
        }
    }

    /// What may be done with a media.
    pub(super) fn media_acts(&self, row: &MediaRow) -> MediaActs {
        let subject = Subject {
            kind: EntityKind::Media,
            bundle: &row.bundle,
            owner: row.owner,
            published: row.published,
        };
        MediaActs {
            update: self.allows(Operation::Update, &subject),
            replace: self.allows(Operation::ReplaceBytes, &subject),
            delete: self.allows(Operation::Delete, &subject),
        }
    }

    fn allows(&self, operation: Operation, subject: &Subject<'_>) -> bool {
        may(&self.asked.actor, operation, subject).is_ok()
    }
}
