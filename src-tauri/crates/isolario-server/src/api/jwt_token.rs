//! `/jwt/token`: a bearer token for somebody who has signed in (interface, Authentication, 3). And the
//! keys by which others verify it.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use axum::routing::get;
use serde_json::json;

use super::base_url::BaseUrl;
use super::login::json_response;
use super::{ApiError, ErrorCode};
use crate::api::app_state::AppState;
use isolario_auth::hosts::authority_of;
use isolario_core::repository::Repository;
use isolario_model::policy::Actor;

/// The routes of tokens.
pub fn routes() -> axum::Router<AppState> {
    axum::Router::new()
        .route("/jwt/token", get(issue).post(issue))
        .route("/.well-known/jwks.json", get(public_keys))
}

/// A JSON Web Key Set (RFC 7517, 5).
async fn public_keys(State(repository): State<Arc<Repository>>) -> Response {
    let keys = repository.authenticator.public_keys();
    let mut response = json_response(&json!({ "keys": keys }));
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/jwk-set+json"),
    );
    response
}

async fn issue(
    State(repository): State<Arc<Repository>>,
    Extension(actor): Extension<Actor>,
    Extension(base): Extension<BaseUrl>,
) -> Result<Response, ApiError> {
    if !repository.config.tokens.issue {
        return Err(ApiError::new(
            ErrorCode::NotFound,
            "This repository gives out no tokens: its configuration says so.",
        ));
    }
    if actor.is_anonymous() {
        return Err(ApiError::unauthenticated());
    }
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
