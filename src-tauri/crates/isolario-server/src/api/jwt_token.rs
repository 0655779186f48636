//! `/jwt/token`: a bearer token for somebody who has signed in (interface, Authentication, 3). And the
//! keys by which others verify it.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::base_url::BaseUrl;
use super::login::json_response;
use super::openapi::refusals::Refused;
use super::openapi::resources::{KeySet, Token};
use super::{ApiError, ErrorCode};
use crate::api::app_state::AppState;
use isolario_auth::hosts::authority_of;
use isolario_core::actions::access_tokens::{OTHER_TOKEN, refuse_access_token};
use isolario_core::repository::Repository;
use isolario_model::policy::Actor;

/// The routes of tokens.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get_token, post_token))
        .routes(routes!(public_keys))
}

/// The keys that verify bearer tokens, by the kid in their header (RFC 7517)
#[utoipa::path(get, operation_id = "get_public_keys", path = "/.well-known/jwks.json", tag = "session", responses(
    (status = 200, description = "The key set", body = KeySet, content_type = "application/jwk-set+json")))]
async fn public_keys(State(repository): State<Arc<Repository>>) -> Response {
    let keys = repository.authenticator.public_keys();
    let mut response = json_response(&json!({ "keys": keys }));
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/jwk-set+json"),
    );
    response
}

/// Refuses where the configuration gives out no tokens.
///
/// # Errors
/// 404.
pub fn require_issue(repository: &Repository) -> Result<(), ApiError> {
    match repository.config.tokens.issue {
        true => Ok(()),
        false => Err(ApiError::new(
            ErrorCode::NotFound,
            "This repository gives out no tokens: its configuration says so.",
        )),
    }
}

/// What a request for a token consists of.
type TokenParts = (State<Arc<Repository>>, Extension<Actor>, Extension<BaseUrl>);

/// A bearer token for the actor
#[utoipa::path(post, path = "/jwt/token", tag = "session", responses(
    (status = 200, description = "The token", body = Token), Refused<404>))]
async fn post_token(parts: TokenParts) -> Result<Response, ApiError> {
    get_token(parts).await
}

/// A bearer token for the actor
#[utoipa::path(get, path = "/jwt/token", tag = "session", responses(
    (status = 200, description = "The token", body = Token), Refused<404>))]
async fn get_token(
    (State(repository), Extension(actor), Extension(base)): TokenParts,
) -> Result<Response, ApiError> {
    require_issue(&repository)?;
    if actor.is_anonymous() {
        return Err(ApiError::unauthenticated());
    }
    refuse_access_token(&actor, OTHER_TOKEN).map_err(|denial| ApiError::denied(&actor, denial))?;
    let authority = authority_of(&base.0).unwrap_or_default();
    let token = repository
        .authenticator
        .issue_token(&actor, authority)
        .await?;
    match token {
        Some(token) => Ok(json_response(&json!({ "token": token }))),
        None => Err(ApiError::forbidden(
            "There is no account to give a token to.",
        )),
    }
}
