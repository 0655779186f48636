//! `/api/v1/collections/{nid}/templates`: field values that a collection keeps for new items.

use axum::extract::{Path, Request};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::history::written;
use super::parameters::path_id;
use super::request_context::{RequestContext, ViewerSnapshot, require_sign_in};
use super::responses::NodeTitle;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_core::actions::Author;
use isolario_core::actions::item_templates::{
    CollectionTemplate, TemplateDraft, put_template, templates_for,
};
use isolario_model::content::{Entity, EntityKind};
use isolario_model::origin::Origin;

/// Field values for items of a collection.
#[derive(Debug, Serialize, ToSchema)]
pub struct Template {
    /// `null` for the defaults that new items get.
    name: Option<String>,
    /// Content type of the fields.
    #[serde(rename = "type")]
    bundle: String,
    /// Items by field, in the shape of the interface.
    #[schema(value_type = Object)]
    values: Value,
    /// The collection that keeps it.
    collection: NodeTitle,
}

/// The templates for items of a collection.
#[derive(Debug, Serialize, ToSchema)]
pub struct TemplateList {
    /// The nearest first: those of the collection itself, then of those above it.
    templates: Vec<Template>,
}

/// A template to be kept.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTemplate {
    /// Without a name, the values are the defaults that new items get.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 128)]
    name: Option<String>,
    /// Content type of the fields.
    #[serde(rename = "type")]
    #[schema(example = "islandora_object")]
    bundle: String,
    /// Items by field, in the shape of the interface. An empty object removes the template.
    #[schema(value_type = Object)]
    values: Map<String, Value>,
}

/// Templates for items of a collection
///
/// Its own and those of the collections above it. Of several with the same name only the nearest counts. The one
/// without a name are the defaults: new items of the collection get them, where the request asks for defaults.
#[utoipa::path(get, operation_id = "list_templates", path = "/api/v1/collections/{nid}/templates", tag = "lists",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = TemplateList),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Path(nid): Path<String>,
) -> Result<Json<TemplateList>, ApiError> {
    require_sign_in(&context.actor)?;
    let nid = path_id("item", &nid)?;
    context.read(move |snapshot| answer(snapshot, nid)).await
}

/// Keep a template with a collection
///
/// It takes the place of the one with the same name. For those who may change the collection, which gets a revision.
#[utoipa::path(put, operation_id = "put_template", path = "/api/v1/collections/{nid}/templates", tag = "lists",
    params(("nid" = i64, Path, description = "Node id")), request_body = NewTemplate, responses(
    (status = 200, body = TemplateList),
    (status = 400, description = "The body is not a JSON object", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not change the collection", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "It is no collection, or values break a rule", body = Message),
))]
pub async fn put(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    Path(nid): Path<String>,
    request: Request,
) -> Result<Json<TemplateList>, ApiError> {
    require_sign_in(&context.actor)?;
    let nid = path_id("item", &nid)?;
    let sent: NewTemplate = context.body(request).await?;
    let sent = TemplateDraft {
        name: sent.name,
        bundle: sent.bundle,
        values: sent.values,
    };
    let (db, model) = (&context.repository.db, &context.repository.model());
    let author = Author::new(&context.actor, origin);
    put_template(db, model, nid, sent, &context.actor, author)
        .await
        .map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    context.read(move |snapshot| answer(snapshot, nid)).await
}

fn answer(snapshot: &ViewerSnapshot<'_>, nid: i64) -> Result<Json<TemplateList>, ApiError> {
    snapshot.place(nid)?;
    let kept = templates_for(snapshot.read, &snapshot.viewer, nid)?.into_iter();
    let templates = kept.map(|kept| template(snapshot, kept)).collect();
    Ok(Json(TemplateList { templates }))
}

fn template(snapshot: &ViewerSnapshot<'_>, kept: CollectionTemplate) -> Template {
    let mut item = Entity::new(EntityKind::Node, &kept.template.bundle);
    item.values = kept.template.values;
    let mut values = written(snapshot, &item);
    if let Value::Object(values) = &mut values {
        values.retain(|name, _| item.values.contains_key(name));
    }
    Template {
        name: kept.template.name,
        bundle: item.bundle,
        values,
        collection: NodeTitle {
            nid: kept.nid,
            title: kept.title,
        },
    }
}
