//! What something is put into: the collections of a node, the items of a media. Whose rights depend on collections
//! needs them in each.

use isolario_db::Read;
use isolario_model::content::{Entity, EntityKind, field_roles};
use isolario_model::policy::{Actor, Operation, PermittedChange, Subject, may, permit};

use super::Refusal;

/// The field that says what something is put into.
pub(super) fn container_field(kind: EntityKind) -> Option<&'static str> {
    match kind {
        EntityKind::Node => Some(&field_roles().member_of),
        EntityKind::Media => Some(&field_roles().media_of),
        EntityKind::Term | EntityKind::File | EntityKind::User => None,
    }
}

/// The nodes that something is directly in.
pub(super) fn containers_of(entity: &Entity) -> Vec<i64> {
    let field = container_field(entity.kind);
    field.map_or_else(Vec::new, |field| entity.references(field))
}

/// Permits to create something in everything that it is put into.
///
/// # Errors
/// `Denied` for the first where the actor may not.
pub(super) fn permit_creation<'t>(
    read: &Read<'t>,
    actor: &Actor,
    entity: &Entity,
) -> Result<PermittedChange<'t>, Refusal> {
    for container in containers_of(entity) {
        permit_in(read, actor, Operation::Create, entity, container)?;
    }
    Ok(permit(
        actor,
        Operation::Create,
        &read.subject(actor, entity)?,
    )?)
}

/// Permits that something is put into other nodes than before, and taken out of some: in each of these, and where it is
/// afterwards.
///
/// # Errors
/// `Denied` for the first where the actor may not.
pub(super) fn permit_move(
    read: &Read<'_>,
    actor: &Actor,
    moved: &Entity,
    before: &[i64],
) -> Result<(), Refusal> {
    let after = containers_of(moved);
    if after == before || !actor.depends_on_collections() {
        return Ok(());
    }
    let taken = before.iter().filter(|container| !after.contains(container));
    let put = after.iter().filter(|container| !before.contains(container));
    for container in put.chain(taken) {
        permit_in(read, actor, Operation::Update, moved, *container)?;
    }
    // Stored is where it was before.
    let mut collections = read.collections_for(&[actor], &after)?;
    collections.push(moved.id);
    let there = Subject::of(moved).in_collections(collections);
    Ok(may(actor, Operation::Update, &there)?)
}

fn permit_in(
    read: &Read<'_>,
    actor: &Actor,
    operation: Operation,
    entity: &Entity,
    container: i64,
) -> Result<(), Refusal> {
    let collections = read.collections_for(&[actor], &[container])?;
    Ok(may(
        actor,
        operation,
        &Subject::of(entity).in_collections(collections),
    )?)
}
