//! The router: every noun's routes, and the layers that every request passes.

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use super::{
    authentication, binary, entity, fallback, file, file_upload, head_limits, jwt_token, login,
    media_source, request_log, ui, upload, user, v1,
};
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
        .layer(from_fn_with_state(app, request_log::record))
}

fn nouns(app: AppState) -> Router {
    Router::from(documented_routes())
        .merge(ui::routes())
        .fallback(fallback::no_route)
        .with_state(app)
}

/// Every route but those of the page and its files. The document is made of these.
pub fn documented_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(v1::openapi::Common::openapi())
        .merge(entity::routes())
        .merge(upload::routes())
        .merge(media_source::routes())
        .merge(file_upload::routes())
        .merge(file::routes())
        .merge(binary::routes())
        .merge(user::routes())
        .merge(login::routes())
        .merge(jwt_token::routes())
        .merge(v1::routes())
}
