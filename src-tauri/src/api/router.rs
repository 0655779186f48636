//! The router: every noun's routes, and the layers that every request passes.

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};

use super::{
    authentication, binary, entity, fallback, file, file_upload, jwt_token, login, media_source,
    request_log, ui, upload, user, v1,
};
use crate::repository::Repository;

/// What every handler can reach.
pub type AppState = Arc<Repository>;

/// The whole interface over one repository. `normalise::normalise` must see requests first.
pub fn router(repository: AppState) -> Router {
    Router::new()
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
        .merge(ui::routes())
        .fallback(fallback::no_route)
        .layer(from_fn(fallback::explain))
        .layer(from_fn_with_state(
            repository.clone(),
            authentication::authenticate,
        ))
        .layer(from_fn_with_state(repository.clone(), request_log::record))
        .with_state(repository)
}
