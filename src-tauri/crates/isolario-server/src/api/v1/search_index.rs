//! `/api/v1/search/index`: how the index of searches stands, and making it anew. For administrators.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::request_context::RequestContext;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;

/// How the index of searches stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchIndexStatus {
    /// Whether it can be asked.
    ready: bool,
    /// How many items it holds.
    items: usize,
    /// How many items wait to be indexed again.
    waiting: usize,
    /// How far a new index is; `null` where none is being made.
    rebuild: Option<SearchRebuild>,
    /// How many indexes were made anew since the start of the program.
    rebuilds: u64,
    /// Why changes are not found for the time being.
    problem: Option<String>,
}

/// How far a new index is. The present one is asked until it is complete.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchRebuild {
    /// The number of the last item that was indexed.
    done: i64,
    /// The number of the last item that there was.
    of: i64,
}

/// Read how the index of searches stands
///
/// For administrators.
#[utoipa::path(get, operation_id = "search_index", path = "/api/v1/search/index", tag = "search", responses(
    (status = 200, body = SearchIndexStatus),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
))]
pub async fn status(context: RequestContext) -> Result<Json<SearchIndexStatus>, ApiError> {
    context.must_be_administrator()?;
    let search = &context.repository.search;
    let (index, status) = (search.index(), search.status());
    Ok(Json(SearchIndexStatus {
        ready: index.is_some(),
        items: index.map_or(0, |index| index.items()),
        waiting: status.waiting,
        rebuild: status.rebuild.map(|progress| SearchRebuild {
            done: progress.done,
            of: progress.of,
        }),
        rebuilds: status.rebuilds,
        problem: status.problem,
    }))
}

/// Make the index of searches anew
///
/// For administrators. The present one is asked until the new one is complete.
#[utoipa::path(post, operation_id = "rebuild_search_index", path = "/api/v1/search/index", tag = "search", responses(
    (status = 202, description = "The index is being made"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
))]
pub async fn rebuild(context: RequestContext) -> Result<StatusCode, ApiError> {
    context.must_be_administrator()?;
    context.repository.search.ask_for_rebuild();
    Ok(StatusCode::ACCEPTED)
}
