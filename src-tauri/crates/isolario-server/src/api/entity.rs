//! Nodes, media and terms: one set of handlers for the three nouns (interface, Endpoints).

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::base_url::BaseUrl;
use super::body::read_body;
use super::openapi::parameters::{
    ChangeFormat, CreationParameters, IfMatch, IfNoneMatch, ReadFormat,
};
use super::openapi::refusals::Refused;
use super::openapi::resources::{JsonLd, MediaResource, Node, TermResource};
use super::representation::{EntityRepresentation, render, write_page};
use super::request_format::{
    Format, names_no_format, prefers_html, read_format, require_json_body,
};
use super::upload::ContextExtensions;
use super::{ApiError, conditional, landing_page, ui};
use crate::api::app_state::AppState;
use isolario_core::actions::create_entity::{Creation, create_entity};
use isolario_core::actions::delete_entity::delete_entity;
use isolario_core::actions::patch_entity::{admit, patch_entity};
use isolario_core::actions::response_context::ResponseContext;
use isolario_core::actions::view_entity::refusal_to_view;
use isolario_core::actions::{Author, Refusal};
use isolario_core::repository::Repository;
use isolario_db::Read;
use isolario_model::content::EntityKind;
use isolario_model::policy::Actor;
use isolario_model::policy::permission::may_create_some;

/// The handler that creates a resource of a kind.
macro_rules! creation {
    ($name:ident, $kind:ident, $schema:ident, $noun:literal, $parameters:ident, path = $path:literal) => {
        #[utoipa::path(post, path = $path, tag = "resources", params($parameters), request_body = $schema,
            summary = concat!("Create a ", $noun), responses(
            (status = 201, description = "The new resource; Location names it", body = $schema),
            Refused<406>, Refused<415>, Refused<422>))]
        async fn $name(
            repository: State<Arc<Repository>>,
            extensions: ContextExtensions,
            request: Request,
        ) -> Result<Response, ApiError> {
            create(EntityKind::$kind, repository, extensions, request).await
        }
    };
}

/// The handlers of a resource at an address. They differ in the document and in the kind.
macro_rules! resource {
    ($module:ident, $kind:ident, $schema:ident, $noun:literal, $id:literal, path = $path:literal) => {
        mod $module {
            use super::*;

            #[utoipa::path(get, operation_id = concat!("get_", stringify!($module)), path = $path, tag = "resources",
                summary = concat!("Read a ", $noun), params(($id = i64, Path), ReadFormat, IfNoneMatch), responses(
                (status = 200, description = "The resource, with Link headers", content(
                    ($schema = "application/json"), (JsonLd = "application/ld+json"))),
                (status = 304, description = "The bytes are those that If-None-Match names"),
                Refused<404>, Refused<406>))]
            async fn read(request: EntityRequest) -> Result<Response, ApiError> {
                super::read(EntityKind::$kind, request).await
            }

            #[utoipa::path(patch, operation_id = concat!("update_", stringify!($module)), path = $path,
                tag = "resources", summary = concat!("Change some fields of a ", $noun),
                params(($id = i64, Path), ChangeFormat, IfMatch), request_body = $schema, responses(
                (status = 200, description = "The changed resource", body = $schema),
                Refused<404>, Refused<406>, Refused<412>, Refused<415>, Refused<422>))]
            async fn update(request: EntityRequest) -> Result<Response, ApiError> {
                super::update(EntityKind::$kind, request).await
            }

            #[utoipa::path(delete, operation_id = concat!("delete_", stringify!($module)), path = $path,
                tag = "resources", summary = concat!("Delete a ", $noun),
                params(($id = i64, Path), ChangeFormat, IfMatch), responses(
                (status = 204, description = "It is deleted"), Refused<404>, Refused<406>, Refused<412>))]
            async fn delete(request: EntityRequest) -> Result<StatusCode, ApiError> {
                super::delete(EntityKind::$kind, request).await
            }

            pub(super) fn routes() -> OpenApiRouter<AppState> {
                OpenApiRouter::new().routes(routes!(read, update, delete))
            }
        }
    };
}

creation! { create_node, Node, Node, "node", CreationParameters, path = "/node" }
creation! { create_media, Media, MediaResource, "media", ChangeFormat, path = "/entity/media" }
creation! { create_term, Term, TermResource, "term", ChangeFormat, path = "/taxonomy/term" }
resource! { node, Node, Node, "node", "nid", path = "/node/{nid}" }
resource! { media, Media, MediaResource, "media", "mid", path = "/media/{mid}" }
resource! { media_at_edit, Media, MediaResource, "media", "mid", path = "/media/{mid}/edit" }
resource! { term, Term, TermResource, "term", "tid", path = "/taxonomy/term/{tid}" }

/// The routes of nodes, media and terms.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(ui::node_page, create_node))
        .routes(routes!(create_media))
        .routes(routes!(ui::term_page, create_term))
        .merge(node::routes())
        .merge(media::routes())
        .merge(media_at_edit::routes())
        .merge(term::routes())
}

/// What a request at the address of a resource consists of.
type EntityRequest = (
    State<Arc<Repository>>,
    Path<String>,
    ContextExtensions,
    Request,
);

async fn read(
    kind: EntityKind,
    (State(repository), Path(id), context, request): EntityRequest,
) -> Result<Response, ApiError> {
    let (headers, query) = (request.headers(), request.uri().query());
    if prefers_html(headers, query) {
        let nid = id_of(&id).filter(|_| kind == EntityKind::Node);
        let (Extension(actor), _, Extension(base)) = context;
        return Ok(landing_page::page(&repository, nid, &actor, &base).await);
    }
    let format = read_format(&Method::GET, query, &repository.config)?;
    let (Extension(actor), _, Extension(base)) = context;
    let page = repository
        .db
        .read_here(|read| view(&repository, read, (kind, &id), format, (&actor, &base)))?;
    let etag = page.etag.clone();
    let mut response = page.response(StatusCode::OK);
    if let (EntityKind::Node, true, Some(id)) = (kind, names_no_format(headers, query), id_of(&id))
    {
        landing_page::link(&mut response, &repository, id, &actor, &base).await;
    }
    Ok(conditional::answer(headers, &etag, response))
}

