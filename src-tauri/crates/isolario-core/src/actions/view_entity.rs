//! Whether an actor may view a node, media, term or file, and the target of a reference: the policy with the facts it
//! needs.

use isolario_db::{DbError, Read};
use isolario_model::content::{Entity, EntityKind, FileRecord, Target, field_roles};
use isolario_model::policy::{Actor, Denial, Subject};

/// Decides whether an actor may view a given state of a node, media or term: the current one, a former one or that in
/// the trash. `None`: the actor may. Otherwise the refusal. A media depends on the items that it belongs to in the
/// given state, as these are now.
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

/// Whether an actor may view a given state of a node, media or term.
///
/// # Errors
/// What the database refuses.
pub fn may_view(read: &Read<'_>, actor: &Actor, entity: &Entity) -> Result<bool, DbError> {
    Ok(refusal_to_view(read, actor, entity)?.is_none())
}

/// Whether an actor may view the target of a reference. For other actors the target does not exist. An account may be
/// named as owner or author even if it is hidden.
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

/// Whether somebody may have a file: whoever may see a media that uses it. A file that nothing uses is its owner's, and
/// theirs who administer media.
///
/// # Errors
/// What the database refuses.
pub fn may_view_file(read: &Read<'_>, actor: &Actor, file: &FileRecord) -> Result<bool, DbError> {
    let users = read.media_using_file(file.fid)?;
    for media in &users {
        if may_view_target(read, actor, media)? {
            return Ok(true);
        }
    }
    Ok(users.is_empty() && may_view_alone(actor, file))
}

/// Whether somebody may have a file that nothing uses.
pub(super) fn may_view_alone(actor: &Actor, file: &FileRecord) -> bool {
    isolario_model::policy::may_view(actor, &Subject::of_file(file), &[]).is_ok()
}

/// The live resource that a request names by its id, if the actor may view it.
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
