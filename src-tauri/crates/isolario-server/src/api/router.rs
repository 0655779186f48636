//! The router: every noun's routes, and the layers that every request passes.

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state, map_response};

use super::openapi_document::documented_routes;
use super::{authentication, fallback, head_limits, log_requests, ui};
use crate::api::app_state::AppState;

/// The whole interface over one repository. `normalise::normalise` must see requests first.
pub fn router(app: AppState) -> Router {
    // The layers stand around the whole router, not around each route: only there is the list of
    // allowed methods known.
    Router::new()
        .fallback_service(nouns(app.clone()))
        .layer(from_fn(fallback::explain))
        .layer(from_fn_with_state(
            app.clone(),
            authentication::authenticate,
        ))
        .layer(from_fn_with_state(app.clone(), head_limits::bound))
        .layer(map_response(fallback::with_common_headers))
        .layer(from_fn_with_state(app, log_requests::record))
}

fn nouns(app: AppState) -> Router {
    Router::from(documented_routes())
        .merge(ui::routes())
        .fallback(fallback::no_route)
        .with_state(app)
}
