//! OAI-PMH 2.0 at `/oai/request`: other catalogues harvest the records of what everybody may view (docs/HARVESTING.md).

mod answer;
mod arguments;
mod error;
mod token;
mod verbs;

use axum::extract::Request;
use axum::http::{Method, header};
use axum::response::Response;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::answer::VerbAnswer;
use self::arguments::OaiRequest;
use self::error::OaiError;
use super::app_state::AppState;
use super::body::read_small_body;
use super::openapi::refusals::Refused;
use super::v1::RequestContext;
use super::{ApiError, ErrorCode};

const PATH: &str = "/oai/request";
const FORM: &str = "application/x-www-form-urlencoded";

/// The arguments of OAI-PMH. Which of them a verb has, its specification says; what is wrong with them, the answer.
#[derive(Debug, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[expect(
    dead_code,
    reason = "describes the form; repeated arguments are told from single ones"
)]
struct OaiArguments {
    /// `Identify`, `ListMetadataFormats`, `ListSets`, `GetRecord`, `ListIdentifiers` or `ListRecords`.
    #[param(example = "Identify")]
    #[schema(example = "Identify")]
    verb: Option<String>,
    /// `urn:uuid:` and the UUID of an item.
    identifier: Option<String>,
    #[param(rename = "metadataPrefix", example = "oai_dc")]
    #[schema(rename = "metadataPrefix", example = "oai_dc")]
    metadata_prefix: Option<String>,
    /// Records of this day or second and later ones.
    from: Option<String>,
    /// Records of this day or second and earlier ones.
    until: Option<String>,
    /// The setSpec of a collection.
    set: Option<String>,
    #[param(rename = "resumptionToken")]
    #[schema(rename = "resumptionToken")]
    resumption_token: Option<String>,
}

/// The routes of OAI-PMH.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(harvest, harvest_by_form))
}

/// Harvest records
#[utoipa::path(get, operation_id = "harvest", path = "/oai/request", tag = "harvesting", params(OaiArguments), responses(
    (status = 200, description = "An OAI-PMH document, with what is wrong with a request too",
        body = String, content_type = "text/xml"),
    Refused<404>, Refused<503>))]
async fn harvest(context: RequestContext, request: Request) -> Result<Response, ApiError> {
    answer(context, request).await
}

/// Harvest records by a form
#[utoipa::path(post, operation_id = "harvest_by_form", path = "/oai/request", tag = "harvesting",
    request_body(content = OaiArguments, content_type = "application/x-www-form-urlencoded"), responses(
    (status = 200, description = "An OAI-PMH document, with what is wrong with a request too",
        body = String, content_type = "text/xml"),
    Refused<404>, Refused<415>, Refused<503>))]
async fn harvest_by_form(context: RequestContext, request: Request) -> Result<Response, ApiError> {
    answer(context, request).await
}

async fn answer(context: RequestContext, request: Request) -> Result<Response, ApiError> {
    let config = &context.repository.config;
    if !config.harvesting.enabled {
        let words = "OAI-PMH is switched off in config.toml.";
        return Err(ApiError::new(ErrorCode::NotFound, words));
    }
    let headers = request.headers().clone();
    let form = match *request.method() {
        Method::POST => {
            require_form(&request)?;
            read_small_body(request, &config.limits).await?
        }
        _ => request
            .uri()
            .query()
            .unwrap_or_default()
            .as_bytes()
            .to_vec(),
    };
    let pairs: Vec<(String, String)> = form_urlencoded::parse(&form).into_owned().collect();
    let base = config.base_url.as_deref().unwrap_or(&context.base.0);
    let address = format!("{base}{PATH}");
    let answered: Result<VerbAnswer, OaiError> = match OaiRequest::read(&pairs) {
        Ok(asked) => verbs::answer(context, &address, asked).await?,
        Err(error) => Err(error),
    };
    Ok(answer::response(&headers, &address, &pairs, answered))
}

fn require_form(request: &Request) -> Result<(), ApiError> {
    let mime = request.headers().get(header::CONTENT_TYPE);
    let mime = mime.and_then(|mime| mime.to_str().ok()).unwrap_or_default();
    let mime = mime.split(';').next().unwrap_or_default().trim();
    match mime.eq_ignore_ascii_case(FORM) {
        true => Ok(()),
        false => {
            let words = format!("The body must be {FORM}.");
            Err(ApiError::new(ErrorCode::UnsupportedMediaType, words))
        }
    }
}
