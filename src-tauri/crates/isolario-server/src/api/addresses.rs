//! Addresses that people give: `/entity/path_alias` and `/entity/redirect`. `address_lookup` answers requests at them.

use std::sync::Arc;

use axum::extract::{Extension, Path, Request, State};
use axum::http::{HeaderName, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::body::read_small_body;
use super::openapi::parameters::{ChangeFormat, JsonFormat};
use super::openapi::refusals::Refused;
use super::openapi::resources::{PathAliasResource, RedirectResource};
use super::request_format::{read_format, require_json_body, require_json_format};
use super::upload::ContextExtensions;
use super::v1::parameters::{not_found, path_id};
use super::{ApiError, app_state::AppState};
use isolario_core::actions::redirects::{self, RedirectDraft};
use isolario_core::actions::request_body::parse_body;
use isolario_core::actions::view_entity::visible_target;
use isolario_core::actions::{Author, path_aliases};
use isolario_core::repository::Repository;
use isolario_db::{DbError, PathAlias};
use isolario_model::content::EntityKind;
use isolario_model::content::record::Redirect;
use isolario_model::fields::{Violation, ViolationCode};
use isolario_model::formats::json;
use isolario_model::policy::{Actor, permit_redirect};

/// The routes of aliases and redirects.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(create_alias))
        .routes(routes!(read_alias, delete_alias))
        .routes(routes!(create_redirect))
        .routes(routes!(read_redirect, delete_redirect))
}

/// Give a node, media or term another address
///
/// For those who may change it and have one of the permissions `create url aliases` and `administer url aliases`.
#[utoipa::path(post, operation_id = "create_path_alias", path = "/entity/path_alias", tag = "resources",
    params(ChangeFormat), request_body = PathAliasResource, responses(
    (status = 201, description = "The alias", body = PathAliasResource),
    Refused<404>, Refused<406>, Refused<415>, Refused<422>))]
async fn create_alias(
    State(repository): State<Arc<Repository>>,
    (Extension(actor), Extension(origin), _): ContextExtensions,
    request: Request,
) -> Result<Response, ApiError> {
    let body = change(&repository, &actor, request).await?;
    let path = text(&body, "path", "value")?;
    let alias = text(&body, "alias", "value")?;
    let resource = resource_at(&path).ok_or_else(|| {
        let message =
            "Only nodes, media and terms have aliases: /node/5, /media/5, /taxonomy/term/5.";
        wrong("path", "value", ViolationCode::UnknownReference, message)
    })?;
    let author = Author::new(&actor, origin);
    let (db, model) = (&repository.db, &repository.model());
    let made = path_aliases::add_alias(db, model, resource, alias, &actor, author).await;
    let made = made.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    Ok((
        StatusCode::CREATED,
        JSON,
        json::encode(&written_alias(&made)),
    )
        .into_response())
}

/// Read an alias
#[utoipa::path(get, operation_id = "get_path_alias", path = "/entity/path_alias/{id}", tag = "resources",
    params(("id" = i64, Path), JsonFormat), responses(
    (status = 200, description = "The alias", body = PathAliasResource), Refused<404>, Refused<406>))]
async fn read_alias(
    State(repository): State<Arc<Repository>>,
    Path(id): Path<String>,
    Extension(actor): Extension<Actor>,
    uri: Uri,
) -> Result<Response, ApiError> {
    require_json_format(&Method::GET, uri.query(), &repository.config)?;
    let id = path_id("path alias", &id)?;
    let found = repository.db.read_here(|read| -> Result<_, DbError> {
        let Some(alias) = read.path_alias(id)? else {
            return Ok(None);
        };
        let resource = visible_target(read, &actor, alias.kind, alias.entity_id)?;
        Ok(resource.map(|_| alias))
    });
    let alias = found?.ok_or_else(|| not_found("path alias", id))?;
    Ok((JSON, json::encode(&written_alias(&alias))).into_response())
}

