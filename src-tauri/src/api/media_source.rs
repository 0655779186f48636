//! `PUT /media/{media}/source` replaces the file of a media (interface, Endpoints, note 7);
//! `PUT /media/add_derivative/{media}/{field}` fills one of its other file fields.

use axum::extract::{Path, Request, State};
use axum::middleware::from_fn;
use axum::response::Response;
use axum::routing::put;

use super::ApiError;
use super::resumption::announce_limits;
use super::router::AppState;
use super::upload::{Asked, Route, accept};
use crate::actions::upload_media::Destination;
use crate::content::EntityKind;

pub(super) const SOURCE: Route = Route {
    template: "/media/{media}/source",
    name: "islandora.media_source_update",
};
pub(super) const DERIVATIVE: Route = Route {
    template: "/media/add_derivative/{media}/{destination_field}",
    name: "islandora.attach_file_to_media",
};

/// The routes of uploads to a media.
pub fn routes() -> axum::Router<AppState> {
    axum::Router::new()
        .route("/media/{media}/source", put(put_source))
        .route("/media/add_derivative/{media}/{field}", put(put_derivative))
        .layer(from_fn(announce_limits))
}

async fn put_source(
    State(repository): State<AppState>,
    Path(media): Path<String>,
    asked: Asked,
    request: Request,
) -> Result<Response, ApiError> {
    let mid = SOURCE.id(EntityKind::Media, &media)?;
    accept(repository, asked, Destination::Source { mid }, request).await
}

async fn put_derivative(
    State(repository): State<AppState>,
    Path((media, field)): Path<(String, String)>,
    asked: Asked,
    request: Request,
) -> Result<Response, ApiError> {
    let mid = DERIVATIVE.id(EntityKind::Media, &media)?;
    accept(
        repository,
        asked,
        Destination::Field { mid, field },
        request,
    )
    .await
}
