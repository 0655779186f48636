//! What the window needs beyond the interface, under `/api/v1`: lists, labels, the content model,
//! the session and the stream of events. One file per noun.

mod account_body;
mod activity;
mod acts;
mod asked;
mod backups;
mod collections;
mod content_model;
mod counts;
mod events;
mod file_versions;
mod fixity;
mod history;
mod item_fields;
mod item_ids;
mod item_jobs;
mod item_media;
mod item_position;
mod items;
mod jobs;
mod known_bytes;
mod labels;
mod media;
mod openapi;
mod parameters;
mod pictures;
mod qr_code;
mod roles;
mod server;
mod server_requests;
mod session;
mod shapes;
mod shown;
mod terms;
mod trash;
mod uploads;
mod users;
mod watched_dry_run;
mod watched_files;
mod watched_folders;

use axum::Router;
use axum::routing::{get, post};

use crate::api::AppState;

pub use openapi::openapi;

/// The routes of this folder.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/openapi.json", get(openapi::document))
        .route("/api/v1/session", get(session::session))
        .route("/api/v1/content-model", get(content_model::content_model))
        .route("/api/v1/collections", get(collections::list))
        .route("/api/v1/counts", get(counts::counts))
        .route("/api/v1/items", get(items::list))
        .route("/api/v1/items/ids", get(item_ids::list))
        .route("/api/v1/items/position", get(item_position::position))
        .route("/api/v1/items/{nid}", get(items::one).delete(items::delete))
        .route("/api/v1/items/{nid}/media", get(item_media::list))
        .route("/api/v1/items/{nid}/jobs", get(item_jobs::list))
        .route("/api/v1/jobs", get(jobs::list))
        .route("/api/v1/jobs/look", post(jobs::look))
        .route("/api/v1/jobs/{id}/retry", post(jobs::retry))
        .route("/api/v1/known-bytes", get(known_bytes::list))
        .route("/api/v1/pictures", get(pictures::list))
        .route("/api/v1/media", get(media::list))
        .route("/api/v1/terms", get(terms::list))
        .route("/api/v1/labels", get(labels::list))
        .route("/api/v1/users", get(users::list).post(users::add))
        .route("/api/v1/users/{uid}", get(users::one).patch(users::change))
        .route("/api/v1/roles", get(roles::list))
        .route(
            "/api/v1/backups",
            get(backups::status).post(backups::back_up_now),
        )
        .route("/api/v1/server", get(server::status).patch(server::change))
        .route("/api/v1/server/requests", get(server_requests::list))
        .route("/api/v1/events", get(events::events))
        .route("/api/v1/activity", get(activity::list))
        .route(
            "/api/v1/fixity",
            get(fixity::status).post(fixity::check_now),
        )
        .merge(history::routes())
        .route("/api/v1/files/{fid}/versions", get(file_versions::list))
        .route(
            "/api/v1/files/{fid}/versions/{version}/content",
            get(file_versions::content),
        )
        .route("/api/v1/trash", get(trash::list).delete(trash::empty))
        .route(
            "/api/v1/trash/{kind}/{id}",
            get(trash::one).delete(trash::purge),
        )
        .route("/api/v1/trash/{kind}/{id}/restore", post(trash::restore))
        .merge(watched())
        .route(
            "/api/v1/uploads/{id}",
            get(uploads::progress)
                .patch(uploads::append)
                .delete(uploads::give_up),
        )
}

fn watched() -> Router<AppState> {
    Router::new()
        .route(
            "/api/v1/watched-folders",
            get(watched_folders::list).post(watched_folders::add),
        )
        .route(
            "/api/v1/watched-folders/dry-run",
            post(watched_dry_run::dry_run),
        )
        .route(
            "/api/v1/watched-folders/{id}",
            get(watched_folders::one)
                .patch(watched_folders::change)
                .delete(watched_folders::remove),
        )
        .route(
            "/api/v1/watched-folders/{id}/restore",
            post(watched_folders::restore),
        )
        .route(
            "/api/v1/watched-folders/{id}/pause",
            post(watched_folders::pause),
        )
        .route(
            "/api/v1/watched-folders/{id}/resume",
            post(watched_folders::resume),
        )
        .route(
            "/api/v1/watched-folders/{id}/retry",
            post(watched_files::retry_all),
        )
        .route(
            "/api/v1/watched-folders/{id}/files",
            get(watched_files::list),
        )
        .route(
            "/api/v1/watched-folders/{id}/files/{file}/retry",
            post(watched_files::retry),
        )
}
