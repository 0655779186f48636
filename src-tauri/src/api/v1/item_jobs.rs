//! `/api/v1/items/{nid}/jobs`: what is made of the originals of one item, and why it has no picture.

use axum::Json;
use axum::extract::Path;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Asked;
use super::jobs::{Job, job};
use super::parameters::path_id;
use super::pictures::{ItemPicture, item_picture};
use super::shapes::Message;
use crate::api::ApiError;
use crate::db::DerivativeFilter;

const MOST: usize = 200;

/// What is made of the originals of an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemJobs {
    picture: ItemPicture,
    jobs: Vec<Job>,
}

/// What is made of an item's originals
///
/// And why it has no picture, in words.
#[utoipa::path(get, operation_id = "list_item_jobs", path = "/api/v1/items/{nid}/jobs", tag = "derivatives",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = ItemJobs),
    (status = 404, description = "There is no such item for this viewer", body = Message)))]
pub async fn list(asked: Asked, Path(nid): Path<String>) -> Result<Json<ItemJobs>, ApiError> {
    let nid = path_id("item", &nid)?;
    asked
        .read(move |shown| {
            let picture = item_picture(shown, &shown.node(nid)?)?;
            let filter = DerivativeFilter {
                item: Some(nid),
                ..DerivativeFilter::default()
            };
            let mut jobs = Vec::new();
            for row in shown.read.derivative_page(&filter, MOST)? {
                jobs.extend(job(shown, &row)?);
            }
            Ok(Json(ItemJobs { picture, jobs }))
        })
        .await
}
