//! `/api/v1/import/bag`: the items of a bag, as a batch.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use utoipa::IntoParams;

use super::batches::{BatchStatus, status};
use super::import::{ImportReport, report_of};
use super::parameters::{Parameters, choice, id, text};
use super::request_context::RequestContext;
use super::search::WORDS;
use crate::api::ApiError;
use crate::api::openapi::refusals::{Message, Refused};
use crate::api::openapi::values;
use isolario_core::actions::Refusal;
use isolario_core::bag::receive_bag;
use isolario_exchange::{BagOrder, OpenBag, Task, may_import, start_staged};

/// The name of a bag that has none.
const UNNAMED: &str = "bag.zip";

/// How a bag is imported.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImportBagQuery {
    /// The name of the bag.
    #[param(value_type = Option<String>, example = "harbour.zip")]
    name: Option<String>,
    /// `true` to write nothing, and be told what would come.
    #[param(value_type = Option<bool>)]
    check: Option<String>,
    /// `true` to make new items with new UUIDs, beside those that are here.
    #[param(value_type = Option<bool>)]
    new: Option<String>,
    /// Id of a collection that the files of a bag of another program become members of.
    #[param(value_type = Option<i64>, minimum = 1)]
    collection: Option<String>,
}

/// Import a bag
///
/// A bag that Isolario has made brings its items, with their UUIDs, media, files and terms; what is here already is
/// compared. Such bags are for administrators. The files of another bag become items, its folders collections, for
/// everybody who may create items. First the whole bag is checked. Then its items come in the background, as a batch, which is taken back as one change.
#[utoipa::path(post, operation_id = "import_bag", path = "/api/v1/import/bag", tag = "maintenance", params(ImportBagQuery),
    request_body(content = values::Binary, content_type = "application/zip", description = "A ZIP of the bag"), responses(
    (status = 200, description = "What the import would bring; nothing was written", body = ImportReport),
    (status = 202, description = "The import has begun", body = BatchStatus),
    (status = 400, description = "A parameter has a value that it cannot have, or the body broke off", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may create no items, or is no administrator and Isolario has made the bag", body = Message),
    (status = 404, description = "The collection does not exist, or is hidden from the actor", body = Message),
    (status = 408, description = "The body came too slowly", body = Message),
    (status = 409, description = "An import is in progress", body = Message),
    Refused<413>,
    (status = 422, description = "It is no whole bag; the message names its damaged files, one in each line", body = Message),
    (status = 429, description = "The actor has too many changes of many items in progress", body = Message),
    (status = 507, description = "The disk of the repository is full", body = Message)))]
pub async fn import_bag(
    context: RequestContext,
    Parameters(query): Parameters<ImportBagQuery>,
    body: Body,
) -> Result<Response, ApiError> {
    let (repository, actor) = (&context.repository, &context.actor);
    let refused = |refusal: Refusal| ApiError::from_refusal(actor, refusal);
    may_import(actor).map_err(|denial| refused(denial.into()))?;
    let flag = |name, value: &Option<String>| choice(name, value.as_ref(), &WORDS);
    let check = flag("check", &query.check)?.unwrap_or(false);
    let is_new = flag("new", &query.new)?.unwrap_or(false);
    let collection = id("collection", query.collection.as_ref())?;
    let staged = receive_bag(repository, body.into_data_stream()).await;
    let staged = staged.map_err(refused)?;
    let order = BagOrder {
        name: text(query.name.as_ref()).unwrap_or(UNNAMED).to_owned(),
        place: staged.name(),
        is_new,
        collection,
        check,
    };
    let bag = OpenBag::open(repository, actor, &order).await;
    let bag = bag.map_err(refused)?;
    if check {
        let task = Task {
            say: Arc::new(|_| {}),
            cancelled: CancellationToken::new(),
        };
        let report = bag.check(repository, actor, &task).await;
        return Ok(Json(report_of(&report)).into_response());
    }
    let batch = start_staged(repository, actor, bag, staged).await;
    let batch = batch.map_err(refused)?;
    let status = context
        .read(move |snapshot| status(snapshot, batch))
        .await?;
    Ok((StatusCode::ACCEPTED, Json(status)).into_response())
}
