//! `GET /api/v1/{noun}/{id}/revisions`: which states there are.

use axum::Json;
use axum::extract::Path;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Revision, noun, with_history};
use crate::api::ApiError;
use crate::api::v1::parameters::{Parameters, after, limit, path_id};
use crate::api::v1::request_context::RequestContext;
use isolario_db::HISTORY_ORDER;

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HistoryQuery {
    /// `next` of the previous page.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// One page of a history, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct RevisionList {
    revisions: Vec<Revision>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
}

/// The states that the viewer may see.
pub async fn list<const NOUN: usize>(
    context: RequestContext,
    Path(id): Path<String>,
    Parameters(query): Parameters<HistoryQuery>,
) -> Result<Json<RevisionList>, ApiError> {
    let (kind, thing) = noun(NOUN);
    let id = path_id(thing, &id)?;
    let after = after(query.after.as_ref(), &[HISTORY_ORDER])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    context
        .read(move |snapshot| {
            let current = with_history(snapshot, NOUN, id)?;
            let page =
                snapshot
                    .read
                    .history_page(kind, id, &snapshot.viewer, after.as_ref(), limit)?;
            let (rows, next) = page;
            let revisions = rows
                .into_iter()
                .map(|row| Revision::new(snapshot, &current, row));
            Ok(Json(RevisionList {
                revisions: revisions.collect::<Result<_, _>>()?,
                next: next.map(|cursor| cursor.encode()),
            }))
        })
        .await
}
