//! `/api/v1/items/{nid}/jobs`: what is made of the originals of one item, and why it has no picture.

use axum::Json;
use axum::extract::Path;
use serde::Serialize;
use utoipa::ToSchema;

use super::jobs::{Job, job};
use super::parameters::path_id;
use super::pictures::{ItemPicture, item_picture};
use super::request_context::RequestContext;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_db::DerivativeFilter;

const MOST: usize = 200;

/// The derivatives of the originals of an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemJobs {
    picture: ItemPicture,
    jobs: Vec<Job>,
}

/// List the derivatives of an item
///
/// Also says why the item has no thumbnail.
#[utoipa::path(get, operation_id = "list_item_jobs", path = "/api/v1/items/{nid}/jobs", tag = "derivatives",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = ItemJobs),
    (status = 404, description = "The item does not exist, or is hidden from the actor", body = Message)))]
pub async fn list(
    context: RequestContext,
    Path(nid): Path<String>,
) -> Result<Json<ItemJobs>, ApiError> {
    let nid = path_id("item", &nid)?;
    context
        .read_lists(move |snapshot| {
            let picture = item_picture(snapshot, &snapshot.node(nid)?)?;
            let filter = DerivativeFilter {
                item: Some(nid),
                ..DerivativeFilter::default()
            };
            let mut jobs = Vec::new();
            for row in snapshot.read.derivative_page(&filter, MOST)? {
                jobs.extend(job(snapshot, &row)?);
            }
            Ok(Json(ItemJobs { picture, jobs }))
        })
        .await
}
