//! The IIIF Authorization Flow API 2.0: whether a client may have an image (`/iiif/auth/2/probe/{id}`). Credentials are
//! those of every other request. Pages of other sites are given none, so the service of tokens always refuses.

use aws_lc_rs::digest;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa::IntoParams;

use super::super::ApiError;
use super::super::base_url::BaseUrl;
use super::super::openapi::refusals::Message;
use super::super::v1::parameters::Parameters;
use super::super::v1::visible_picture::visible_picture;
use super::image_id::ImageId;
use isolario_core::repository::Repository;
use isolario_model::formats::xml::escape;
use isolario_model::policy::Actor;

const CONTEXT: &str = "http://iiif.io/api/auth/2/context.json";

/// Sends the message of the page to the page that holds it in a frame.
const SCRIPT: &str = "const {message, origin} = document.body.dataset; \
    parent.postMessage(JSON.parse(message), origin)";

/// Whether the actor may have an image
///
/// The answer is 200, and its `status` what a request for the image is answered: 200; 401 for those who have not signed
/// in; 403 for others. Of an image that does not exist it says the same.
#[utoipa::path(get, operation_id = "probe_image_access", path = "/iiif/auth/2/probe/{id}", tag = "iiif",
    params(("id" = String, Path, description = "File id, or file id and page: `12`, `12:3`")), responses(
    (status = 200, description = "An AuthProbeResult2", body = Object),
    (status = 404, description = "It is no address of an image", body = Message),
))]
pub async fn probe(
    State(repository): State<Arc<Repository>>,
    Extension(actor): Extension<Actor>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let id = ImageId::of("3", &id)?;
    let is_anonymous = actor.is_anonymous();
    let status = match visible_picture(&repository, actor, id.fid, None, id.page).await {
        Ok(_) => StatusCode::OK,
        Err(error) if error.status != StatusCode::NOT_FOUND => return Err(error),
        Err(_) if is_anonymous => StatusCode::UNAUTHORIZED,
        Err(_) => StatusCode::FORBIDDEN,
    };
    let mut result =
        json!({"@context": CONTEXT, "type": "AuthProbeResult2", "status": status.as_u16()});
    if status != StatusCode::OK {
        result["heading"] =
            json!({"en": ["This image is not public"], "de": ["Dieses Bild ist nicht öffentlich"]});
        result["note"] = words_of_sign_in();
    }
    Ok(([(header::CACHE_CONTROL, "private, no-cache")], Json(result)).into_response())
}

/// Who asks for a token (section 3.3.2).
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TokenQuery {
    /// What the message is answered with.
    #[serde(rename = "messageId")]
    message_id: Option<String>,
    /// The origin of the page that asks.
    origin: Option<String>,
}

/// The service of access tokens, which refuses
///
/// A page for a frame: it sends an AuthAccessTokenError2 to the page that holds it.
#[utoipa::path(get, operation_id = "refuse_image_token", path = "/iiif/auth/2/token", tag = "iiif",
    params(TokenQuery), responses(
    (status = 200, description = "The page", content_type = "text/html", body = String),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
))]
pub async fn token(Parameters(query): Parameters<TokenQuery>) -> Response {
    let mut message = json!({
        "@context": CONTEXT, "type": "AuthAccessTokenError2", "profile": "missingAspect",
        "heading": {"en": ["No access from this site"], "de": ["Kein Zugang von dieser Website"]},
        "note": words_of_sign_in(),
    });
    if let Some(id) = query.message_id {
        message["messageId"] = id.into();
    }
    let page = format!(
        "<!doctype html><title>IIIF</title><body data-origin=\"{}\" data-message=\"{}\"><script>{SCRIPT}</script>",
        escape(query.origin.as_deref().unwrap_or("*")),
        escape(&message.to_string()),
    );
    let script = STANDARD.encode(digest::digest(&digest::SHA256, SCRIPT.as_bytes()));
    let about = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (
            header::CONTENT_SECURITY_POLICY,
            format!("default-src 'none'; script-src 'sha256-{script}'; base-uri 'none'"),
        ),
    ];
    (about, page).into_response()
}

/// The services that an image has which not everybody may see (section 3.1).
pub fn services(base: &BaseUrl, id: &str) -> Vec<Value> {
    vec![json!({
        "id": base.join(&format!("/iiif/auth/2/probe/{id}")), "type": "AuthProbeService2",
        "service": [{
            "type": "AuthAccessService2", "profile": "external",
            "label": {"en": ["Sign in at the repository"], "de": ["Beim Repositorium anmelden"]},
            "service": [{"id": base.join("/iiif/auth/2/token"), "type": "AuthAccessTokenService2"}],
        }],
    })]
}

fn words_of_sign_in() -> Value {
    json!({
        "en": ["Sign in at the site of the repository, or send the token of an account with the request."],
        "de": ["Melden Sie sich auf der Website des Repositoriums an, oder senden Sie das Token eines Kontos mit."],
    })
}