/// Remove an alias
#[utoipa::path(delete, operation_id = "delete_path_alias", path = "/entity/path_alias/{id}", tag = "resources",
    params(("id" = i64, Path), ChangeFormat), responses(
    (status = 204, description = "It is removed"), Refused<404>, Refused<406>))]
async fn delete_alias(
    State(repository): State<Arc<Repository>>,
    Path(id): Path<String>,
    (Extension(actor), Extension(origin), _): ContextExtensions,
    uri: Uri,
) -> Result<StatusCode, ApiError> {
    read_format(&Method::DELETE, uri.query(), &repository.config)?;
    refuse_anonymous(&actor)?;
    let id = path_id("path alias", &id)?;
    let author = Author::new(&actor, origin);
    let (db, model) = (&repository.db, &repository.model());
    let removed = path_aliases::remove_alias(db, model, id, &actor, author).await;
    removed.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lead an address elsewhere
///
/// For those with the permission `administer redirects`.
#[utoipa::path(post, operation_id = "create_redirect", path = "/entity/redirect", tag = "resources",
    params(ChangeFormat), request_body = RedirectResource, responses(
    (status = 201, description = "The redirect", body = RedirectResource),
    Refused<406>, Refused<415>, Refused<422>))]
async fn create_redirect(
    State(repository): State<Arc<Repository>>,
    Extension(actor): Extension<Actor>,
    request: Request,
) -> Result<Response, ApiError> {
    permit_redirect(&actor).map_err(|denial| ApiError::denied(&actor, denial))?;
    let body = change(&repository, &actor, request).await?;
    let draft = RedirectDraft {
        source: text(&body, "redirect_source", "path")?,
        target: target_of(&text(&body, "redirect_redirect", "uri")?),
        status: match property(&body, "status_code", "value") {
            None => 301,
            Some(sent) => status_of(sent),
        },
    };
    let made = redirects::add_redirect(&repository.db, &actor, draft).await;
    let made = made.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    Ok((
        StatusCode::CREATED,
        JSON,
        json::encode(&written_redirect(&made)),
    )
        .into_response())
}

/// Read a redirect
#[utoipa::path(get, operation_id = "get_redirect", path = "/entity/redirect/{id}", tag = "resources",
    params(("id" = i64, Path), JsonFormat), responses(
    (status = 200, description = "The redirect", body = RedirectResource), Refused<404>, Refused<406>))]
async fn read_redirect(
    State(repository): State<Arc<Repository>>,
    Path(id): Path<String>,
    Extension(actor): Extension<Actor>,
    uri: Uri,
) -> Result<Response, ApiError> {
    require_json_format(&Method::GET, uri.query(), &repository.config)?;
    permit_redirect(&actor).map_err(|denial| ApiError::denied(&actor, denial))?;
    let id = path_id("redirect", &id)?;
    let found = repository.db.read_here(|read| read.redirect(id))?;
    let redirect = found.ok_or_else(|| not_found("redirect", id))?;
    Ok((JSON, json::encode(&written_redirect(&redirect))).into_response())
}

/// Remove a redirect
#[utoipa::path(delete, operation_id = "delete_redirect", path = "/entity/redirect/{id}", tag = "resources",
    params(("id" = i64, Path), ChangeFormat), responses(
    (status = 204, description = "It is removed"), Refused<404>, Refused<406>))]
