//! `POST /api/v1/{noun}/{id}/revisions/{vid}/revert`: a former state becomes the current one.

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{noun, with_history};
use crate::actions::Author;
use crate::actions::revert::{Revert, revert as revert_to};
use crate::api::body::read_small_body;
use crate::api::request_format::require_json_body;
use crate::api::v1::asked::Asked;
use crate::api::v1::parameters::path_id;
use crate::api::{ApiError, AppState, conditional, entity};
use crate::cli::config::Limits;
use crate::content::Entity;
use crate::repository::Door;

/// How to revert. An empty body asks for everything.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RevertRequest {
    /// Only these fields.
    fields: Option<Vec<String>>,
    /// Why.
    log: Option<String>,
}

/// Reverts, and answers with the whole resource as it is then.
pub async fn revert<const NOUN: usize>(
    State(repository): State<AppState>,
    Extension(door): Extension<Door>,
    asked: Asked,
    Path((id, revision)): Path<(String, String)>,
    request: Request,
) -> Result<Response, ApiError> {
    let (_, thing) = noun(NOUN);
    let (id, revision) = (path_id(thing, &id)?, path_id("revision", &revision)?);
    let (actor, base) = (asked.actor.clone(), asked.base.clone());
    let current = asked
        .read(move |shown| with_history(shown, NOUN, id))
        .await?;
    let expected = conditional::expected(request.headers());
    let wanted = body(request, &repository.config.limits).await?;
    let wanted = Revert {
        revision,
        fields: wanted.fields,
        log: wanted.log,
        expected,
    };
    let author = Author::new(&actor, door);
    let reverted: Result<Entity, _> = revert_to(&repository, current, wanted, &actor, author).await;
    let reverted = reverted.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    entity::changed(&repository, reverted, actor, door, &base)
}

async fn body(request: Request, limits: &Limits) -> Result<RevertRequest, ApiError> {
    let json = require_json_body(request.headers());
    let bytes = read_small_body(request, limits).await?;
    if bytes.is_empty() {
        return Ok(RevertRequest::default());
    }
    json?;
    serde_json::from_slice(&bytes)
        .map_err(|error| ApiError::bad_request(format!("The body cannot be read: {error}.")))
}
