//! The OpenAPI document: `/api/v1` from its handlers, the interface's own routes from a table.

mod bytes;
mod history;
mod interface;
mod operation;
mod resources;

use axum::Json;
use utoipa::OpenApi;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme,
};

use super::{
    activity, backups, collections, content_model, counts, events, file_versions, fixity,
    history as states, item_ids, item_jobs, item_media, item_position, items, jobs, known_bytes,
    labels, media, pictures, roles, server, server_requests, session, shapes, terms, trash,
    uploads, users, watched_dry_run, watched_files, watched_folders,
};

/// The part that the handlers describe.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Isolario",
        description = "Nodes, media, files and terms of one repository, and the lists over them.",
        license(name = "MIT", identifier = "MIT")
    ),
    paths(
        session::session,
        content_model::content_model,
        collections::list,
        items::list,
        item_ids::list,
        item_position::position,
        items::one,
        items::delete,
        item_media::list,
        item_jobs::list,
        jobs::list,
        jobs::look,
        jobs::retry,
        known_bytes::list,
        pictures::list,
        counts::counts,
        media::list,
        terms::list,
        labels::list,
        users::list,
        users::one,
        users::add,
        users::change,
        roles::list,
        backups::status,
        backups::back_up_now,
        server::status,
        server::change,
        server_requests::list,
        events::events,
        activity::list,
        fixity::status,
        fixity::check_now,
        file_versions::list,
        file_versions::content,
        trash::list,
        trash::one,
        trash::restore,
        trash::purge,
        trash::empty,
        uploads::progress,
        uploads::append,
        uploads::give_up,
        watched_folders::list,
        watched_folders::add,
        watched_folders::one,
        watched_folders::change,
        watched_folders::remove,
        watched_folders::restore,
        watched_folders::pause,
        watched_folders::resume,
        watched_dry_run::dry_run,
        watched_files::list,
        watched_files::retry,
        watched_files::retry_all,
        document
    ),
    components(schemas(
        shapes::Message,
        events::Change,
        states::RevisionList,
        states::RevisionState,
        states::Changes,
        states::RevertRequest
    )),
    tags(
        (name = "resources", description = "Nodes, media, files and terms"),
        (name = "files", description = "Uploads and the bytes of files"),
        (name = "session", description = "Signing in and out"),
        (name = "accounts", description = "People who sign in, and their roles"),
        (name = "history", description = "Former states, former bytes, and what was deleted"),
        (name = "lists", description = "What the window needs beyond the resources"),
        (name = "server", description = "Where it listens, the local network, and who asked for what"),
        (name = "watched folders", description = "Folders whose files become items by themselves"),
        (name = "derivatives", description = "What is made of original files by itself"),
        (name = "care", description = "How the repository takes care of what it keeps")
    )
)]
struct Lists;

/// The whole document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = Lists::openapi();
    document.paths.paths.extend(interface::paths().paths);
    document.paths.paths.extend(history::paths());
    let components = document.components.get_or_insert_default();
    components.schemas.extend(resources::schemas());
    for (name, scheme) in security_schemes() {
        components.add_security_scheme(name, scheme);
    }
    let none = SecurityRequirement::default();
    let ways = ["basic", "bearer", "cookie"]
        .map(|name| SecurityRequirement::new::<_, [&str; 0], &str>(name, []));
    document.security = Some(std::iter::once(none).chain(ways).collect());
    document
}

fn security_schemes() -> [(&'static str, SecurityScheme); 3] {
    let cookie = "A session cookie of /user/login, whose name begins with SESS. Changes need X-CSRF-Token too.";
    [
        (
            "basic",
            SecurityScheme::Http(Http::new(HttpAuthScheme::Basic)),
        ),
        (
            "bearer",
            SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)),
        ),
        (
            "cookie",
            SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
                "SESS", cookie,
            ))),
        ),
    ]
}

/// This document
#[utoipa::path(get, path = "/openapi.json", tag = "session", responses(
    (status = 200, description = "An OpenAPI 3.1 document", body = serde_json::Value)))]
pub async fn document() -> Json<utoipa::openapi::OpenApi> {
    Json(openapi())
}
