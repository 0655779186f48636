//! Decides which events an actor may view.

use crate::actions::account_rules::may_administer;
use crate::actions::share_links::may_share_item;
use crate::actions::view_entity::may_view_file;
use isolario_db::{DbError, Event, Read, Viewer};
use isolario_model::content::EntityKind;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Visibility, visibility};

/// An event, limited to what an actor may view of it.
#[derive(Debug, Clone, PartialEq)]
pub struct VisibleEvent {
    pub event: Event,
    /// The name of the account that made the change, if the listener may view it.
    pub actor_name: Option<String>,
}

/// The part of an event that the actor may view now; `None` when the actor may not view its resource.
pub fn visible_event(
    read: &Read<'_>,
    actor: &Actor,
    mut event: Event,
) -> Result<Option<VisibleEvent>, DbError> {
    let viewer = Viewer::of(actor);
    let visible = match event.kind {
        _ if event.origin == Origin::Fixity.name() => actor.is_administrator(),
        // They name tokens, which only these may know of.
        EntityKind::User if event.action.ends_with("_token") => {
            may_administer(actor, event.entity_id).is_ok()
        }
        // They tell of links, which only those who share the item may know of.
        EntityKind::Node if event.action.ends_with("_link") => {
            may_share_item(read, actor, event.entity_id).is_ok()
        }
        EntityKind::File => may_view_file_event(read, actor, event.entity_id)?,
        _ => read.event_is_visible(&event, &viewer)?,
    };
    if !visible {
        return Ok(None);
    }
    event.parents = read.visible_nodes(&event.parents, &viewer)?;
    let actor_name = name_of(read, &viewer, event.actor)?;
    Ok(Some(VisibleEvent { event, actor_name }))
}

/// The end of a file is for those who administer media: nothing is left to judge it by.
fn may_view_file_event(read: &Read<'_>, actor: &Actor, fid: i64) -> Result<bool, DbError> {
    match read.file(fid)? {
        Some(file) => may_view_file(read, actor, &file),
        None => Ok(visibility(actor, EntityKind::File) == Visibility::Everything),
    }
}

/// The name of an account, if the viewer may know it.
pub(crate) fn name_of(
    read: &Read<'_>,
    viewer: &Viewer,
    uid: i64,
) -> Result<Option<String>, DbError> {
    if !viewer.users.allows(true, uid) {
        return Ok(None);
    }
    let target = read.target(EntityKind::User, uid)?;
    Ok(target.map(|target| target.label))
}
