//! The history of nodes, media and terms: `/api/v1/{items|media|terms}/{id}/revisions`. One set of
//! handlers for the three nouns.

mod changes;
mod list;
mod revert;
mod state;

use axum::Json;
use axum::extract::Path;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::parameters::{Parameters, not_found};
use super::request_context::{RequestContext, ViewerSnapshot};
use super::responses::UserName;
use crate::api::openapi::parameters::IfMatch;
use crate::api::openapi::refusals::Refused;
use crate::api::openapi::resources::{MediaResource, Node, TermResource};
use crate::api::openapi::values;
use crate::api::{ApiError, AppState};
use isolario_core::actions::revert::former_state;
use isolario_core::actions::view_entity::may_view;
use isolario_db::RevisionSummary;
use isolario_model::content::{Entity, EntityKind};
use isolario_model::fields::iso;
use isolario_model::policy::{Operation, may};

use changes::{Changes, ChangesQuery};
use list::{HistoryQuery, RevisionList};
use revert::RevertParts;
pub use revert::RevertRequest;
use state::RevisionState;
pub use state::written;

const ITEMS: usize = 0;
const MEDIA: usize = 1;
const TERMS: usize = 2;

/// The handlers of the history of a noun. They differ in the document alone.
macro_rules! history {
    ($module:ident, $noun:ident, $schema:ident, $id:literal, $one:literal, list path = $list:literal,
    read path = $read:literal, compare path = $compare:literal, revert path = $revert:literal) => {
        mod $module {
            use super::*;

            #[utoipa::path(get, operation_id = concat!("list_", $one, "_revisions"), path = $list, tag = "history",
                summary = concat!("History of a ", $one, ", newest first"),
                description = "For those who may change it, and those with the permission `view all revisions`. States \
                    that the viewer may not see are left out.",
                params(($id = i64, Path), HistoryQuery), responses(
                (status = 200, description = "One page", body = RevisionList), Refused<404>))]
            async fn list(
                context: RequestContext,
                path: Path<String>,
                query: Parameters<HistoryQuery>,
            ) -> Result<Json<RevisionList>, ApiError> {
                list::list::<$noun>(context, path, query).await
            }

            #[utoipa::path(get, operation_id = concat!("get_", $one, "_revision"), path = $read, tag = "history",
                summary = concat!("A ", $one, " as it was"),
                params(($id = i64, Path), ("vid" = i64, Path)), responses(
                (status = 200, description = "The state", body = RevisionState), Refused<404>))]
            async fn read(
                context: RequestContext,
                path: Path<(String, String)>,
            ) -> Result<Json<RevisionState>, ApiError> {
                state::read::<$noun>(context, path).await
            }

            #[utoipa::path(get, operation_id = concat!("compare_", $one, "_revisions"), path = $compare, tag = "history",
                summary = concat!("Two states of a ", $one, ", field by field"),
                description = "What differs from the state `since`; without it, from the one before that the viewer \
                    may see.",
                params(($id = i64, Path), ("vid" = i64, Path), ChangesQuery), responses(
                (status = 200, description = "What differs", body = Changes), Refused<404>))]
            async fn compare(
                context: RequestContext,
                path: Path<(String, String)>,
                query: Parameters<ChangesQuery>,
            ) -> Result<Json<Changes>, ApiError> {
                changes::compare::<$noun>(context, path, query).await
            }

            #[utoipa::path(post, operation_id = concat!("revert_", $one), path = $revert, tag = "history",
                summary = concat!("Make a former state of a ", $one, " the current one"),
                description = "An update like any other, with its checks, its revision and its event. For items, the \
                    permission `revert all revisions` is needed too. Former bytes become a new version of their file. \
                    Without a body, everything is set back.",
                params(($id = i64, Path), ("vid" = i64, Path), IfMatch),
                request_body(content = ref("#/components/schemas/RevertRequest")), responses(
                (status = 200, description = "The whole resource as it is now", body = $schema),
                Refused<404>, Refused<412>, Refused<415>, Refused<422>))]
            async fn revert(request: RevertParts) -> Result<Response, ApiError> {
                revert::revert::<$noun>(request).await
            }

            pub(super) fn routes() -> OpenApiRouter<AppState> {
                OpenApiRouter::new()
                    .routes(routes!(list))
                    .routes(routes!(read))
                    .routes(routes!(compare))
                    .routes(routes!(revert))
            }
        }
    };
}

history! {
    items, ITEMS, Node, "nid", "item",
    list path = "/api/v1/items/{nid}/revisions",
    read path = "/api/v1/items/{nid}/revisions/{vid}",
    compare path = "/api/v1/items/{nid}/revisions/{vid}/changes",
    revert path = "/api/v1/items/{nid}/revisions/{vid}/revert"
}
history! {
    media, MEDIA, MediaResource, "mid", "media",
    list path = "/api/v1/media/{mid}/revisions",
    read path = "/api/v1/media/{mid}/revisions/{vid}",
    compare path = "/api/v1/media/{mid}/revisions/{vid}/changes",
    revert path = "/api/v1/media/{mid}/revisions/{vid}/revert"
}
history! {
    terms, TERMS, TermResource, "tid", "term",
    list path = "/api/v1/terms/{tid}/revisions",
    read path = "/api/v1/terms/{tid}/revisions/{vid}",
    compare path = "/api/v1/terms/{tid}/revisions/{vid}/changes",
    revert path = "/api/v1/terms/{tid}/revisions/{vid}/revert"
}

/// The routes of histories.
pub fn routes() -> OpenApiRouter<AppState> {
    let nouns = [items::routes(), media::routes(), terms::routes()];
    nouns
        .into_iter()
        .fold(OpenApiRouter::new(), OpenApiRouter::merge)
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
    /// The change of many items that it is part of.
    batch: Option<i64>,
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
            batch: summary.batch,
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
    let subject = snapshot.read.subject(actor, &found)?;
    may(actor, Operation::ViewRevisions, &subject)
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
