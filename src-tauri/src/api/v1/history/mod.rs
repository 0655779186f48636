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
use super::shapes::UserName;
use super::shown::Shown;
use crate::actions::revert::former_state;
use crate::api::{ApiError, AppState};
use crate::auth::{Operation, Subject, may};
use crate::content::{Entity, EntityKind};
use crate::db::RevisionSummary;
use crate::fields::iso;

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
    /// `window`, `rest`, `watch` or `command`.
    door: Option<String>,
}

impl Revision {
    fn new(
        shown: &Shown<'_>,
        current: &Entity,
        summary: RevisionSummary,
    ) -> Result<Revision, ApiError> {
        Ok(Revision {
            vid: summary.revision,
            timestamp: iso(summary.made),
            user: shown.user(summary.author)?,
            log: summary.log,
            current: summary.revision == current.revision,
            door: Some(summary.door),
        })
    }

    fn of(shown: &Shown<'_>, current: &Entity, former: &Entity) -> Result<Revision, ApiError> {
        let (kind, number) = (former.kind, former.revision);
        let summary = shown.read.revision_summary(kind, number)?;
        Revision::new(
            shown,
            current,
            summary.ok_or_else(|| not_found("revision", number))?,
        )
    }
}

/// A thing whose history the viewer may see.
///
/// # Errors
/// 404 where it is not there for the viewer; 401 or 403 where its history is not for them.
fn with_history(shown: &Shown<'_>, noun_of: usize, id: i64) -> Result<Entity, ApiError> {
    let (kind, thing) = noun(noun_of);
    let actor = &shown.asked.actor;
    let found = shown.read.entity(kind, id)?;
    let found = found
        .filter(|entity| may(actor, Operation::View, &Subject::of(entity)).is_ok())
        .ok_or_else(|| not_found(thing, id))?;
    may(actor, Operation::ViewRevisions, &Subject::of(&found))
        .map_err(|denial| ApiError::denied(actor, denial))?;
    Ok(found)
}

/// A state of a thing that the viewer may see.
fn state_of(shown: &Shown<'_>, current: &Entity, revision: i64) -> Result<Entity, ApiError> {
    let actor = &shown.asked.actor;
    former_state(shown.read, actor, current, revision)
        .map_err(|refusal| ApiError::from_refusal(actor, refusal))
}
