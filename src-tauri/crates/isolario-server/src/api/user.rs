//! `/user/{uid}`: what an account shows of itself.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::base_url::BaseUrl;
use super::openapi::parameters::{IfNoneMatch, ReadFormat};
use super::openapi::refusals::Refused;
use super::openapi::resources::{JsonLd, UserResource};
use super::request_format::{Format, prefers_html, read_format};
use super::{ApiError, conditional, links, ui};
use crate::api::app_state::AppState;
use isolario_core::actions::response_context::ResponseContext;
use isolario_core::repository::Repository;
use isolario_db::DbError;
use isolario_model::content::user::UserRecord;
use isolario_model::formats;
use isolario_model::policy::permission::may_view_account;
use isolario_model::policy::{Actor, Operation, Subject, may};

/// The route of accounts.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(read))
}

/// Read a user
#[utoipa::path(get, operation_id = "get_user", path = "/user/{uid}", tag = "resources",
    params(("uid" = i64, Path), ReadFormat, IfNoneMatch), responses(
    (status = 200, description = "The resource, with Link headers", content(
        (UserResource = "application/json"), (JsonLd = "application/ld+json"))),
    (status = 304, description = "The bytes are those that If-None-Match names"),
    Refused<404>, Refused<406>))]
async fn read(
    State(repository): State<Arc<Repository>>,
    Path(uid): Path<String>,
    (Extension(actor), Extension(base)): (Extension<Actor>, Extension<BaseUrl>),
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if prefers_html(&headers, uri.query()) {
        return Ok(ui::page());
    }
    let format = read_format(&Method::GET, uri.query(), &repository.config)?;
    let user = find(&repository, &uid).await?;
    let account = Subject::of_account(user.uid, user.active);
    may_view_account(&actor, &account).map_err(|denial| ApiError::denied(&actor, denial))?;
    let etag_of = user.changed;
    let links = links::of_account(&base, user.uid);
    let body = write(&repository, user, actor, base, format).await?;
    let etag = conditional::etag(etag_of, &body);
    let mut response = Body::from(body).into_response();
    let mime = HeaderValue::from_static(format.mime());
    response.headers_mut().insert(header::CONTENT_TYPE, mime);
    response.headers_mut().extend(links);
    Ok(conditional::answer(&headers, &etag, response))
}

async fn find(repository: &Repository, uid: &str) -> Result<UserRecord, ApiError> {
    let number = uid.bytes().all(|byte| byte.is_ascii_digit());
    let found = match uid.parse::<i64>() {
        Ok(uid) if number => repository.db.read(move |read| read.user(uid)).await?,
        _ => None,
    };
    found.ok_or_else(|| {
        let route = format!("rest.entity.user.{}", Method::GET);
        ApiError::not_converted("user", "/user/{user}", &route)
    })
}

async fn write(
    repository: &Arc<Repository>,
    user: UserRecord,
    actor: Actor,
    base: BaseUrl,
    format: Format,
) -> Result<Vec<u8>, ApiError> {
    let repository = repository.clone();
    let document = match format {
        Format::Json => {
            let account = Subject::of_account(user.uid, user.active);
            let private = may(&actor, Operation::Update, &account).is_ok();
            formats::user::write_user(&user, &repository.config.time_zone, private)
        }
        Format::JsonLd => {
            let db = repository.db.clone();
            db.read(move |read| -> Result<_, DbError> {
                let base = repository.config.base_url.as_deref().unwrap_or(&base.0);
                let context = ResponseContext {
                    read,
                    model: &repository.model(),
                    actor: &actor,
                    base,
                };
                Ok(formats::jsonld::write_user(user.uid, &user.name, &context))
            })
            .await?
        }
    };
    Ok(formats::json::encode(&document))
}
