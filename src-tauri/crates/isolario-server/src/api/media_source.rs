//! `PUT /media/{media}/source` replaces the file of a media (interface, Endpoints, note 7);
//! `PUT /media/add_derivative/{media}/{field}` fills one of its other file fields.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::middleware::from_fn;
use axum::response::Response;
use axum::routing::put;

use super::ApiError;
use super::resumption::announce_limits;
use super::upload::{ContextExtensions, UploadRoute, accept};
use crate::api::app_state::AppState;
use isolario_core::actions::upload_media::Destination;
use isolario_core::repository::Repository;
use isolario_model::content::EntityKind;

pub(super) const SOURCE: UploadRoute = UploadRoute {
    template: "/media/{media}/source",
    name: "islandora.media_source_update",
};
pub(super) const DERIVATIVE: UploadRoute = UploadRoute {
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
    State(repository): State<Arc<Repository>>,
    Path(media): Path<String>,
    extensions: ContextExtensions,
    request: Request,
) -> Result<Response, ApiError> {
    let mid = SOURCE.id(EntityKind::Media, &media)?;
    accept(repository, extensions, Destination::Source { mid }, request).await
}

async fn put_derivative(
    State(repository): State<Arc<Repository>>,
    Path((media, field)): Path<(String, String)>,
    extensions: ContextExtensions,
    request: Request,
) -> Result<Response, ApiError> {
    let mid = DERIVATIVE.id(EntityKind::Media, &media)?;
    accept(
        repository,
        extensions,
        Destination::Field { mid, field },
        request,
    )
    .await
}
