//! The OpenAPI document. It comes from the routes, whose handlers describe themselves.

mod every_operation;

use axum::Json;
use utoipa::OpenApi;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme,
};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::app_state::AppState;
use super::openapi::{refusals, resources, values};
use super::{
    addresses, binary, configuration, entity, file, file_upload, iiif, jwt_token, landing_page,
    login, media_source, node_lists, oai, openid_connect, opensearch, term_lookup, upload, user,
    v1, views, workbench,
};

/// What no handler describes.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Isolario",
        description = "Nodes, media, files and terms of one repository, and the lists over them.",
        license(name = "MIT", identifier = "MIT")
    ),
    components(schemas(
        refusals::Message,
        refusals::Problem,
        v1::BatchNews,
        v1::Change,
        v1::RevertRequest,
        resources::FieldItem,
        values::Origin,
        values::EntityKind,
        values::DerivativeKind,
        values::DerivativeState,
        values::WatchState,
        values::View,
        v1::Direction,
        v1::SearchOrder,
        v1::ExportFormat,
        v1::PrintLayout,
        v1::FindingAidFormatName,
        v1::ReportFormat,
        v1::VocabularyFormatName,
        v1::ExportedTerms,
        v1::ChangeAction,
        v1::TrashKind,
        v1::AccountState,
        values::Completeness,
        values::CollectionOrRoot,
        values::FewIds,
        values::ScreenOfIds,
        values::Ids,
        values::Checksums
    )),
    tags(
        (name = "resources", description = "Nodes, media, files and terms"),
        (name = "files", description = "Uploads and the bytes of files"),
        (name = "session", description = "Signing in and out"),
        (name = "accounts", description = "People who sign in, and their roles"),
        (name = "history", description = "Revisions, versions of files and the trash"),
        (name = "lists", description = "Lists and look-ups for the UI"),
        (name = "search", description = "Searches, and the index that they ask"),
        (name = "configuration", description = "The content model as the configuration of the reference"),
        (name = "server", description = "Listening addresses, the local network and the request log"),
        (name = "watched folders", description = "Folders whose files are ingested automatically"),
        (name = "derivatives", description = "Derivatives of original files"),
        (name = "iiif", description = "Pictures for viewers at any site"),
        (name = "harvesting", description = "Records for other catalogues"),
        (name = "maintenance", description = "Backups, and the fixity audit of stored bytes")
    )
)]
struct Common;

/// Every route but those of the page and its files. The document is made of these.
pub fn documented_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Common::openapi())
        .routes(routes!(document))
        .merge(entity::routes())
        .merge(upload::routes())
        .merge(media_source::routes())
        .merge(file_upload::routes())
        .merge(file::routes())
        .merge(binary::routes())
        .merge(user::routes())
        .merge(node_lists::routes())
        .merge(term_lookup::routes())
        .merge(views::routes())
        .merge(configuration::routes())
        .merge(workbench::routes())
        .merge(addresses::routes())
        .merge(login::routes())
        .merge(openid_connect::routes())
        .merge(jwt_token::routes())
        .merge(opensearch::routes())
        .merge(iiif::routes())
        .merge(oai::routes())
        .merge(landing_page::routes())
        .merge(v1::routes())
}

/// The whole document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = documented_routes().into_openapi();
    name_wildcards(&mut document);
    let components = document.components.get_or_insert_default();
    for (name, scheme) in security_schemes() {
        components.add_security_scheme(name, scheme);
    }
    let none = SecurityRequirement::default();
    document.security = Some(
        std::iter::once(none)
            .chain(every_operation::ways())
            .collect(),
    );
    tell_get_from_head(&mut document);
    every_operation::complete(&mut document);
    document
}

/// Only the router tells a parameter that may have slashes from others.
fn name_wildcards(document: &mut utoipa::openapi::OpenApi) {
    let paths = std::mem::take(&mut document.paths.paths).into_iter();
    let named = paths.map(|(path, item)| (path.replace("{*", "{"), item));
    document.paths.paths = named.collect();
}

/// A handler that answers GET and HEAD is two operations, each with an id of its own.
fn tell_get_from_head(document: &mut utoipa::openapi::OpenApi) {
    for item in document.paths.paths.values_mut() {
        if let (Some(get), Some(head)) = (&mut item.get, &item.head) {
            get.operation_id = head.operation_id.as_ref().map(|id| format!("{id}_by_get"));
        }
    }
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
    (status = 200, description = "An OpenAPI 3.1 document", body = Object)))]
async fn document() -> Json<utoipa::openapi::OpenApi> {
    Json(openapi())
}
