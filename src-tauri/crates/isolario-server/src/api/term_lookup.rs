//! `/term_from_term_name`, `/term_from_uri` and `/term_from_authority_link`: the terms that a table names.

use axum::http::{Method, Uri};
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ApiError;
use super::openapi::parameters::JsonFormat;
use super::openapi::refusals::Refused;
use super::openapi::resources::TermResource;
use super::request_format::require_json_format;
use super::resource_list::{PART, whole, write_resources};
use super::v1::RequestContext;
use super::v1::parameters::{Parameters, text};
use crate::api::app_state::AppState;
use isolario_db::{DbError, Read};
use isolario_model::content::EntityKind;

/// How many terms an answer holds at most.
pub const MOST: i64 = PART as i64;

/// The routes of look-ups of terms.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(by_name))
        .routes(routes!(by_uri))
        .routes(routes!(by_authority_link))
}

/// Which terms.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct NameQuery {
    /// The vocabulary; without it, any.
    vocab: Option<String>,
    /// The whole name, in whatever case.
    #[param(required = true)]
    name: Option<String>,
}

/// Terms by name
#[utoipa::path(get, operation_id = "terms_by_name", path = "/term_from_term_name", tag = "resources",
    params(NameQuery, JsonFormat), responses(
    (status = 200, description = "At most 50 terms", body = Vec<TermResource>), Refused<400>, Refused<406>))]
async fn by_name(
    context: RequestContext,
    uri: Uri,
    Parameters(query): Parameters<NameQuery>,
) -> Result<Response, ApiError> {
    let name = required("name", query.name)?;
    terms(context, &uri, move |read| {
        read.terms_by_name(text(query.vocab.as_ref()), name.trim(), MOST)
    })
    .await
}

/// Which terms.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct UriQuery {
    /// The external URI.
    #[param(required = true)]
    uri: Option<String>,
}

/// Terms by external URI
#[utoipa::path(get, operation_id = "terms_by_uri", path = "/term_from_uri", tag = "resources",
    params(UriQuery, JsonFormat), responses(
    (status = 200, description = "At most 50 terms", body = Vec<TermResource>), Refused<400>, Refused<406>))]
async fn by_uri(
    context: RequestContext,
    uri: Uri,
    Parameters(query): Parameters<UriQuery>,
) -> Result<Response, ApiError> {
    let wanted = required("uri", query.uri)?;
    terms(context, &uri, move |read| read.terms_by_uri(&wanted, MOST)).await
}

/// Which terms.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct AuthorityQuery {
    /// The address in an authority file.
    #[param(required = true)]
    authority_link: Option<String>,
}

/// Terms by their address in an authority file
#[utoipa::path(get, operation_id = "terms_by_authority_link", path = "/term_from_authority_link", tag = "resources",
    params(AuthorityQuery, JsonFormat), responses(
    (status = 200, description = "At most 50 terms", body = Vec<TermResource>), Refused<400>, Refused<406>))]
async fn by_authority_link(
    context: RequestContext,
    uri: Uri,
    Parameters(query): Parameters<AuthorityQuery>,
) -> Result<Response, ApiError> {
    let wanted = required("authority_link", query.authority_link)?;
    terms(context, &uri, move |read| {
        read.terms_by_authority(&wanted, MOST)
    })
    .await
}

fn required(name: &str, value: Option<String>) -> Result<String, ApiError> {
    value.ok_or_else(|| ApiError::bad_request(format!("The \"{name}\" parameter is missing.")))
}

/// Answers with the terms that are found, and that the actor may view.
pub async fn terms<F>(context: RequestContext, uri: &Uri, find: F) -> Result<Response, ApiError>
where
    F: FnOnce(&Read<'_>) -> Result<Vec<i64>, DbError> + Send + 'static,
{
    require_json_format(&Method::GET, uri.query(), &context.repository.config)?;
    let written = context.repository.db.read_here(|read| {
        let ids = find(read)?;
        write_resources(&context, read, EntityKind::Term, &ids)
    });
    Ok(whole(&written.map_err(|error: DbError| error)?))
}
