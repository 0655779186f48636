//! `/jwt/token`: a bearer token for somebody who has signed in (interface, Authentication, 3).

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use serde_json::json;

use super::ApiError;
use super::base_url::BaseUrl;
use super::login::json_response;
use super::router::AppState;
use crate::auth::Actor;
use crate::auth::hosts::authority_of;

/// The route of tokens.
pub fn routes() -> axum::Router<AppState> {
    axum::Router::new().route("/jwt/token", get(issue).post(issue))
}

async fn issue(
    State(repository): State<AppState>,
    Extension(actor): Extension<Actor>,
    Extension(base): Extension<BaseUrl>,
) -> Result<Response, ApiError> {
    if !repository.config.tokens.issue {
        return Err(ApiError::new(
            StatusCode::NOT_FOUND,
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
