//! `/api/v1/vocabularies/{vocabulary}/export`: the terms of a vocabulary as a file.

use axum::body::Body;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde::Deserialize;
use utoipa::IntoParams;

use super::export::download_headers;
use super::parameters::{Parameters, choice};
use super::request_context::RequestContext;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use isolario_core::vocabulary::{VocabularyExport, VocabularyFormat};

/// Formats of vocabularies.
const FORMATS: [(&str, VocabularyFormat); 3] = [
    ("csv", VocabularyFormat::Csv),
    ("turtle", VocabularyFormat::Turtle),
    ("jsonld", VocabularyFormat::JsonLd),
];

values::schemas! {
    /// The format of a vocabulary.
    VocabularyFormatName => values::one_of(values::names(&FORMATS));
}

/// How the vocabulary is written.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VocabularyExportQuery {
    /// `csv` as without it, or `turtle` or `jsonld`: SKOS.
    #[param(value_type = Option<VocabularyFormatName>)]
    format: Option<String>,
}

/// A vocabulary as a file
///
/// The terms that the actor may view, by name. In SKOS, a concept has the UUID of its term as its name
/// (`urn:uuid:…`). The file is made while it is sent; one that breaks off is not whole.
#[utoipa::path(get, operation_id = "export_vocabulary", path = "/api/v1/vocabularies/{vocabulary}/export", tag = "lists",
    params(("vocabulary" = String, Path, description = "Name of the vocabulary"), VocabularyExportQuery), responses(
    (status = 200, description = "The file, with its name in Content-Disposition", content(
        (String = "text/csv"), (String = "text/turtle"), (String = "application/ld+json"))),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "There is no such vocabulary", body = Message)))]
pub async fn export(
    context: RequestContext,
    Path(vocabulary): Path<String>,
    Parameters(query): Parameters<VocabularyExportQuery>,
) -> Result<Response, ApiError> {
    let format = choice("format", query.format.as_ref(), &FORMATS)?;
    let format = format.unwrap_or(VocabularyFormat::Csv);
    let (extension, mime) = match format {
        VocabularyFormat::Csv => ("csv", "text/csv; charset=utf-8"),
        VocabularyFormat::Turtle => ("ttl", "text/turtle; charset=utf-8"),
        VocabularyFormat::JsonLd => ("jsonld", "application/ld+json"),
    };
    let (repository, actor) = (&context.repository, &context.actor);
    let export = VocabularyExport::begin(repository, actor, &vocabulary, format, &context.base.0);
    let export = export.map_err(|refusal| ApiError::from_refusal(actor, refusal))?;
    let bytes = export.into_stream().inspect(|chunk| {
        if let Err(error) = chunk {
            tracing::error!(%error, "an export broke off");
        }
    });
    let name = format!("{vocabulary}.{extension}");
    Ok((download_headers(&name, mime), Body::from_stream(bytes)).into_response())
}
