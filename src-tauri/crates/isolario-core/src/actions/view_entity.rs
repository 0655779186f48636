//! Whether an actor may view a node, media or term, and the target of a reference: the policy with the facts it needs.

use super::view_file::may_view_file;
use isolario_db::{DbError, Read};
use isolario_model::content::{Entity, EntityKind, Target, field_roles};
use isolario_model::policy::{Actor, Denial, Subject};

/// Nothing, or the words that refuse the sight of a node, media or term: in the state that is given, which may be a former
/// one or that in the trash. A media is judged by the items that it belongs to in that state, as they are now.
///
/// # Errors
/// What the database refuses.
pub fn refusal_to_view(
    read: &Read<'_>,
    actor: &Actor,
    entity: &Entity,
) -> Result<Option<Denial>, DbError> {
    let items = match entity.kind {
        EntityKind::Media => read.item_facts(&entity.references(&field_roles().media_of))?,
        _ => Vec::new(),
    };
    Ok(isolario_model::policy::may_view(actor, &Subject::of(entity), &items).err())
}

/// Whether somebody may see a node, media or term in the state that is given.
///
/// # Errors
/// What the database refuses.
pub fn may_view(read: &Read<'_>, actor: &Actor, entity: &Entity) -> Result<bool, DbError> {
    Ok(refusal_to_view(read, actor, entity)?.is_none())
}

/// Whether somebody may see what a reference leads to. For others it leads to nothing. An account need not be visible to
/// be named as an owner or author.
///
/// # Errors
/// What the database refuses.
pub fn may_view_target(read: &Read<'_>, actor: &Actor, target: &Target) -> Result<bool, DbError> {
    let items = match target.kind {
        EntityKind::User => return Ok(true),
        EntityKind::File => {
            let file = read.file(target.id)?;
            return file.map_or(Ok(false), |file| may_view_file(read, actor, &file));
        }
        EntityKind::Media => read.item_facts(&read.nodes_of_media(target.id)?)?,
        EntityKind::Node | EntityKind::Term => Vec::new(),
    };
    Ok(isolario_model::policy::may_view(actor, &Subject::of_target(target), &items).is_ok())
}

/// The live thing that a number names in a request, unless it is not there for this actor.
///
/// # Errors
/// What the database refuses.
pub fn visible_target(
    read: &Read<'_>,
    actor: &Actor,
    kind: EntityKind,
    id: i64,
) -> Result<Option<Target>, DbError> {
    let Some(target) = read.target(kind, id)? else {
        return Ok(None);
    };
    Ok(may_view_target(read, actor, &target)?.then_some(target))
}
