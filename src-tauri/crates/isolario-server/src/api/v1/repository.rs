//! `/api/v1/repository`: the name and the picture that the repository shows to people, also before they sign in.

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::request_context::{RequestContext, ViewerSnapshot};
use crate::api::openapi::refusals::Message;
use crate::api::{ApiError, ErrorCode, binary};
use isolario_core::actions::identity::{IdentityChange, change_identity};
use isolario_db::DbError;
use isolario_model::fields::{Violation, ViolationCode};
use isolario_model::media_inspection::inspect_web_picture;

const PICTURE: &str = "/api/v1/repository/picture";

/// The name and the picture of the repository.
#[derive(Debug, Serialize, ToSchema)]
pub struct RepositoryIdentity {
    pub name: String,
    /// Another one after each change; `null` where there is none.
    #[schema(format = "uri")]
    pub picture: Option<String>,
}

/// What changes of the name and the picture.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct IdentityChanges {
    /// At most 100 characters.
    name: Option<String>,
    /// PNG, JPEG or WebP in base64: at most 40 KiB and 512 × 512 pixels. `null`: no picture any more.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    picture: Option<Option<String>>,
}

/// Tells `null` from nothing.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Read the name and the picture of the repository
///
/// For everybody.
#[utoipa::path(get, operation_id = "identity", path = "/api/v1/repository", tag = "session", responses(
    (status = 200, body = RepositoryIdentity)))]
pub async fn identity(context: RequestContext) -> Result<Json<RepositoryIdentity>, ApiError> {
    context
        .read(|snapshot| Ok(Json(identity_of(snapshot)?)))
        .await
}

/// Change the name and the picture of the repository
///
/// For administrators.
#[utoipa::path(patch, operation_id = "change_identity", path = "/api/v1/repository", tag = "session", request_body = IdentityChanges, responses(
    (status = 200, body = RepositoryIdentity),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "The body is not valid", body = Message)))]
pub async fn change(
    context: RequestContext,
    request: Request,
) -> Result<Json<RepositoryIdentity>, ApiError> {
    context.must_be_administrator()?;
    let changes: IdentityChanges = context.body(request).await?;
    let change = IdentityChange {
        name: changes.name,
        picture: match changes.picture {
            Some(Some(text)) => Some(Some(bytes_of(&text)?)),
            Some(None) => Some(None),
            None => None,
        },
    };
    let changed = change_identity(&context.repository.db, &context.actor, change).await;
    changed.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    identity(context).await
}

/// The picture of the repository
///
/// For everybody.
#[utoipa::path(get, operation_id = "identity_picture", path = "/api/v1/repository/picture", tag = "session", responses(
    (status = 200, description = "PNG, JPEG or WebP", body = Vec<u8>, content_type = "image/png"),
    (status = 404, description = "The repository has no picture", body = Message)))]
pub async fn picture(context: RequestContext) -> Result<Response, ApiError> {
    let bytes = context
        .read(|snapshot| Ok(snapshot.read.identity_picture()?))
        .await?;
    let shown = bytes.and_then(|bytes| Some((inspect_web_picture(&bytes)?.0, bytes)));
    let Some((mime, bytes)) = shown else {
        let words = "The repository has no picture.";
        return Err(ApiError::new(ErrorCode::NotFound, words));
    };
    let headers: [(HeaderName, &str); 4] = [
        (header::CONTENT_TYPE, mime),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, binary::SANDBOX),
        // Its address changes with it.
        (header::CACHE_CONTROL, "public, max-age=86400"),
    ];
    Ok((headers, bytes).into_response())
}

/// The name and the picture as answers show them.
///
/// # Errors
/// What the database refuses.
pub fn identity_of(snapshot: &ViewerSnapshot<'_>) -> Result<RepositoryIdentity, DbError> {
    let context = snapshot.context;
    let summary = snapshot.read.identity()?;
    let address = format!("{PICTURE}?v={}", summary.changed);
    Ok(RepositoryIdentity {
        picture: summary.has_picture.then(|| context.base.join(&address)),
        name: match summary.name {
            Some(name) => name,
            None => context.repository.config.name.clone(),
        },
    })
}

fn bytes_of(text: &str) -> Result<Vec<u8>, ApiError> {
    STANDARD.decode(text).map_err(|_| {
        let words = "This is not base64.";
        let violation = Violation::of_field("picture", ViolationCode::WrongSyntax, words);
        ApiError::invalid_fields(vec![violation])
    })
}
