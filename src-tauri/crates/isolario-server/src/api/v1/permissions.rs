//! What the actor may do with the items and media of a list, by the policy that decides the requests themselves.

use super::request_context::ViewerSnapshot;
use super::responses::{ItemPermissions, MediaPermissions};
use isolario_db::{DbError, ItemRow, MediaRow};
use isolario_derive::is_picture;
use isolario_model::content::{EntityKind, TermRole, model_roles};
use isolario_model::policy::permission::{Operation, Subject, may, may_create};

impl ViewerSnapshot<'_> {
    /// What may be done with an item.
    pub(super) fn item_permissions(&self, row: &ItemRow) -> Result<ItemPermissions, DbError> {
        let actor = &self.context.actor;
        let subject = Subject {
            kind: EntityKind::Node,
            id: row.nid,
            bundle: &row.bundle,
            owner: row.owner,
            published: row.published,
            collections: self.read.collections_for(&[actor], &[row.nid])?,
        };
        let update = self.allows(Operation::Update, &subject);
        let mut types = self.model().bundles_of(EntityKind::Media);
        let item = &model_roles().bundles.item;
        let may_add = |bundle: &str| {
            may_create(actor, EntityKind::Media, bundle, &subject.collections).is_ok()
        };
        Ok(ItemPermissions {
            update,
            delete: self.allows(Operation::Delete, &subject),
            share: self.allows(Operation::Share, &subject),
            add_media: update && types.any(|bundle| may_add(&bundle.id)),
            add_item: may_create(actor, EntityKind::Node, item, &subject.collections).is_ok(),
        })
    }

    /// What may be done with a media.
    pub(super) fn media_permissions(&self, row: &MediaRow) -> Result<MediaPermissions, DbError> {
        let actor = &self.context.actor;
        let subject = Subject {
            kind: EntityKind::Media,
            id: row.mid,
            bundle: &row.bundle,
            owner: row.owner,
            published: row.published,
            collections: self.read.collections_for(&[actor], &row.nodes)?,
        };
        let update = self.allows(Operation::Update, &subject);
        let file = row.file.as_ref();
        let is_picture =
            row.has_use(TermRole::OriginalFile) && file.is_some_and(|file| is_picture(&file.mime));
        Ok(MediaPermissions {
            update,
            adjust: update && is_picture,
            replace: self.allows(Operation::ReplaceBytes, &subject),
            delete: self.allows(Operation::Delete, &subject),
        })
    }

    fn allows(&self, operation: Operation, subject: &Subject<'_>) -> bool {
        may(&self.context.actor, operation, subject).is_ok()
    }
}
