//! `/api/v1/items/{nid}/finding-aid`: what is in a collection, for archives and their catalogues.

use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde::Deserialize;
use utoipa::IntoParams;

use super::export::download_headers;
use super::parameters::{Parameters, choice, path_id};
use super::request_context::RequestContext;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use crate::api::{ApiError, disposition};
use isolario_core::finding_aid::{FindingAid, FindingAidFormat};

/// Formats of finding aids.
const FORMATS: [(&str, FindingAidFormat); 2] = [
    ("ead3", FindingAidFormat::Ead3),
    ("html", FindingAidFormat::Html),
];

/// The page has a style, and loads and runs nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups allow-top-navigation-by-user-activation";

values::schemas! {
    /// The format of a finding aid.
    FindingAidFormatName => values::one_of(values::names(&FORMATS));
}

/// How the finding aid is written.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FindingAidQuery {
    /// `ead3` as without it.
    #[param(value_type = Option<FindingAidFormatName>)]
    format: Option<String>,
}

/// The finding aid of a collection
///
/// A collection with everything in it and below it that the actor may view, each with its description, in Encoded
/// Archival Description (EAD 3) or as a page to read and to print. What is in a book or another compound item is not
/// listed. It is made while it is sent; one that breaks off is not whole.
#[utoipa::path(get, operation_id = "read_finding_aid", path = "/api/v1/items/{nid}/finding-aid", tag = "lists",
    params(("nid" = i64, Path, description = "Node id of a collection"), FindingAidQuery), responses(
    (status = 200, description = "The finding aid, with its name in Content-Disposition", content(
        (String = "application/xml"), (String = "text/html"))),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "It does not exist, is no collection, or is hidden from the actor", body = Message),
))]
pub async fn read(
    context: RequestContext,
    Path(nid): Path<String>,
    Parameters(query): Parameters<FindingAidQuery>,
) -> Result<Response, ApiError> {
    let nid = path_id("item", &nid)?;
    let format = choice("format", query.format.as_ref(), &FORMATS)?;
    let format = format.unwrap_or(FindingAidFormat::Ead3);
    let (repository, actor) = (&context.repository, &context.actor);
    let base = repository.config.base_url.as_deref();
    let base = base.unwrap_or(&context.base.0);
    let made = FindingAid::begin(repository, actor, nid, format, base).await;
    let made = made.map_err(|refusal| ApiError::from_refusal(actor, refusal))?;
    let bytes = made.into_stream().inspect(|chunk| {
        if let Err(error) = chunk {
            tracing::error!(%error, "a finding aid broke off");
        }
    });
    let (name, mime) = match format {
        FindingAidFormat::Ead3 => (format!("finding-aid-{nid}.xml"), "application/xml"),
        FindingAidFormat::Html => (
            format!("finding-aid-{nid}.html"),
            "text/html; charset=utf-8",
        ),
    };
    let mut response = (download_headers(&name, mime), Body::from_stream(bytes)).into_response();
    if format == FindingAidFormat::Html
        && let Ok(inline) = HeaderValue::from_str(&disposition::write(true, &name))
    {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_DISPOSITION, inline);
        let policy = HeaderValue::from_static(POLICY);
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}
