//! `/api/v1/terms/{tid}/merge`: several terms become one.

use axum::extract::{Path, Request};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::ToSchema;

use super::batch_preview::{BatchPreview, EXAMPLES, answer};
use super::batches::{BatchStatus, started};
use super::parameters::path_id;
use super::request_context::{RequestContext, require_sign_in};
use crate::api::ApiError;
use crate::api::openapi::refusals::{Message, Refused};
use isolario_core::actions::batches::{MergePlan, begin_merge, preview_merge};
use isolario_model::origin::Origin;

/// Which terms become one with the term of the address.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeRequest {
    /// Terms of the same vocabulary; they go to the trash.
    #[schema(min_items = 1, max_items = 200)]
    terms: Vec<i64>,
}

impl MergeRequest {
    async fn read(
        context: &RequestContext,
        tid: &str,
        request: Request,
    ) -> Result<MergePlan, ApiError> {
        require_sign_in(&context.actor)?;
        let into = path_id("taxonomy_term", tid)?;
        let wanted: MergeRequest = context.body(request).await?;
        Ok(MergePlan {
            terms: wanted.terms,
            into,
        })
    }
}

/// What a merge of terms would do
///
/// Nothing is changed. `fields` counts by field what would refer to the term that stays, among what the actor may view.
/// The term that stays and the merged terms are items of the preview, too.
#[utoipa::path(post, operation_id = "preview_term_merge", path = "/api/v1/terms/{tid}/merge/preview", tag = "lists",
    params(("tid" = i64, Path, description = "The term that stays")), request_body = MergeRequest, responses(
    (status = 200, body = BatchPreview),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not change the term, or not delete the others", body = Message),
    (status = 404, description = "The term does not exist, or is hidden from the actor", body = Message),
    Refused<413>, Refused<415>,
    (status = 422, description = "A term is not there, of another vocabulary, the same, or above the one that stays", body = Message)))]
pub async fn preview(
    context: RequestContext,
    Path(tid): Path<String>,
    request: Request,
) -> Result<Json<BatchPreview>, ApiError> {
    let plan = MergeRequest::read(&context, &tid, request).await?;
    let found = preview_merge(&context.repository, &context.actor, plan, EXAMPLES).await;
    let found = found.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    context
        .read(move |snapshot| Ok(Json(answer(snapshot, found))))
        .await
}

/// Merge terms
///
/// What refers to the terms refers to this one instead. It takes over their names as alternative names, their
/// alternative names, and their addresses as far as it lacks them. Then they go to the trash; a term that something
/// still uses which could not be changed stays.
///
/// This is a batch: it runs in the background, can be cancelled, and is taken back as one change.
#[utoipa::path(post, operation_id = "merge_terms", path = "/api/v1/terms/{tid}/merge", tag = "lists",
    params(("tid" = i64, Path, description = "The term that stays")), request_body = MergeRequest, responses(
    (status = 202, description = "The terms are being merged", body = BatchStatus),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not change the term, or not delete the others", body = Message),
    (status = 404, description = "The term does not exist, or is hidden from the actor", body = Message),
    Refused<413>, Refused<415>,
    (status = 422, description = "A term is not there, of another vocabulary, the same, or above the one that stays", body = Message),
    (status = 429, description = "The actor has too many changes of many items in progress", body = Message)))]
pub async fn merge(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    Path(tid): Path<String>,
    request: Request,
) -> Result<(StatusCode, Json<BatchStatus>), ApiError> {
    let plan = MergeRequest::read(&context, &tid, request).await?;
    let begun = begin_merge(&context.repository, &context.actor, origin, plan).await;
    started(context.clone(), begun).await
}
