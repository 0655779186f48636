//! The content model as the reference's configuration: `/entity/{kind of configuration}/{id}`, and the same below
//! `/islandora_workbench_integration/node_actions`, where the reference shows it to those who administer nothing.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::openapi::parameters::{IfNoneMatch, JsonFormat};
use super::openapi::refusals::Refused;
use super::openapi::resources::Configuration;
use super::request_format::{Format, require_json_format};
use super::{ApiError, ErrorCode, conditional};
use crate::api::app_state::AppState;
use isolario_model::content::{Bundle, ContentModel, EntityKind, FieldDefinition};
use isolario_model::formats::configuration;
use isolario_model::policy::permission::{may_view_bundles, may_view_configuration};
use isolario_model::policy::{Actor, Denial};

/// The handler of one address of configuration. They differ in the document and in what is looked up.
macro_rules! configuration {
    ($name:ident, $summary:literal, [$($parameter:literal),+], $may:path, $find:expr, path = $path:literal) => {
        #[utoipa::path(get, operation_id = concat!("get_", stringify!($name)), path = $path, tag = "configuration",
            summary = $summary, params($(($parameter = String, Path)),+, JsonFormat, IfNoneMatch), responses(
            (status = 200, description = "The configuration", body = Configuration),
            (status = 304, description = "The bytes are those that If-None-Match names"),
            Refused<404>, Refused<406>))]
        async fn $name(request: ConfigurationRequest) -> Result<Response, ApiError> {
            answer(request, $may, $find)
        }
    };
}

configuration! { entity_form_display, "Read the form of a bundle", ["id"], may_view_configuration, |model, path| {
    let [kind, bundle, "default"] = dotted(path)?[..] else { return None };
    form_display(model, kind, bundle)
}, path = "/entity/entity_form_display/{id}" }
configuration! { form_display_for_workbench, "Read the form of a bundle", ["entity_type", "bundle"],
    may_view_configuration, |model, path| form_display(model, path.first()?, path.get(1)?),
path = "/islandora_workbench_integration/node_actions/entity_display/{entity_type}/{bundle}" }
configuration! { field_config, "Read a field of a bundle", ["id"], may_view_configuration, |model, path| {
    let [kind, bundle, name] = dotted(path)?[..] else { return None };
    field(model, kind, bundle, name)
}, path = "/entity/field_config/{id}" }
configuration! { field_for_workbench, "Read a field of a bundle", ["entity_type", "bundle", "field"], may_view_configuration,
    |model, path| field(model, path.first()?, path.get(1)?, path.get(2)?),
path = "/islandora_workbench_integration/node_actions/field_config/{entity_type}/{bundle}/{field}" }
configuration! { field_storage_config, "Read what bundles share of a field", ["id"], may_view_configuration, |model, path| {
    let [kind, name] = dotted(path)?[..] else { return None };
    field_storage(model, kind, name)
}, path = "/entity/field_storage_config/{id}" }
configuration! { field_storage_for_workbench, "Read what bundles share of a field", ["entity_type", "field"],
    may_view_configuration, |model, path| field_storage(model, path.first()?, path.get(1)?),
path = "/islandora_workbench_integration/node_actions/field_storage_config/{entity_type}/{field}" }
configuration! { node_type, "Read a node type", ["id"], may_view_bundles,
|model, path| bundle(model, EntityKind::Node, path), path = "/entity/node_type/{id}" }
configuration! { media_type, "Read a media type", ["id"], may_view_bundles,
|model, path| bundle(model, EntityKind::Media, path), path = "/entity/media_type/{id}" }
configuration! { vocabulary, "Read a vocabulary", ["id"], may_view_bundles,
|model, path| bundle(model, EntityKind::Term, path), path = "/entity/taxonomy_vocabulary/{id}" }

/// The routes of the configuration.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(entity_form_display))
        .routes(routes!(form_display_for_workbench))
        .routes(routes!(field_config))
        .routes(routes!(field_for_workbench))
        .routes(routes!(field_storage_config))
        .routes(routes!(field_storage_for_workbench))
        .routes(routes!(node_type))
        .routes(routes!(media_type))
        .routes(routes!(vocabulary))
}

/// What a request at an address of configuration consists of.
type ConfigurationRequest = (
    State<AppState>,
    Path<Vec<(String, String)>>,
    Extension<Actor>,
    Uri,
    HeaderMap,
);

fn answer(
    (State(app), Path(path), Extension(actor), uri, headers): ConfigurationRequest,
    may: impl FnOnce(&Actor) -> Result<(), Denial>,
    find: impl FnOnce(&ContentModel, &[&str]) -> Option<Value>,
) -> Result<Response, ApiError> {
    require_json_format(&Method::GET, uri.query(), &app.repository.config)?;
    may(&actor).map_err(|denial| ApiError::denied(&actor, denial))?;
    let path: Vec<&str> = path.iter().map(|(_, value)| value.as_str()).collect();
    let model = app.repository.model();
    let find = || find(&model, &path);
    let document = app.configuration(&model).or_find(uri.path(), find);
    let document = document.ok_or_else(|| {
        let id = path.join(".");
        ApiError::new(
            ErrorCode::NotFound,
            format!("There is no configuration {id}."),
        )
    })?;
    let mime = HeaderValue::from_static(Format::Json.mime());
    let response = ([(header::CONTENT_TYPE, mime)], Body::from(document.body)).into_response();
    Ok(conditional::answer(&headers, &document.etag, response))
}

/// The parts of the id in a path.
fn dotted<'p>(path: &[&'p str]) -> Option<Vec<&'p str>> {
    Some(path.first()?.split('.').collect())
}

fn of_kind<'m>(model: &'m ContentModel, kind: &str, id: &str) -> Option<&'m Arc<Bundle>> {
    model.bundle(EntityKind::from_target_type(kind)?, id)
}

fn bundle(model: &ContentModel, kind: EntityKind, path: &[&str]) -> Option<Value> {
    let bundle = model.bundle(kind, path.first()?)?;
    Some(configuration::write_bundle(bundle))
}

fn form_display(model: &ContentModel, kind: &str, id: &str) -> Option<Value> {
    Some(configuration::write_form_display(of_kind(model, kind, id)?))
}

fn field(model: &ContentModel, kind: &str, id: &str, name: &str) -> Option<Value> {
    let bundle = of_kind(model, kind, id)?;
    Some(configuration::write_field(
        model,
        bundle,
        bundle.field(name)?,
    ))
}

fn field_storage(model: &ContentModel, kind: &str, name: &str) -> Option<Value> {
    let kind = EntityKind::from_target_type(kind)?;
    let mut bundles = model.bundles_of(kind);
    let field: &FieldDefinition = bundles.find_map(|bundle| bundle.field(name))?;
    Some(configuration::write_field_storage(kind, field))
}
