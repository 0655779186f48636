//! `GET /api/v1/{noun}/{id}/revisions`: which states there are.

use axum::Json;
use axum::extract::Path;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Revision, noun, with_history};
use crate::api::ApiError;
use crate::api::v1::asked::Asked;
use crate::api::v1::parameters::{Parameters, after, limit, path_id};
use crate::auth::visibility;
use crate::db::HISTORY_ORDER;

/// Which page: `after` is the `next` of the page before, `limit` the length of a page.
#[derive(Debug, Deserialize)]
pub struct HistoryQuery {
    after: Option<String>,
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
    asked: Asked,
    Path(id): Path<String>,
    Parameters(query): Parameters<HistoryQuery>,
) -> Result<Json<RevisionList>, ApiError> {
    let (kind, thing) = noun(NOUN);
    let id = path_id(thing, &id)?;
    let after = after(query.after.as_ref(), &[HISTORY_ORDER])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    asked
        .read(move |shown| {
            let current = with_history(shown, NOUN, id)?;
            let visibility = visibility(&shown.asked.actor, kind);
            let page = shown
                .read
                .history_page(kind, id, visibility, after.as_ref(), limit)?;
            let (rows, next) = page;
            let revisions = rows
                .into_iter()
                .map(|row| Revision::new(shown, &current, row));
            Ok(Json(RevisionList {
                revisions: revisions.collect::<Result<_, _>>()?,
                next: next.map(|cursor| cursor.encode()),
            }))
        })
        .await
}
