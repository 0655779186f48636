//! `/api/v1/content-model/definition`: the content model as administrators change it.

use axum::Json;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, choice};
use super::request_context::RequestContext;
use super::search::WORDS;
use crate::api::openapi::parameters::IfMatch;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use crate::api::{ApiError, conditional};
use isolario_core::actions::content_model::{
    ChangedModel, ModelEffect, change_content_model, check_content_model,
};
use isolario_model::content::ContentModel;
use isolario_model::model_change::{ModelChange, decided};

/// What a change of the content model does.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelChangeAnswer {
    /// Whether the model is another one than before.
    changed: bool,
    effects: Vec<ModelEffectAnswer>,
}

/// One effect of a change.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelEffectAnswer {
    #[schema(value_type = values::EntityKind)]
    kind: &'static str,
    bundle: String,
    /// `null` where it concerns the bundle.
    field: Option<String>,
    change: ModelChange,
    /// Resources with values that it concerns: those without one where it becomes required, those with more than it may
    /// have, and so on. All of the bundle where it concerns no field.
    resources: u64,
}

/// How a change is sent.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ModelChangeQuery {
    /// `true` to write nothing, and be told what would change.
    #[param(value_type = Option<bool>)]
    check: Option<String>,
}

/// The content model as it can be changed
///
/// For administrators.
#[utoipa::path(get, operation_id = "get_content_model_definition", path = "/api/v1/content-model/definition",
    tag = "lists", responses(
    (status = 200, description = "With an ETag", body = ContentModel),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is no administrator", body = Message),
))]
pub async fn get(context: RequestContext, headers: HeaderMap) -> Result<Response, ApiError> {
    context.must_be_administrator()?;
    let answer = context.read(|snapshot| {
        let model = snapshot.read.content_model()?.unwrap_or_default();
        Ok((etag(&model), Json(decided(&model))))
    });
    let (etag, body) = answer.await?;
    Ok(conditional::answer(&headers, &etag, body.into_response()))
}

/// Change the content model
///
/// Resources keep all their values: those of a removed field come back with the field. So the former model, sent again,
/// undoes a change. Removed fields need not be sent. The type of a field cannot be changed. Forms, lists, searches, tables
/// and answers follow at once. With `check`, nothing is written.
#[utoipa::path(put, operation_id = "put_content_model_definition", path = "/api/v1/content-model/definition",
    tag = "lists", params(ModelChangeQuery, IfMatch), request_body = ContentModel, responses(
    (status = 200, description = "With the ETag of the model as it is now", body = ModelChangeAnswer),
    (status = 400, description = "The body is not a JSON object, or a parameter has no possible value", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is no administrator", body = Message),
    (status = 409, description = "A type is left out that has resources", body = Message),
    (status = 412, description = "The model has changed: If-Match does not hold", body = Message),
    (status = 413, description = "The body is too large", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "The model breaks rules", body = Message),
))]
pub async fn put(
    context: RequestContext,
    Parameters(query): Parameters<ModelChangeQuery>,
    request: Request,
) -> Result<Response, ApiError> {
    context.must_be_administrator()?;
    let only_checks = choice("check", query.check.as_ref(), &WORDS)?.unwrap_or(false);
    let expected = conditional::expected(request.headers());
    let sent: ContentModel = context.large_body(request).await?;
    let (repository, actor) = (&context.repository, &context.actor);
    let outcome = match only_checks {
        true => check_content_model(repository, actor, sent, expected).await,
        false => change_content_model(repository, actor, sent, expected).await,
    };
    let outcome = outcome.map_err(|refusal| ApiError::from_refusal(actor, refusal))?;
    let shown = match only_checks {
        true => etag(&repository.model()),
        false => etag(&outcome.model),
    };
    let body = Json(answer(outcome)).into_response();
    Ok(conditional::answer(&HeaderMap::new(), &shown, body))
}

/// The tag of a model as `get` shows it.
fn etag(model: &ContentModel) -> String {
    let body = serde_json::to_vec(&decided(model)).unwrap_or_default();
    conditional::etag(model.revision, &body)
}

fn answer(outcome: ChangedModel) -> ModelChangeAnswer {
    let effect = |effect: ModelEffect| ModelEffectAnswer {
        kind: effect.kind.target_type(),
        bundle: effect.bundle,
        field: effect.field,
        change: effect.change,
        resources: effect.resources,
    };
    ModelChangeAnswer {
        changed: outcome.is_changed,
        effects: outcome.effects.into_iter().map(effect).collect(),
    }
}
