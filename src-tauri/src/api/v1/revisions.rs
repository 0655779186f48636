//! `/api/v1/items/{nid}/revisions`: the history of an item.

use axum::Json;
use axum::extract::Path;
use serde::Serialize;
use utoipa::ToSchema;

use super::parameters::path_id;
use super::shapes::{Message, UserName};
use super::shown::{Asked, Shown};
use crate::api::ApiError;
use crate::auth::{Actor, Denial, Operation, Subject, may};
use crate::content::EntityKind;
use crate::db::{ItemRow, RevisionSummary};
use crate::fields::iso;

/// One line of an item's history.
#[derive(Debug, Serialize, ToSchema)]
pub struct Revision {
    vid: i64,
    #[schema(format = DateTime)]
    timestamp: String,
    /// Who made it, where the viewer may know.
    user: Option<UserName>,
    /// The reason given.
    log: Option<String>,
    current: bool,
    /// `window`, `rest`, `watch` or `command`.
    door: Option<String>,
}

/// The history of an item, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct RevisionList {
    revisions: Vec<Revision>,
}

/// History of an item
///
/// For those who may change the item, and those with the permission `view all revisions`.
#[utoipa::path(get, operation_id = "list_revisions", path = "/api/v1/items/{nid}/revisions", tag = "lists",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = RevisionList),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The viewer may not see histories", body = Message),
    (status = 404, description = "It is not there for this viewer", body = Message),
))]
pub async fn list(asked: Asked, Path(nid): Path<String>) -> Result<Json<RevisionList>, ApiError> {
    let nid = path_id("item", &nid)?;
    asked
        .read(move |shown| {
            let node = shown.node(nid)?;
            may_see_history(&shown.asked.actor, &node)?;
            let revisions = shown.read.revisions_of(EntityKind::Node, nid)?.into_iter();
            let revisions = revisions.map(|summary| revision(shown, &node, summary));
            Ok(Json(RevisionList {
                revisions: revisions.collect::<Result<_, _>>()?,
            }))
        })
        .await
}

fn may_see_history(actor: &Actor, node: &ItemRow) -> Result<(), ApiError> {
    const PERMISSION: &str = "view all revisions";
    let subject = Subject {
        kind: EntityKind::Node,
        bundle: &node.bundle,
        owner: node.owner,
        published: node.published,
    };
    if actor.can(PERMISSION) || may(actor, Operation::Update, &subject).is_ok() {
        Ok(())
    } else {
        Err(ApiError::denied(actor, Denial::missing(PERMISSION)))
    }
}

fn revision(
    shown: &Shown<'_>,
    node: &ItemRow,
    summary: RevisionSummary,
) -> Result<Revision, ApiError> {
    Ok(Revision {
        vid: summary.revision,
        timestamp: iso(summary.made),
        user: shown.user(summary.author)?,
        log: summary.log,
        current: summary.revision == node.revision,
        door: Some(summary.door),
    })
}
