//! `/api/v1/items/{nid}/records/{record_format}`: an item as a record of a metadata format.

use axum::extract::Path;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use super::parameters::{not_found, path_id};
use super::request_context::RequestContext;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::resources::JsonLd;
use crate::api::{ApiError, ErrorCode, conditional};
use isolario_core::actions::response_context::ResponseContext;
use isolario_core::actions::view_entity::refusal_to_view;
use isolario_model::content::{Bundle, EntityKind};
use isolario_model::formats::crosswalk::RecordContext;

/// An item as a record
///
/// An item in Dublin Core (`oai_dc`), MODS (`mods`), DataCite (`datacite`), schema.org (`schema_org`) or a format that
/// the repository has in its `crosswalk.json`.
#[utoipa::path(get, operation_id = "read_item_record", path = "/api/v1/items/{nid}/records/{record_format}",
    tag = "resources", params(
    ("nid" = i64, Path, description = "Node id"),
    ("record_format" = String, Path, description = "Name of the format", example = "oai_dc")), responses(
    (status = 200, description = "The record, in XML or JSON-LD by its format", content(
        (String = "application/xml"), (JsonLd = "application/ld+json"))),
    (status = 304, description = "The bytes are those that If-None-Match names"),
    (status = 404, description = "There is no such format or item, or it is hidden from the actor", body = Message),
))]
pub async fn read(
    context: RequestContext,
    Path((nid, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let nid = path_id("item", &nid)?;
    let (mime, revision, record) = context
        .read(move |snapshot| {
            let config = &snapshot.context.repository.config;
            let format = config.crosswalk.format(&name).ok_or_else(|| {
                ApiError::new(
                    ErrorCode::NotFound,
                    format!("There is no record format {name}."),
                )
            })?;
            let item = snapshot.read.entity(EntityKind::Node, nid)?;
            let item = item.ok_or_else(|| not_found("item", nid))?;
            let actor = &snapshot.context.actor;
            if refusal_to_view(snapshot.read, actor, &item)?.is_some() {
                return Err(not_found("item", nid));
            }
            let fields = ResponseContext {
                read: snapshot.read,
                model: snapshot.model(),
                actor,
                base: config
                    .base_url
                    .as_deref()
                    .unwrap_or(&snapshot.context.base.0),
            };
            let about = RecordContext {
                fields: &fields,
                repository: &config.name,
            };
            let unknown = Bundle::unknown(item.kind, &item.bundle);
            let bundle = snapshot.model().bundle(item.kind, &item.bundle);
            let record = format.document(&item, bundle.map_or(&unknown, |bundle| bundle), &about);
            Ok((format.mime(), item.revision, record))
        })
        .await?;
    let etag = conditional::etag(revision, record.as_bytes());
    let response = ([(header::CONTENT_TYPE, mime)], record).into_response();
    Ok(conditional::answer(&headers, &etag, response))
}
