//! `POST /api/v1/{noun}/{id}/revisions/{vid}/revert`: a former state becomes the current one.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{noun, with_history};
use crate::api::representation::render;
use crate::api::request_format::Format;
use crate::api::v1::parameters::path_id;
use crate::api::v1::request_context::RequestContext;
use crate::api::{ApiError, conditional};
use isolario_core::actions::Author;
use isolario_core::actions::revert::{RevertTarget, revert as revert_to};
use isolario_core::repository::Repository;
use isolario_model::content::Entity;
use isolario_model::origin::Origin;

/// How to revert. An empty body asks for everything.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RevertRequest {
    /// Only these fields.
    fields: Option<Vec<String>>,
    /// Why.
    log: Option<String>,
}

/// What a request to revert consists of.
pub type RevertParts = (
    State<Arc<Repository>>,
    Extension<Origin>,
    RequestContext,
    Path<(String, String)>,
    Request,
);

/// Reverts, and answers with the whole resource as it is then.
pub async fn revert<const NOUN: usize>(
    (State(repository), Extension(origin), context, Path((id, revision)), request): RevertParts,
) -> Result<Response, ApiError> {
    let (_, thing) = noun(NOUN);
    let (id, revision) = (path_id(thing, &id)?, path_id("revision", &revision)?);
    let (actor, base) = (context.actor.clone(), context.base.clone());
    let current = context
        .clone()
        .read(move |snapshot| with_history(snapshot, NOUN, id))
        .await?;
    let expected = conditional::expected(request.headers());
    let wanted: Option<RevertRequest> = context.optional_body(request).await?;
    let wanted = wanted.unwrap_or_default();
    let wanted = RevertTarget {
        revision,
        fields: wanted.fields,
        log: wanted.log,
        expected,
    };
    let author = Author::new(&actor, origin);
    let reverted: Result<Entity, _> = revert_to(&repository, current, wanted, &actor, author).await;
    let reverted = reverted.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    let page = render(&repository, &reverted, Format::Json, (&actor, &base))?;
    Ok(page.response(StatusCode::OK))
}