/// The resource as the asker may see it, its policy and its words from one snapshot.
fn view(
    repository: &Repository,
    read: &Read<'_>,
    (kind, id): (EntityKind, &str),
    format: Format,
    (actor, base): (&Actor, &BaseUrl),
) -> Result<EntityRepresentation, ApiError> {
    let found = match id_of(id) {
        Some(id) => read.entity(kind, id)?,
        None => None,
    };
    let entity = found.ok_or_else(|| not_converted(kind, &Method::GET))?;
    if let Some(denial) = refusal_to_view(read, actor, &entity)? {
        return Err(ApiError::denied(actor, denial));
    }
    let context = ResponseContext {
        read,
        model: &repository.model(),
        actor,
        base: &base.0,
    };
    Ok(write_page(repository, &context, &entity, format, true)?)
}

async fn create(
    kind: EntityKind,
    State(repository): State<Arc<Repository>>,
    (Extension(actor), Extension(origin), Extension(base)): ContextExtensions,
    request: Request,
) -> Result<Response, ApiError> {
    let format = read_format(request.method(), request.uri().query(), &repository.config)?;
    require_json_body(request.headers())?;
    refuse_anonymous_before_body(&repository, kind, &actor)?;
    let takes_defaults = kind == EntityKind::Node && asks_for_defaults(request.uri().query())?;
    let body = read_body(request, &repository.config.limits).await?;
    let creation = Creation {
        kind,
        body,
        takes_defaults,
    };
    let entity = create_entity(
        &repository.db,
        &repository.model(),
        creation,
        &actor,
        Author::new(&actor, origin),
    )
    .await
    .map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    let location = base.join(&kind.path(entity.id));
    let page = render(&repository, &entity, format, (&actor, &base))?;
    let mut response = page.response(StatusCode::CREATED);
    if let Ok(value) = HeaderValue::from_str(&location) {
        response.headers_mut().insert(header::LOCATION, value);
    }
    Ok(response)
}

/// Whether a new node is to have the defaults of its collection. Clients of the reference know of none, so a request
/// that does not ask gets what it sent.
fn asks_for_defaults(query: Option<&str>) -> Result<bool, ApiError> {
    let mut pairs = query.unwrap_or_default().split('&').rev();
    match pairs.find_map(|pair| pair.strip_prefix("defaults=")) {
        None | Some("" | "false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(ApiError::bad_request("defaults must be true or false.")),
    }
}

/// Refuses an anonymous actor before the body is read, where no bundle may be created.
fn refuse_anonymous_before_body(
    repository: &Repository,
    kind: EntityKind,
    actor: &Actor,
) -> Result<(), ApiError> {
    let model = repository.model();
    let bundles = model.bundles_of(kind);
    let names = bundles.map(|bundle| bundle.id.as_str());
    if actor.is_anonymous() && !may_create_some(actor, kind, names) {
        return Err(ApiError::unauthenticated());
    }
    Ok(())
}

async fn update(
    kind: EntityKind,
    (State(repository), Path(id), context, request): EntityRequest,
) -> Result<Response, ApiError> {
    let (Extension(actor), Extension(origin), Extension(base)) = context;
    let format = read_format(request.method(), request.uri().query(), &repository.config)?;
    require_json_body(request.headers())?;
    let refused = |refusal| gone_or_refused(&actor, refusal, &Method::PATCH);
    let id = known_id(kind, &id, &Method::PATCH)?;
    let entity = admit(&repository.db, &actor, kind, id).map_err(refused)?;
    let expected = conditional::expected(request.headers());
    let body = read_body(request, &repository.config.limits).await?;
    let entity = patch_entity(
        &repository.db,
        &repository.model(),
        entity,
        body,
        &actor,
        Author::new(&actor, origin),
        expected,
    )
    .await
    .map_err(refused)?;
    let page = render(&repository, &entity, format, (&actor, &base))?;
    Ok(page.response(StatusCode::OK))
}

async fn delete(
    kind: EntityKind,
    (State(repository), Path(id), context, request): EntityRequest,
) -> Result<StatusCode, ApiError> {
    let (Extension(actor), Extension(origin), _) = context;
    read_format(&Method::DELETE, request.uri().query(), &repository.config)?;
    let expected = conditional::expected(request.headers());
    delete_entity(
        &repository,
        kind,
        known_id(kind, &id, &Method::DELETE)?,
        &actor,
        Author::new(&actor, origin),
        expected,
    )
    .await
    .map_err(|refusal| gone_or_refused(&actor, refusal, &Method::DELETE))?;
    Ok(StatusCode::NO_CONTENT)
}

fn gone_or_refused(actor: &Actor, refusal: Refusal, method: &Method) -> ApiError {
    match refusal {
        Refusal::NotFound { kind, .. } => not_converted(kind, method),
        other => ApiError::from_refusal(actor, other),
    }
}

fn not_converted(kind: EntityKind, method: &Method) -> ApiError {
    let name = kind.target_type();
    ApiError::not_converted(
        name,
        kind.path_template(),
        &format!("rest.entity.{name}.{method}"),
    )
}

fn known_id(kind: EntityKind, text: &str, method: &Method) -> Result<i64, ApiError> {
    id_of(text).ok_or_else(|| not_converted(kind, method))
}

fn id_of(text: &str) -> Option<i64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}
