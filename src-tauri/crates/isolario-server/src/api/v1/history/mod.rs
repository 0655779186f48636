//! The history of nodes, media and terms: `/api/v1/{items|media|terms}/{id}/revisions`. One set of
//! handlers for the three nouns.

mod changes;
mod list;
mod revert;
mod state;

use axum::Router;
use axum::routing::{get, post};
use serde::Serialize;
use utoipa::ToSchema;

use super::parameters::not_found;
use super::responses::UserName;
use super::viewer_snapshot::ViewerSnapshot;
use crate::api::v1::openapi::values;
use crate::api::{ApiError, AppState};
use isolario_core::actions::revert::former_state;
use isolario_core::actions::view_entity::may_view;
use isolario_db::RevisionSummary;
use isolario_model::content::{Entity, EntityKind};
use isolario_model::fields::iso;
use isolario_model::policy::{Operation, Subject, may};

pub use changes::Changes;
pub use list::RevisionList;
pub use revert::RevertRequest;
pub use state::{RevisionState, written};

const ITEMS: usize = 0;
const MEDIA: usize = 1;
const TERMS: usize = 2;

/// The routes of histories.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/v1/items/{nid}/revisions", get(list::list::<ITEMS>))
        .route(
            "/api/v1/items/{nid}/revisions/{vid}",
            get(state::read::<ITEMS>),
        )
        .route(
            "/api/v1/items/{nid}/revisions/{vid}/changes",
            get(changes::compare::<ITEMS>),
        )
        .route(
            "/api/v1/items/{nid}/revisions/{vid}/revert",
            post(revert::revert::<ITEMS>),
        )
        .route("/api/v1/media/{mid}/revisions", get(list::list::<MEDIA>))
        .route(
            "/api/v1/media/{mid}/revisions/{vid}",
            get(state::read::<MEDIA>),
        )
        .route(
            "/api/v1/media/{mid}/revisions/{vid}/changes",
            get(changes::compare::<MEDIA>),
        )
        .route(
            "/api/v1/media/{mid}/revisions/{vid}/revert",
            post(revert::revert::<MEDIA>),
        )
        .route("/api/v1/terms/{tid}/revisions", get(list::list::<TERMS>))
        .route(
            "/api/v1/terms/{tid}/revisions/{vid}",
            get(state::read::<TERMS>),
        )
        .route(
            "/api/v1/terms/{tid}/revisions/{vid}/changes",
            get(changes::compare::<TERMS>),
        )
        .route(
            "/api/v1/terms/{tid}/revisions/{vid}/revert",
            post(revert::revert::<TERMS>),
        )
}

/// The kind behind a noun, and what it is called in messages.
fn noun(noun: usize) -> (EntityKind, &'static str) {
    [
        (EntityKind::Node, "item"),
        (EntityKind::Media, "media"),
        (EntityKind::Term, "term"),
    ][noun]
}

/// One state of a thing.
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
    #[schema(value_type = Option<values::Origin>)]
    origin: Option<String>,
}

impl Revision {
    fn new(
        snapshot: &ViewerSnapshot<'_>,
        current: &Entity,
        summary: RevisionSummary,
    ) -> Result<Revision, ApiError> {
        Ok(Revision {
            vid: summary.revision,
            timestamp: iso(summary.made),
            user: snapshot.user(summary.author)?,
            log: summary.log,
            current: summary.revision == current.revision,
            origin: Some(summary.origin),
        })
    }

    fn of(
        snapshot: &ViewerSnapshot<'_>,
        current: &Entity,
        former: &Entity,
    ) -> Result<Revision, ApiError> {
        let (kind, number) = (former.kind, former.revision);
        let summary = snapshot.read.revision_summary(kind, number)?;
        Revision::new(
            snapshot,
            current,
            summary.ok_or_else(|| not_found("revision", number))?,
        )
    }
}

/// A thing whose history the viewer may see.
///
/// # Errors
/// 404 where it is not there for the viewer; 401 or 403 where its history is not for them.
fn with_history(
    snapshot: &ViewerSnapshot<'_>,
    noun_of: usize,
    id: i64,
) -> Result<Entity, ApiError> {
    let (kind, thing) = noun(noun_of);
    let actor = &snapshot.context.actor;
    let found = match snapshot.read.entity(kind, id)? {
        Some(found) if may_view(snapshot.read, actor, &found)? => found,
        _ => return Err(not_found(thing, id)),
    };
    may(actor, Operation::ViewRevisions, &Subject::of(&found))
        .map_err(|denial| ApiError::denied(actor, denial))?;
    Ok(found)
}

/// A state of a thing that the viewer may see.
fn state_of(
    snapshot: &ViewerSnapshot<'_>,
    current: &Entity,
    revision: i64,
) -> Result<Entity, ApiError> {
    let actor = &snapshot.context.actor;
    former_state(snapshot.read, actor, current, revision)
        .map_err(|refusal| ApiError::from_refusal(actor, refusal))
}
