//! Nodes, media and terms: one set of handlers for the three nouns (interface, Endpoints).

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::Response;
use axum::routing::{get, post};

use super::base_url::BaseUrl;
use super::body::read_body;
use super::representation::{EntityRepresentation, render, write_page};
use super::request_format::{Format, prefers_html, read_format, require_json_body};
use super::response_context::ResponseContext;
use super::upload::ContextExtensions;
use super::{ApiError, conditional, ui};
use crate::api::app_state::AppState;
use isolario_core::actions::create_entity::create_entity;
use isolario_core::actions::delete_entity::delete_entity;
use isolario_core::actions::update_entity::{admit, update_entity};
use isolario_core::actions::view_entity::refusal_to_view;
use isolario_core::actions::{Author, Refusal};
use isolario_core::repository::Repository;
use isolario_db::Read;
use isolario_model::content::EntityKind;
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// The routes of nodes, media and terms.
pub fn routes() -> axum::Router<AppState> {
    axum::Router::new()
        .route("/node", get(ui::page_only).post(create::<NODE>))
        .route("/entity/media", post(create::<MEDIA>))
        .route("/taxonomy/term", get(ui::page_only).post(create::<TERM>))
        .route("/node/{id}", resource::<NODE>())
        .route("/media/{id}", resource::<MEDIA>())
        .route("/media/{id}/edit", resource::<MEDIA>())
        .route("/taxonomy/term/{id}", resource::<TERM>())
}

const NODE: usize = 0;
const MEDIA: usize = 1;
const TERM: usize = 2;

fn kind_of(noun: usize) -> EntityKind {
    [EntityKind::Node, EntityKind::Media, EntityKind::Term][noun]
}

fn resource<const NOUN: usize>() -> axum::routing::MethodRouter<AppState> {
    get(read::<NOUN>)
        .patch(update::<NOUN>)
        .delete(delete::<NOUN>)
}

/// Actor, origin and base URL of a request.
#[derive(Clone)]
struct Requester {
    actor: Actor,
    origin: Origin,
    base: BaseUrl,
}

fn requester(
    (Extension(actor), Extension(origin), Extension(base)): ContextExtensions,
) -> Requester {
    Requester {
        actor,
        origin,
        base,
    }
}

async fn read<const NOUN: usize>(
    State(repository): State<Arc<Repository>>,
    Path(id): Path<String>,
    extensions: ContextExtensions,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let requester = requester(extensions);
    if prefers_html(&headers, uri.query()) {
        return Ok(ui::page());
    }
    let format = read_format(&Method::GET, uri.query(), &repository.config)?;
    let page = repository
        .db
        .read_here(|read| view(&repository, read, (kind_of(NOUN), &id), format, &requester))?;
    let etag = page.etag.clone();
    Ok(conditional::answer(
        &headers,
        &etag,
        page.response(StatusCode::OK),
    ))
}

/// The resource as the asker may see it, its policy and its words from one snapshot.
fn view(
    repository: &Repository,
    read: &Read<'_>,
    (kind, id): (EntityKind, &str),
    format: Format,
    requester: &Requester,
) -> Result<EntityRepresentation, ApiError> {
    let found = match id_of(id) {
        Some(id) => read.entity(kind, id)?,
        None => None,
    };
    let entity = found.ok_or_else(|| not_converted(kind, &Method::GET))?;
    if let Some(denial) = refusal_to_view(read, &requester.actor, &entity)? {
        return Err(ApiError::denied(&requester.actor, denial));
    }
    let context = ResponseContext {
        read,
        model: &repository.model,
        actor: &requester.actor,
        base: &requester.base.0,
    };
    Ok(write_page(repository, &context, &entity, format, true)?)
}

async fn create<const NOUN: usize>(
    State(repository): State<Arc<Repository>>,
    extensions: ContextExtensions,
    request: Request,
) -> Result<Response, ApiError> {
    let requester = requester(extensions);
    let format = read_format(request.method(), request.uri().query(), &repository.config)?;
    require_json_body(request.headers())?;
    let kind = kind_of(NOUN);
    refuse_anonymous_before_body(&repository, kind, &requester)?;
    let body = read_body(request, &repository.config.limits).await?;
    let entity = create_entity(
        &repository.db,
        &repository.model,
        kind,
        body,
        &requester.actor,
        Author::new(&requester.actor, requester.origin),
    )
    .await
    .map_err(|refusal| ApiError::from_refusal(&requester.actor, refusal))?;
    let location = requester.base.join(&kind.path(entity.id));
    let page = render(
        &repository,
        &entity,
        format,
        (&requester.actor, &requester.base),
    )?;
    let mut response = page.response(StatusCode::CREATED);
    if let Ok(value) = HeaderValue::from_str(&location) {
        response.headers_mut().insert(header::LOCATION, value);
    }
    Ok(response)
}

/// Refuses an anonymous actor before the body is read, where no bundle may be created.
fn refuse_anonymous_before_body(
    repository: &Repository,
    kind: EntityKind,
    requester: &Requester,
) -> Result<(), ApiError> {
    let bundles = repository.model.bundles_of(kind);
    let names = bundles.map(|bundle| bundle.id.as_str());
    if requester.actor.is_anonymous()
        && !isolario_model::policy::permission::may_create_some(&requester.actor, kind, names)
    {
        return Err(ApiError::unauthenticated());
    }
    Ok(())
}

async fn update<const NOUN: usize>(
    State(repository): State<Arc<Repository>>,
    Path(id): Path<String>,
    extensions: ContextExtensions,
    request: Request,
) -> Result<Response, ApiError> {
    let requester = requester(extensions);
    let format = read_format(request.method(), request.uri().query(), &repository.config)?;
    require_json_body(request.headers())?;
    let (kind, refused) = (kind_of(NOUN), |refusal| {
        gone_or_refused(&requester.actor, refusal, &Method::PATCH)
    });
    let id = known_id(kind, &id, &Method::PATCH)?;
    let entity = admit(&repository.db, &requester.actor, kind, id).map_err(refused)?;
    let expected = conditional::expected(request.headers());
    let body = read_body(request, &repository.config.limits).await?;
    let entity = update_entity(
        &repository.db,
        &repository.model,
        entity,
        body,
        &requester.actor,
        Author::new(&requester.actor, requester.origin),
        expected,
    )
    .await
    .map_err(refused)?;
    let page = render(
        &repository,
        &entity,
        format,
        (&requester.actor, &requester.base),
    )?;
    Ok(page.response(StatusCode::OK))
}

async fn delete<const NOUN: usize>(
    State(repository): State<Arc<Repository>>,
    Path(id): Path<String>,
    extensions: ContextExtensions,
    uri: Uri,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let requester = requester(extensions);
    read_format(&Method::DELETE, uri.query(), &repository.config)?;
    let kind = kind_of(NOUN);
    delete_entity(
        &repository,
        kind,
        known_id(kind, &id, &Method::DELETE)?,
        &requester.actor,
        Author::new(&requester.actor, requester.origin),
        conditional::expected(&headers),
    )
    .await
    .map_err(|refusal| gone_or_refused(&requester.actor, refusal, &Method::DELETE))?;
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
