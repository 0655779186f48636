//! IIIF: images and what is said of them, for viewers at any site.

mod authorization;
mod image;
mod image_id;
mod presentation;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::app_state::AppState;

/// The routes of the Image API in both versions, of access to images, and of objects.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(image::read))
        .routes(routes!(image::information))
        .routes(routes!(image::redirect))
        .routes(routes!(authorization::probe))
        .routes(routes!(authorization::token))
        .merge(presentation::routes())
}
