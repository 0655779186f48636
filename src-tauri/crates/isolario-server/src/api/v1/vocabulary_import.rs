//! `/api/v1/vocabularies/{vocabulary}/import`: terms of a file, as a batch.

use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::IntoParams;

use super::batches::{BatchStatus, started};
use super::import_table::{MOST_PROBLEMS, refuse_problems};
use super::parameters::{Parameters, choice, text};
use super::request_context::{RequestContext, require_sign_in};
use super::search::WORDS;
use super::vocabularies::known;
use crate::api::ApiError;
use crate::api::openapi::refusals::{Message, Refused};
use crate::api::openapi::values;
use isolario_core::actions::batches::table::terms::{
    TermCheck, begin_terms, check_terms, receive_terms,
};
use isolario_model::origin::Origin;

/// The name of a file that has none.
const UNNAMED: &str = "terms.csv";

/// How terms are imported.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImportTermsQuery {
    /// The name of the file; its ending says the format.
    #[param(value_type = Option<String>, example = "subject.ttl")]
    name: Option<String>,
    /// `true` to write nothing, and be told what would change and what is wrong.
    #[param(value_type = Option<bool>)]
    check: Option<String>,
}

/// Import terms
///
/// A term of the file is that of the vocabulary with its UUID, or else with its address, or else with its name below the
/// same term; otherwise it is made. The columns of a table are those of `GET …/export`; only `name` is needed. The whole
/// file is read and checked before anything is written. Then its terms are carried out in the background, as a batch,
/// which is taken back as one change.
#[utoipa::path(post, operation_id = "import_terms", path = "/api/v1/vocabularies/{vocabulary}/import", tag = "lists",
    params(("vocabulary" = String, Path, description = "Name of the vocabulary"), ImportTermsQuery),
    request_body(content = values::Binary, content_type = "text/csv",
        description = "The terms, as a table in CSV, ODS or XLSX, or in SKOS as Turtle or JSON-LD"), responses(
    (status = 200, description = "What the import would do, and the first ten thousand problems; nothing was written", body = TermCheck),
    (status = 202, description = "The import has begun", body = BatchStatus),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "There is no such vocabulary", body = Message),
    Refused<413>,
    (status = 422, description = "It has no terms, or it has problems; nothing was written", body = Message),
    (status = 429, description = "The actor has too many changes of many items in progress", body = Message),
    (status = 507, description = "The disk of the repository is full", body = Message)))]
pub async fn import_terms(
    context: RequestContext,
    Path(vocabulary): Path<String>,
    Extension(origin): Extension<Origin>,
    Parameters(query): Parameters<ImportTermsQuery>,
    body: Body,
) -> Result<Response, ApiError> {
    require_sign_in(&context.actor)?;
    let vocabulary = known(&context, vocabulary)?;
    let only_check = choice("check", query.check.as_ref(), &WORDS)?.unwrap_or(false);
    let name = text(query.name.as_ref()).unwrap_or(UNNAMED).to_owned();
    let (repository, actor) = (&context.repository, &context.actor);
    let refused = |refusal| ApiError::from_refusal(actor, refusal);
    let file = receive_terms(repository, &name, body.into_data_stream()).await;
    let checked = check_terms(repository, actor, &vocabulary, file.map_err(refused)?).await;
    let (mut check, terms) = checked.map_err(refused)?;
    if only_check {
        let more = check.problems.len().saturating_sub(MOST_PROBLEMS);
        check.problems.truncate(MOST_PROBLEMS);
        check.more_problems += more as u64;
        return Ok(Json(check).into_response());
    }
    refuse_problems("The file", &check.problems, check.more_problems)?;
    let begun = begin_terms(repository, actor, origin, name, terms).await;
    let answer: (StatusCode, Json<BatchStatus>) = started(context.clone(), begun).await?;
    Ok(answer.into_response())
}
