//! Whether an actor may view a node, media, term or file, and the target of a reference: the policy with the facts it
//! needs.

use std::sync::Arc;

use isolario_db::{DbError, MediaFacts, Read};
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
        EntityKind::Media => read.item_facts(&entity.references(&field_roles().media_of), actor)?,
        _ => Vec::new(),
    };
    Ok(isolario_model::policy::may_view(actor, &read.subject(actor, entity)?, &items).err())
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
        EntityKind::Media => read.item_facts(&read.nodes_of_media(target.id)?, actor)?,
        EntityKind::Node | EntityKind::Term => Vec::new(),
    };
    Ok(
        isolario_model::policy::may_view(actor, &read.target_subject(actor, target)?, &items)
            .is_ok(),
    )
}

/// Whether somebody may have a file: whoever may see a media that uses it. A file that nothing uses is its owner's, and
/// theirs who administer media.
///
/// # Errors
/// What the database refuses.
pub fn may_view_file(read: &Read<'_>, actor: &Actor, file: &FileRecord) -> Result<bool, DbError> {
    Ok(may_view_by(
        &read.media_facts_of_file(file.fid, &[actor])?,
        actor,
        file,
    ))
}

/// As `may_view_file`, for one or the other of two actors.
///
/// # Errors
/// What the database refuses.
pub fn may_both_view_file(
    read: &Read<'_>,
    [one, other]: [&Actor; 2],
    file: &FileRecord,
) -> Result<[bool; 2], DbError> {
    let users = read.media_facts_of_file(file.fid, &[one, other])?;
    Ok([one, other].map(|actor| may_view_by(&users, actor, file)))
}

fn may_view_by(users: &[MediaFacts], actor: &Actor, file: &FileRecord) -> bool {
    let may_view = |media: &MediaFacts| {
        let subject = Subject {
            kind: EntityKind::Media,
            id: media.id,
            bundle: "",
            owner: media.owner,
            published: media.published,
            collections: Vec::new(),
        };
        isolario_model::policy::may_view(actor, &subject, &media.items).is_ok()
    };
    users.iter().any(may_view) || (users.is_empty() && may_view_alone(actor, file))
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
    let target = visible_shared_target(read, actor, kind, id)?;
    Ok(target.map(Arc::unwrap_or_clone))
}

/// As `visible_target`, without a copy of what is cached.
///
/// # Errors
/// What the database refuses.
pub fn visible_shared_target(
    read: &Read<'_>,
    actor: &Actor,
    kind: EntityKind,
    id: i64,
) -> Result<Option<Arc<Target>>, DbError> {
    let Some(target) = read.shared_target(kind, id)? else {
        return Ok(None);
    };
    Ok(may_view_target(read, actor, &target)?.then_some(target))
}
