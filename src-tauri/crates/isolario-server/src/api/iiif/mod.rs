//! IIIF: images and what is said of them, for viewers at any site.

mod image;
mod presentation;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::app_state::AppState;

/// The routes of the Image API in both versions, and of those of objects.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(image::read))
        .routes(routes!(image::information))
        .routes(routes!(image::redirect))
        .merge(presentation::routes())
}
