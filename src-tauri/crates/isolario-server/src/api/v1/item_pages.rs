//! `/api/v1/items/{nid}/pages`: the pages of an item's original file, as items of their own.

use axum::extract::{Path, Request};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::batches::{BatchStatus, status};
use super::parameters::{not_found, path_id};
use super::request_context::{RequestContext, require_sign_in};
use crate::api::ApiError;
use crate::api::openapi::refusals::{Message, Refused};
use isolario_core::actions::batches::pages::{begin_pages, pages_state};
use isolario_core::jobs::start_batch;
use isolario_model::content::EntityKind;
use isolario_model::origin::Origin;

/// How the pages are named. An empty body asks for the title of the item and the number of the page.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PagesRequest {
    /// The title of a page. `{title}` is replaced by that of the item, `{page}` by the number of the page.
    #[serde(default)]
    #[schema(
        max_length = 255,
        pattern = r"\{page\}",
        example = "{title}, page {page}"
    )]
    title: Option<String>,
}

/// The pages of an item's original file.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemPages {
    /// How many pages the file has. `null` where it is no TIFF or PDF, or nobody has counted them yet.
    pages: Option<i64>,
    /// How many of them are items that the viewer may see.
    made: i64,
    /// Whether the actor may have them made.
    may_make: bool,
    /// The batch that is making them, for its author and administrators. Its items are the item itself and the pages.
    batch: Option<BatchStatus>,
}

/// Pages of an item's original file
#[utoipa::path(get, operation_id = "read_item_pages", path = "/api/v1/items/{nid}/pages", tag = "derivatives",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = ItemPages),
    (status = 404, description = "The item does not exist, or is hidden from the actor", body = Message)))]
pub async fn read(
    context: RequestContext,
    Path(nid): Path<String>,
) -> Result<Json<ItemPages>, ApiError> {
    let nid = path_id("item", &nid)?;
    context
        .read_lists(move |snapshot| {
            snapshot.place(nid)?;
            let item = snapshot.read.entity(EntityKind::Node, nid)?;
            let item = item.ok_or_else(|| not_found("item", nid))?;
            let actor = &snapshot.context.actor;
            let state = pages_state(snapshot.read, snapshot.model(), actor, &item)?;
            let Some(state) = state else {
                return Ok(Json(ItemPages {
                    pages: None,
                    made: 0,
                    may_make: false,
                    batch: None,
                }));
            };
            let batch = state.batch.map(|batch| status(snapshot, batch));
            Ok(Json(ItemPages {
                pages: state.pages,
                made: state.made,
                may_make: state.may_make,
                batch: batch.transpose()?,
            }))
        })
        .await
}

/// Make the pages of an item's original file
///
/// Each page of the TIFF or PDF becomes an item of the model Page, a member of this item, in the order of the file. The
/// item becomes Paged Content. A page of a TIFF has its own file, cut out of the original; one of a PDF has a picture and
/// its text. The original stays as it is.
///
/// This is a batch: it runs in the background, can be cancelled, and is taken back as one change. Pages that there are
/// already are not made again. While a batch is making them, the answer is that one.
#[utoipa::path(post, operation_id = "make_item_pages", path = "/api/v1/items/{nid}/pages", tag = "derivatives",
    params(("nid" = i64, Path, description = "Node id")), request_body = Option<PagesRequest>, responses(
    (status = 202, description = "The pages are being made", body = BatchStatus),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not create such items, give them files, or change this item", body = Message),
    (status = 404, description = "The item does not exist, or is hidden from the actor", body = Message),
    (status = 409, description = "Derivatives are switched off, or somebody else makes the pages", body = Message),
    Refused<413>, Refused<415>,
    (status = 422, description = "The item has no file of several pages, or of too many; the title has no `{page}`", body = Message),
    (status = 429, description = "The actor has too many files whose pages are being made", body = Message)))]
pub async fn make(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    Path(nid): Path<String>,
    request: Request,
) -> Result<(StatusCode, Json<BatchStatus>), ApiError> {
    require_sign_in(&context.actor)?;
    let nid = path_id("item", &nid)?;
    let wanted: Option<PagesRequest> = context.optional_body(request).await?;
    let title = wanted.unwrap_or_default().title;
    let (repository, actor) = (&context.repository, &context.actor);
    let begun = begin_pages(repository, actor, origin, nid, title).await;
    let begun = begun.map_err(|refusal| ApiError::from_refusal(actor, refusal))?;
    if begun.is_new {
        start_batch(repository, actor, begun.batch.id);
    }
    let answer = context.read(move |snapshot| status(snapshot, begun.batch));
    Ok((StatusCode::ACCEPTED, Json(answer.await?)))
}
