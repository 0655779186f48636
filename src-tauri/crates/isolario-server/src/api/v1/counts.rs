//! `/api/v1/counts`: how many items each list of the side bar holds.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::items::recent_since;
use super::request_context::RequestContext;
use crate::api::ApiError;

/// How many items each view holds for the viewer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Counts {
    all: i64,
    unfiled: i64,
    unpublished: i64,
    without_original: i64,
    /// Counted up to 10,000.
    recent: i64,
    /// What the viewer is assigned to, and what is in review and waits for anybody who may publish it.
    waiting: i64,
    collections: i64,
}

/// How many items each view holds
#[utoipa::path(get, path = "/api/v1/counts", tag = "lists", responses((status = 200, body = Counts)))]
pub async fn counts(context: RequestContext) -> Result<Json<Counts>, ApiError> {
    context
        .read_lists(|snapshot| {
            let counts = snapshot
                .read
                .view_counts(&snapshot.viewer, recent_since())?;
            Ok(Json(Counts {
                all: counts.all,
                unfiled: counts.unfiled,
                unpublished: counts.unpublished,
                without_original: counts.without_original,
                recent: counts.recent,
                waiting: counts.waiting,
                collections: counts.collections,
            }))
        })
        .await
}
