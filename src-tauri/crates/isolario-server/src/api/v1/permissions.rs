//! What the actor may do with the items and media of a list, by the policy that decides the requests themselves.

use super::request_context::ViewerSnapshot;
use super::responses::{ItemPermissions, MediaPermissions};
use isolario_db::{ItemRow, MediaRow};
use isolario_derive::is_picture;
use isolario_model::content::{EntityKind, TermRole};
use isolario_model::policy::permission::{Operation, Subject, may, may_create_some};

impl ViewerSnapshot<'_> {
    /// What may be done with an item.
    pub(super) fn item_permissions(&self, row: &ItemRow) -> ItemPermissions {
        let subject = Subject {
            kind: EntityKind::Node,
            id: row.nid,
            bundle: &row.bundle,
            owner: row.owner,
            published: row.published,
        };
        let update = self.allows(Operation::Update, &subject);
        let types = self.model().bundles_of(EntityKind::Media);
        let types = types.map(|bundle| bundle.id.as_str());
        ItemPermissions {
            update,
            delete: self.allows(Operation::Delete, &subject),
            add_media: update && may_create_some(&self.context.actor, EntityKind::Media, types),
        }
    }

    /// What may be done with a media.
    pub(super) fn media_permissions(&self, row: &MediaRow) -> MediaPermissions {
        let subject = Subject {
            kind: EntityKind::Media,
            id: row.mid,
            bundle: &row.bundle,
            owner: row.owner,
            published: row.published,
        };
        let update = self.allows(Operation::Update, &subject);
        let file = row.file.as_ref();
        let is_picture =
            row.has_use(TermRole::OriginalFile) && file.is_some_and(|file| is_picture(&file.mime));
        MediaPermissions {
            update,
            adjust: update && is_picture,
            replace: self.allows(Operation::ReplaceBytes, &subject),
            delete: self.allows(Operation::Delete, &subject),
        }
    }

    fn allows(&self, operation: Operation, subject: &Subject<'_>) -> bool {
        may(&self.context.actor, operation, subject).is_ok()
    }
}
