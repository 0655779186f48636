//! Nodes, media and terms: one set of handlers for the three nouns (interface, Endpoints).

use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::around::Around;
use super::base_url::BaseUrl;
use super::body::read_body;
use super::links::Links;
use super::request_format::{Format, prefers_html, read_format, require_json_body};
use super::router::AppState;
use super::{ApiError, conditional, ui};
use crate::actions::create_entity::create_entity;
use crate::actions::delete_entity::delete_entity;
use crate::actions::update_entity::update_entity;
use crate::actions::{Author, Refusal};
use crate::auth::{Actor, Operation, Subject, may};
use crate::content::{Entity, EntityKind};
use crate::db::{DbError, Read};
use crate::formats;
use crate::repository::{Door, Repository};

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

/// Who asks, how, and under which address.
#[derive(Clone)]
struct Asker {
    actor: Actor,
    door: Door,
    base: String,
}

type Asked = (Extension<Actor>, Extension<Door>, Extension<BaseUrl>);

fn asker((Extension(actor), Extension(door), Extension(base)): Asked) -> Asker {
    Asker {
        actor,
        door,
        base: base.0,
    }
}

async fn read<const NOUN: usize>(
    State(repository): State<AppState>,
    Path(id): Path<String>,
    asked: Asked,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let asker = asker(asked);
    if prefers_html(&headers, uri.query()) {
        return Ok(ui::page());
    }
    let format = read_format(&Method::GET, uri.query(), &repository.config)?;
    let page = repository
        .db
        .read_here(|read| view(&repository, read, (kind_of(NOUN), &id), format, &asker))?;
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
    asker: &Asker,
) -> Result<Page, ApiError> {
    let found = match id_of(id) {
        Some(id) => read.entity(kind, id)?,
        None => None,
    };
    let entity = found.ok_or_else(|| not_converted(kind, &Method::GET))?;
    may(&asker.actor, Operation::View, &Subject::of(&entity))
        .map_err(|denial| ApiError::denied(&asker.actor, denial))?;
    let around = Around {
        read,
        model: &repository.model,
        base: &asker.base,
    };
    Ok(write_page(
        repository, &around, &entity, format, asker, true,
    )?)
}

async fn create<const NOUN: usize>(
    State(repository): State<AppState>,
    asked: Asked,
    request: Request,
) -> Result<Response, ApiError> {
    let asker = asker(asked);
    let format = read_format(request.method(), request.uri().query(), &repository.config)?;
    require_json_body(request.headers())?;
    let kind = kind_of(NOUN);
    refuse_anonymous_before_body(&repository, kind, &asker)?;
    let body = read_body(request, &repository.config.limits).await?;
    let entity = create_entity(
        &repository.db,
        &repository.model,
        kind,
        body,
        &asker.actor,
        Author::new(&asker.actor, asker.door),
    )
    .await
    .map_err(|refusal| ApiError::from_refusal(&asker.actor, refusal))?;
    let location = format!("{}{}", asker.base, kind.path(entity.id));
    let page = render(&repository, &entity, format, &asker)?;
    let mut response = page.response(StatusCode::CREATED);
    if let Ok(value) = HeaderValue::from_str(&location) {
        response.headers_mut().insert(header::LOCATION, value);
    }
    Ok(response)
}

/// A body nobody may send is not worth reading.
fn refuse_anonymous_before_body(
    repository: &Repository,
    kind: EntityKind,
    asker: &Asker,
) -> Result<(), ApiError> {
    let bundles = repository.model.bundles_of(kind);
    let names = bundles.map(|bundle| bundle.id.as_str());
    if asker.actor.is_anonymous()
        && !crate::auth::permission::may_create_some(&asker.actor, kind, names)
    {
        return Err(ApiError::unauthenticated());
    }
    Ok(())
}

