//! `/api/v1/batches/preview`: what a change of many items would do.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::Request;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::batches::{BatchItems, visible_source};
use super::request_context::{RequestContext, ViewerSnapshot, require_sign_in};
use super::trash::TrashKind;
use crate::api::ApiError;
use crate::api::openapi::refusals::{Message, Refused};
use crate::api::openapi::values;
use isolario_core::actions::batches::{
    ChangePreview, PreviewOutcome, PreviewRow, preview as find_out,
};
use isolario_core::actions::response_context::ResponseContext;
use isolario_model::content::base_fields::base_field;
use isolario_model::content::{EntityKind, Item};
use isolario_model::fields::field_type;
use isolario_model::item_change::{ItemChange, StayReason};

/// Items that are told one by one.
pub(super) const EXAMPLES: usize = 100;
const MOST_EXAMPLES: usize = 1_000;
const OUTCOMES: [&str; 4] = ["changes", "stays", "denied", "invalid"];

values::schemas! {
    /// What would become of an item: it changes, stays as it is, may not be changed by the actor, or would break a rule.
    PreviewOutcomeName => values::one_of(OUTCOMES);
    /// Why a change leaves an item as it is.
    StayReasonName => values::one_of(values::names(&StayReason::ALL));
}

/// A change to look ahead to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewRequest {
    items: BatchItems,
    change: ItemChange,
    /// How many items that change are told one by one, and how many of the others; 100 without it.
    #[serde(default = "usual_examples")]
    #[schema(value_type = i64, minimum = 0, maximum = 1_000)]
    examples: usize,
}

fn usual_examples() -> usize {
    EXAMPLES
}

/// What a change would do. All items are counted.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchPreview {
    changes: usize,
    stays: usize,
    denied: usize,
    invalid: usize,
    /// How many items would get other values, by the name of the field.
    fields: BTreeMap<String, usize>,
    /// Media and files that would be deleted, restored or purged with items.
    media: usize,
    files: usize,
    /// Members of the items that would be deleted which would stay.
    members: usize,
    /// The first items that would change, then the first that would not.
    items: Vec<PreviewItem>,
    /// What was seen, for `seen` of the change.
    seen: i64,
}

/// What would become of an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewItem {
    #[schema(value_type = TrashKind)]
    kind: &'static str,
    id: i64,
    /// Empty where the actor may not view the item.
    title: String,
    #[schema(value_type = PreviewOutcomeName)]
    outcome: &'static str,
    /// Why it stays as it is.
    #[schema(value_type = Option<StayReasonName>)]
    reason: Option<&'static str>,
    /// Why it cannot be changed.
    message: Option<String>,
    /// The fields that would change.
    fields: Vec<PreviewField>,
}

/// The values of a field before and after a change.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewField {
    field: String,
    #[schema(value_type = Vec<Object>)]
    before: Vec<Value>,
    #[schema(value_type = Vec<Object>)]
    after: Vec<Value>,
}

/// What a change of many items would do
///
/// Nothing is changed.
#[utoipa::path(post, operation_id = "preview_batch", path = "/api/v1/batches/preview", tag = "lists", request_body = PreviewRequest, responses(
    (status = 200, body = BatchPreview),
    (status = 400, description = "The body is not JSON, or the list cannot be", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "The collection does not exist, or is hidden from the actor", body = Message),
    Refused<413>, Refused<415>,
    (status = 422, description = "The change makes no sense", body = Message),
    (status = 503, description = "Words are asked while there is no index of searches; the message says how far it is", body = Message)))]
pub async fn preview(
    context: RequestContext,
    request: Request,
) -> Result<Json<BatchPreview>, ApiError> {
    require_sign_in(&context.actor)?;
    let wanted: PreviewRequest = context.large_body(request).await?;
    let examples = wanted.examples;
    if examples > MOST_EXAMPLES {
        return Err(ApiError::unprocessable("At most 1000 examples are told."));
    }
    let source = visible_source(&context, wanted.items).await?;
    let (repository, actor) = (&context.repository, &context.actor);
    let found = find_out(repository, actor, source, wanted.change, examples).await;
    let found = found.map_err(|refusal| ApiError::from_refusal(actor, refusal))?;
    context
        .read(move |snapshot| Ok(Json(answer(snapshot, found))))
        .await
}

/// What a change would do, as the viewer reads it.
pub(super) fn answer(snapshot: &ViewerSnapshot<'_>, found: ChangePreview) -> BatchPreview {
    let items = found.rows.into_iter().map(|row| item(snapshot, row));
    BatchPreview {
        changes: found.changes,
        stays: found.stays,
        denied: found.denied,
        invalid: found.invalid,
        fields: found.fields,
        media: found.media,
        files: found.files,
        members: usize::try_from(found.members).unwrap_or(0),
        items: items.collect(),
        seen: found.seen,
    }
}

fn item(snapshot: &ViewerSnapshot<'_>, row: PreviewRow) -> PreviewItem {
    let (outcome, reason, message) = match row.outcome {
        PreviewOutcome::Changes => (OUTCOMES[0], None, None),
        PreviewOutcome::Stays(reason) => (OUTCOMES[1], Some(reason.name()), None),
        PreviewOutcome::Denied(words) => (OUTCOMES[2], None, Some(words)),
        PreviewOutcome::Invalid(words) => (OUTCOMES[3], None, Some(words)),
    };
    let fields = row
        .fields
        .into_iter()
        .map(|(field, before, after)| PreviewField {
            before: written(snapshot, (row.kind, &row.bundle), &field, &before),
            after: written(snapshot, (row.kind, &row.bundle), &field, &after),
            field,
        });
    PreviewItem {
        kind: row.kind.target_type(),
        id: row.id,
        title: row.title,
        outcome,
        reason,
        message,
        fields: fields.collect(),
    }
}

/// The values of a field of an item as a client reads them.
fn written(
    snapshot: &ViewerSnapshot<'_>,
    (kind, bundle): (EntityKind, &str),
    field: &str,
    items: &[Item],
) -> Vec<Value> {
    let configured = snapshot
        .model()
        .bundle(kind, bundle)
        .and_then(|bundle| bundle.field(field));
    let Some(definition) = base_field(kind, field).or(configured) else {
        return Vec::new();
    };
    let context = ResponseContext {
        read: snapshot.read,
        model: snapshot.model(),
        actor: &snapshot.context.actor,
        base: &snapshot.context.base.0,
    };
    let field = field_type(&definition.field_type);
    let values = items.iter();
    values
        .map(|item| Value::Object(field.write(definition, item, &context).into_item()))
        .collect()
}
