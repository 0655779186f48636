//! What one listener hears of an event.

use crate::actions::view_file::may_view_file;
use crate::auth::{Actor, Visibility, visibility};
use crate::content::EntityKind;
use crate::db::{DbError, Event, Read, Viewer};
use crate::repository::Door;

/// An event as somebody may hear it.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    pub event: Event,
    /// Name of who made the change, where the listener may know.
    pub actor_name: Option<String>,
}

/// What the actor may hear of an event, now; `None` when it is about something they may not see.
pub fn heard(read: &Read<'_>, actor: &Actor, mut event: Event) -> Result<Option<Heard>, DbError> {
    let viewer = Viewer::of(actor);
    let visible = match event.kind {
        _ if event.door == Door::Fixity.name() => actor.is_administrator(),
        EntityKind::File => hears_of_file(read, actor, event.entity_id)?,
        _ => read.event_is_visible(&event, &viewer)?,
    };
    if !visible {
        return Ok(None);
    }
    event.parents = read.visible_nodes(&event.parents, &viewer)?;
    let actor_name = name_of(read, &viewer, event.actor)?;
    Ok(Some(Heard { event, actor_name }))
}

/// The end of a file is for those who administer media: nothing is left to judge it by.
fn hears_of_file(read: &Read<'_>, actor: &Actor, fid: i64) -> Result<bool, DbError> {
    match read.file(fid)? {
        Some(file) => may_view_file(read, actor, &file),
        None => Ok(visibility(actor, EntityKind::File) == Visibility::Everything),
    }
}

fn name_of(read: &Read<'_>, viewer: &Viewer, uid: i64) -> Result<Option<String>, DbError> {
    if !viewer.users.allows(true, uid) {
        return Ok(None);
    }
    let target = read.target(EntityKind::User, uid)?;
    Ok(target.map(|target| target.label))
}