async fn update<const NOUN: usize>(
    State(repository): State<AppState>,
    Path(id): Path<String>,
    asked: Asked,
    request: Request,
) -> Result<Response, ApiError> {
    let asker = asker(asked);
    let format = read_format(request.method(), request.uri().query(), &repository.config)?;
    require_json_body(request.headers())?;
    let entity = find(&repository, kind_of(NOUN), &id, request.method())?;
    may(&asker.actor, Operation::Update, &Subject::of(&entity))
        .map_err(|denial| ApiError::denied(&asker.actor, denial))?;
    let expected = conditional::expected(request.headers());
    let body = read_body(request, &repository.config.limits).await?;
    let entity = update_entity(
        &repository.db,
        &repository.model,
        entity,
        body,
        &asker.actor,
        Author::new(&asker.actor, asker.door),
        expected,
    )
    .await
    .map_err(|refusal| gone_or_refused(&asker.actor, refusal, &Method::PATCH))?;
    let page = render(&repository, &entity, format, &asker)?;
    Ok(page.response(StatusCode::OK))
}

/// The answer to a change: the whole resource as JSON, with its tag.
///
/// # Errors
/// What the database refuses.
pub(super) fn changed(
    repository: &Repository,
    entity: Entity,
    actor: Actor,
    door: Door,
    base: &BaseUrl,
) -> Result<Response, ApiError> {
    let asker = Asker {
        actor,
        door,
        base: base.0.clone(),
    };
    let page = render(repository, &entity, Format::Json, &asker)?;
    Ok(page.response(StatusCode::OK))
}

async fn delete<const NOUN: usize>(
    State(repository): State<AppState>,
    Path(id): Path<String>,
    asked: Asked,
    uri: Uri,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let asker = asker(asked);
    read_format(&Method::DELETE, uri.query(), &repository.config)?;
    let entity = find(&repository, kind_of(NOUN), &id, &Method::DELETE)?;
    may(&asker.actor, Operation::Delete, &Subject::of(&entity))
        .map_err(|denial| ApiError::denied(&asker.actor, denial))?;
    delete_entity(
        &repository.db,
        entity.kind,
        entity.id,
        Author::new(&asker.actor, asker.door),
        conditional::expected(&headers),
    )
    .await
    .map_err(|refusal| gone_or_refused(&asker.actor, refusal, &Method::DELETE))?;
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

fn find(
    repository: &Repository,
    kind: EntityKind,
    id: &str,
    method: &Method,
) -> Result<Entity, ApiError> {
    let found = match id_of(id) {
        Some(id) => repository.db.read_here(|read| read.entity(kind, id))?,
        None => None,
    };
    found.ok_or_else(|| not_converted(kind, method))
}

fn id_of(text: &str) -> Option<i64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// A resource written out: bytes, tag and links.
struct Page {
    body: Vec<u8>,
    etag: String,
    format: Format,
    links: HeaderMap,
}

impl Page {
    fn response(self, status: StatusCode) -> Response {
        let mut response = (status, Body::from(self.body)).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static(self.format.mime()),
        );
        headers.extend(self.links);
        if let Ok(value) = HeaderValue::from_str(&self.etag) {
            headers.insert(header::ETAG, value);
        }
        response
    }
}

fn render(
    repository: &Repository,
    entity: &Entity,
    format: Format,
    asker: &Asker,
) -> Result<Page, ApiError> {
    let page = repository.db.read_here(|read| {
        let around = Around {
            read,
            model: &repository.model,
            base: &asker.base,
        };
        write_page(repository, &around, entity, format, asker, false)
    });
    Ok(page?)
}

fn write_page(
    repository: &Repository,
    around: &Around<'_>,
    entity: &Entity,
    format: Format,
    asker: &Asker,
    with_links: bool,
) -> Result<Page, DbError> {
    let empty = crate::content::Bundle::unknown(entity.kind, &entity.bundle);
    let bundle = around
        .model
        .bundle(entity.kind, &entity.bundle)
        .map_or(&empty, |bundle| bundle);
    let body = match format {
        Format::Json => formats::json::encode_entity(entity, bundle, around),
        Format::JsonLd => {
            let lasting = Around {
                base: repository.config.base_url.as_deref().unwrap_or(around.base),
                ..*around
            };
            let document = formats::jsonld::write_entity(entity, bundle, &lasting);
            formats::json::encode(&document)
        }
    };
    let mut links = HeaderMap::new();
    if with_links {
        let formats = &repository.config.rest.method("GET").formats;
        Links::new(around, &asker.actor)
            .of_entity(entity, bundle, format, formats)?
            .write(&mut links);
    }
    Ok(Page {
        etag: conditional::etag(entity.revision, &body),
        body,
        format,
        links,
    })
}
