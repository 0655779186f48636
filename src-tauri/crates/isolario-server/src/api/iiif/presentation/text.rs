//! The text of a page as an annotation of its canvas (Presentation API 3.0, section 5.5).

use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::json;

use super::{CONTEXT, Presenter, answer};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::v1::RequestContext;
use crate::api::v1::parameters::{not_found, path_id};
use isolario_core::search::{Documents, text_of_page, visibilities};

/// The text of a page
///
/// What was transcribed, or read out of the file, as an annotation of the canvas with this number.
#[utoipa::path(get, operation_id = "read_page_text", path = "/iiif/presentation/3/node/{nid}/text/{page}", tag = "iiif",
    params(("nid" = i64, Path, description = "Node id"), ("page" = i64, Path, description = "Counted from 1", minimum = 1)),
    responses(
    (status = 200, description = "An annotation page of the IIIF Presentation API 3.0",
        content((Object = "application/ld+json"))),
    (status = 304, description = "The client has this document"),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn read(
    context: RequestContext,
    Path((nid, page)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let nid = path_id("item", &nid)?;
    let number: usize = page.parse().map_err(|_| not_found("page", &page))?;
    let made = context.clone().read_lists(move |snapshot| {
        let row = snapshot.node(nid)?;
        let presenter = Presenter::of(snapshot);
        let media = presenter.media(nid)?;
        let canvases = presenter.canvases((nid, &row.title), &media)?;
        if !(1..=canvases.len().max(1)).contains(&number) {
            return Err(not_found("page", number));
        }
        let documents = Documents::new(snapshot.read, snapshot.model());
        let draft = documents.texts(nid, &snapshot.context.actor)?;
        let draft = draft.ok_or_else(|| not_found("item", nid))?;
        let id = presenter.of_item(nid, &format!("text/{number}"));
        let canvas = presenter.of_item(nid, &format!("canvas/{number}"));
        Ok((id, canvas, draft))
    });
    let (id, canvas, draft) = made.await?;
    let visibility = visibilities(&context.repository.db, &context.actor)?;
    let text = text_of_page(draft, &context.repository, &visibility, number).await;
    let annotation = text.map(|text| {
        json!({
            "id": format!("{id}/all"), "type": "Annotation", "motivation": "supplementing",
            "body": {"type": "TextualBody", "format": "text/plain", "value": text}, "target": canvas,
        })
    });
    let items: Vec<_> = annotation.into_iter().collect();
    let document = json!({"@context": CONTEXT, "id": id, "type": "AnnotationPage", "items": items});
    Ok(answer(&headers, &document))
}
