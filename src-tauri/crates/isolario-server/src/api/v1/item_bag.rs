//! `/api/v1/items/{nid}/bag`: an item with everything below it as a bag.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;

use super::export::download_headers;
use super::parameters::path_id;
use super::request_context::{RequestContext, require_sign_in};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use isolario_core::bag::Bag;

/// An item as a bag
///
/// An item, or a collection with everything below it that the actor may view, as a bag (BagIt 1.0, SHA-512) in a ZIP. It
/// is made while it is sent; one that breaks off, because of a damaged file too, is not whole. Requires credentials.
#[utoipa::path(get, operation_id = "bag_item", path = "/api/v1/items/{nid}/bag", tag = "lists",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, description = "The bag, with its name in Content-Disposition", content((values::Binary = "application/zip"))),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn bag(context: RequestContext, Path(nid): Path<String>) -> Result<Response, ApiError> {
    let nid = path_id("item", &nid)?;
    let actor = context.actor.clone();
    require_sign_in(&actor)?;
    let bag = Bag::begin(&context.repository, &actor, nid, &context.base.0).await;
    let bag = bag.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    let name = bag.name();
    let bytes = bag.into_zip(name.clone(), Arc::new(|_| {}));
    let body = Body::from_stream(bytes.inspect(|chunk| {
        if let Err(error) = chunk {
            tracing::error!(%error, "a bag broke off");
        }
    }));
    let headers = download_headers(&format!("{name}.zip"), "application/zip");
    Ok((headers, body).into_response())
}
