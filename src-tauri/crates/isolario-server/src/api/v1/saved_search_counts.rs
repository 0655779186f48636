//! `/api/v1/saved-searches/counts`: how many items the viewer finds by saved searches.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, ids, refused};
use super::request_context::RequestContext;
use super::saved_search_query::count_found;
use super::search::AwaitedIndex;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values::FewIds;
use isolario_core::actions::saved_searches::is_visible;

/// Each is a search of its own.
const MOST: usize = 10;

/// Which saved searches.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SavedSearchCountsQuery {
    /// Ids of saved searches with commas between them, at most ten.
    #[param(value_type = FewIds)]
    id: Option<String>,
}

/// How many items the viewer finds by a saved search.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedSearchCount {
    id: i64,
    /// `null` where it cannot be asked now: what it names is hidden or gone, or the index of searches is being made.
    count: Option<i64>,
    /// False where counting a long list would cost too much and `count` is an estimate.
    is_exact: bool,
    /// Whether `q` and `chosen` were looked up in all that was committed before the request.
    current: bool,
}

/// How many items the viewer finds by some saved searches.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedSearchCounts {
    counts: Vec<SavedSearchCount>,
}

/// Count what saved searches find
///
/// Counts what the actor may view. Saved searches that the actor may not see are left out.
#[utoipa::path(get, operation_id = "count_saved_searches", path = "/api/v1/saved-searches/counts", tag = "search", params(SavedSearchCountsQuery), responses(
    (status = 200, body = SavedSearchCounts),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
))]
pub async fn counts(
    context: RequestContext,
    Parameters(query): Parameters<SavedSearchCountsQuery>,
) -> Result<Json<SavedSearchCounts>, ApiError> {
    let ids = ids("id", query.id.as_ref())?;
    if ids.is_empty() || ids.len() > MOST {
        return Err(refused("id", "one to ten ids of saved searches"));
    }
    let searches = context.clone().read(move |snapshot| {
        let mut searches = Vec::with_capacity(ids.len());
        for id in ids {
            let found = snapshot.read.saved_search(id)?;
            searches.extend(found.filter(|search| is_visible(&snapshot.context.actor, search)));
        }
        Ok(searches)
    });
    let mut counts = Vec::new();
    let index = AwaitedIndex::default();
    for search in searches.await? {
        let found = count_found(&context, &index, &search.query).await?;
        counts.push(SavedSearchCount {
            id: search.id,
            count: found.total.map(|total| total.count),
            is_exact: found.total.is_some_and(|total| total.is_exact),
            current: found.is_current,
        });
    }
    Ok(Json(SavedSearchCounts { counts }))
}
