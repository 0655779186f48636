//! The router: every noun's routes, and what every request passes before them.

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};

use super::log_requests::ReceivedRequest;
use super::openapi_document::documented_routes;
use super::{authentication, fallback, head_limits, ui};
use crate::api::app_state::AppState;

/// The routes of every noun over one repository.
pub fn routes(app: AppState) -> Router {
    Router::from(documented_routes())
        .merge(ui::routes())
        .fallback(fallback::no_route)
        .with_state(app)
}

/// Answers a request whose path `normalise::normalise` has seen. Layers of the router would do the same, but each costs
/// every request a copy of all within.
pub async fn answer(app: &AppState, routes: Router, request: Request) -> Response {
    let received = ReceivedRequest::of(&request);
    let repository = &app.repository;
    let mut response = match head_limits::refusal(&repository.config.limits, &request) {
        Some(refusal) => refusal.into_response(),
        None => authentication::authenticate(repository, routes, request).await,
    };
    fallback::add_common_headers(response.headers_mut());
    received.answered(&app.request_log, response)
}