async fn delete_redirect(
    State(repository): State<Arc<Repository>>,
    Path(id): Path<String>,
    Extension(actor): Extension<Actor>,
    uri: Uri,
) -> Result<StatusCode, ApiError> {
    read_format(&Method::DELETE, uri.query(), &repository.config)?;
    permit_redirect(&actor).map_err(|denial| ApiError::denied(&actor, denial))?;
    let id = path_id("redirect", &id)?;
    let deleted = redirects::delete_redirect(&repository.db, &actor, id).await;
    deleted.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

const JSON: [(HeaderName, &str); 1] = [(header::CONTENT_TYPE, "application/json")];

fn refuse_anonymous(actor: &Actor) -> Result<(), ApiError> {
    match actor.is_anonymous() {
        true => Err(ApiError::unauthenticated()),
        false => Ok(()),
    }
}

/// The body of a change, which is a small JSON object.
async fn change(
    repository: &Repository,
    actor: &Actor,
    request: Request,
) -> Result<Map<String, Value>, ApiError> {
    require_json_format(&Method::POST, request.uri().query(), &repository.config)?;
    refuse_anonymous(actor)?;
    require_json_body(request.headers())?;
    let body = read_small_body(request, &repository.config.limits).await?;
    parse_body(&body).map_err(|refusal| ApiError::from_refusal(actor, refusal))
}

/// A property of the first item of a field.
fn property<'b>(body: &'b Map<String, Value>, field: &str, name: &str) -> Option<&'b Value> {
    let item = match body.get(field)? {
        Value::Array(items) => items.first()?,
        single => single,
    };
    match item {
        Value::Object(item) => item.get(name),
        scalar => Some(scalar),
    }
}

fn text(body: &Map<String, Value>, field: &str, name: &str) -> Result<String, ApiError> {
    match property(body, field, name) {
        Some(Value::String(text)) => Ok(text.clone()),
        None | Some(Value::Null) => {
            let message = "This value should not be null.";
            Err(wrong(field, name, ViolationCode::Required, message))
        }
        Some(_) => {
            let message = "This value should be a text.";
            Err(wrong(field, name, ViolationCode::WrongType, message))
        }
    }
}

fn wrong(field: &str, name: &str, code: ViolationCode, message: &str) -> ApiError {
    ApiError::invalid_fields(vec![Violation::at(name, code, message).in_field(field, 0)])
}

fn status_of(sent: &Value) -> u16 {
    let number = sent.as_u64().and_then(|number| u16::try_from(number).ok());
    let digits = || sent.as_str().and_then(|digits| digits.parse().ok());
    number.or_else(digits).unwrap_or(0)
}

/// The target of a redirect: the reference names its own paths `internal:/node/5` and `entity:node/5`.
fn target_of(uri: &str) -> String {
    let uri = uri.trim();
    let here = uri
        .strip_prefix("internal:")
        .or_else(|| uri.strip_prefix("base:"))
        .or_else(|| uri.strip_prefix("entity:"));
    match here {
        Some(path) => format!("/{}", path.trim_start_matches('/')),
        None => uri.to_owned(),
    }
}

fn resource_at(path: &str) -> Option<(EntityKind, i64)> {
    let kinds = [EntityKind::Node, EntityKind::Media, EntityKind::Term];
    kinds.into_iter().find_map(|kind| {
        let id = path.strip_prefix(kind.path(0).trim_end_matches('0'))?;
        let digits = id.bytes().all(|byte| byte.is_ascii_digit());
        id.parse().ok().filter(|_| digits).map(|id| (kind, id))
    })
}

fn written_alias(alias: &PathAlias) -> Value {
    json!({
        "id": [{"value": alias.id}],
        "langcode": [{"value": "en"}],
        "path": [{"value": alias.kind.path(alias.entity_id)}],
        "alias": [{"value": alias.alias}],
        "status": [{"value": true}],
    })
}

fn written_redirect(redirect: &Redirect) -> Value {
    let target = match redirect.target.strip_prefix('/') {
        Some(path) => format!("internal:/{path}"),
        None => redirect.target.clone(),
    };
    json!({
        "rid": [{"value": redirect.id}],
        "type": [{"value": "redirect"}],
        "uid": [{"target_id": redirect.uid, "target_type": "user"}],
        "redirect_source": [{"path": redirect.source.trim_start_matches('/'), "query": null}],
        "redirect_redirect": [{"uri": target, "title": "", "options": {}}],
        "status_code": [{"value": redirect.status}],
        "language": [{"value": "und"}],
    })
}
