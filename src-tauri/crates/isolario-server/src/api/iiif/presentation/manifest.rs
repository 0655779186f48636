//! Manifests: an item, or an item with its pages or parts (Presentation API 3.0, section 5.2).

use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::description::plain;
use super::{CONTEXT, Presenter, answer, redirect};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::v1::RequestContext;
use crate::api::v1::parameters::path_id;
use isolario_db::{DbError, ItemFilter, ItemRow, ItemSort, MediaRow, Order, Start, TermName};
use isolario_model::content::{TermRole, file_url, uri_of};

/// Pages or parts of an item that its manifest has.
const MOST_MEMBERS: usize = 5_000;

/// An item as a manifest
///
/// What a viewer of IIIF shows of an item: its pictures or pages, or its recording, with what is said of it. A collection
/// leads to its document.
#[utoipa::path(get, operation_id = "read_manifest", path = "/iiif/presentation/3/node/{nid}/manifest.json", tag = "iiif",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, description = "A manifest of the IIIF Presentation API 3.0",
        content((Object = "application/ld+json"))),
    (status = 303, description = "It is a collection"),
    (status = 304, description = "The client has this document"),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn read(
    context: RequestContext,
    Path(nid): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let nid = path_id("item", &nid)?;
    let made = context.clone().read_lists(move |snapshot| {
        let row = snapshot.node(nid)?;
        let presenter = Presenter::of(snapshot);
        match row.is_collection {
            true => Ok(None),
            false => Ok(Some(presenter.manifest(&row)?)),
        }
    });
    Ok(match made.await? {
        Some(manifest) => answer(&headers, &manifest),
        None => redirect(
            &context,
            &format!("/iiif/presentation/3/node/{nid}/collection.json"),
        ),
    })
}

/// An item with its media, or a page or part of one.
struct Part {
    nid: i64,
    title: String,
    canvases: Vec<Value>,
}

impl Presenter<'_> {
    fn manifest(&self, row: &ItemRow) -> Result<Value, DbError> {
        let nid = row.nid;
        let media = self.media(nid)?;
        let parts = self.parts(row)?;
        let of_parts: Vec<Value> = parts
            .iter()
            .flat_map(|part| part.canvases.clone())
            .collect();
        let mut canvases = match of_parts.is_empty() {
            true => self.canvases((nid, &row.title), &media)?,
            false => of_parts,
        };
        if canvases.is_empty() {
            canvases.push(self.empty_canvas(nid, &row.title));
        }
        let mut document = Map::new();
        document.insert("@context".into(), CONTEXT.into());
        document.insert("id".into(), self.of_item(nid, "manifest.json").into());
        document.insert("type".into(), "Manifest".into());
        document.extend(self.description(row)?);
        let pictures = parts.first().map(|part| self.media(part.nid)).transpose()?;
        let thumbnail = self.thumbnail(&media);
        let thumbnail = thumbnail.or_else(|| self.thumbnail(&pictures.unwrap_or_default()));
        document.extend(thumbnail.map(|picture| ("thumbnail".to_owned(), picture)));
        if is_one_of(row.model.as_ref(), &[TermRole::Paged, TermRole::Issue]) && canvases.len() > 1
        {
            document.insert("behavior".into(), json!(["paged"]));
        }
        let structures = self.structures(&parts);
        document.extend(structures.map(|ranges| ("structures".to_owned(), ranges)));
        document.insert("service".into(), self.search_service(nid));
        document.extend(
            self.rendering(&media)
                .map(|files| ("rendering".to_owned(), files)),
        );
        let above = self.snapshot.read.ancestors(nid, &self.snapshot.viewer)?;
        let above: Vec<Value> = above
            .iter()
            .map(|(nid, title)| self.member_of(*nid, title))
            .collect();
        if !above.is_empty() {
            document.insert("partOf".into(), above.into());
        }
        document.insert("items".into(), canvases.into());
        Ok(Value::Object(document))
    }

    pub(super) fn media(&self, nid: i64) -> Result<Vec<MediaRow>, DbError> {
        let snapshot = self.snapshot;
        snapshot
            .read
            .item_media(snapshot.model(), nid, &snapshot.viewer)
    }

    /// The members of an item that the viewer may see, in their order.
    pub(super) fn members(&self, nid: i64, most: usize) -> Result<Vec<i64>, DbError> {
        let filter = ItemFilter {
            collection: Some(nid),
            ..ItemFilter::default()
        };
        let order = Order {
            sort: ItemSort::Weight,
            descending: false,
        };
        let snapshot = self.snapshot;
        let page = snapshot
            .read
            .item_page(&filter, &snapshot.viewer, order, Start::At(0), most)?;
        Ok(page.rows)
    }

    /// The pages or parts of an item that show something.
    fn parts(&self, row: &ItemRow) -> Result<Vec<Part>, DbError> {
        if row.members == 0 {
            return Ok(Vec::new());
        }
        let mut parts = Vec::new();
        for nid in self.members(row.nid, MOST_MEMBERS)? {
            let Some(place) = self.snapshot.read.place(nid, &self.snapshot.viewer)? else {
                continue;
            };
            let canvases = self.canvases((nid, &place.title), &self.media(nid)?)?;
            if !canvases.is_empty() {
                let title = place.title;
                parts.push(Part {
                    nid,
                    title,
                    canvases,
                });
            }
        }
        Ok(parts)
    }

    /// A table of contents, where parts have several canvases.
    fn structures(&self, parts: &[Part]) -> Option<Value> {
        if parts.iter().all(|part| part.canvases.len() < 2) {
            return None;
        }
        let ranges = parts.iter().map(|part| {
            let canvases = part
                .canvases
                .iter()
                .map(|canvas| json!({"id": canvas["id"], "type": "Canvas"}));
            json!({
                "id": self.of_item(part.nid, "range"), "type": "Range", "label": plain(&part.title),
                "items": canvases.collect::<Vec<Value>>(),
            })
        });
        Some(ranges.collect())
    }

    /// Files that a viewer offers to open beside what it shows.
    fn rendering(&self, media: &[MediaRow]) -> Option<Value> {
        let originals = media
            .iter()
            .filter(|row| row.has_use(TermRole::OriginalFile));
        let files = originals.filter_map(|row| row.file.as_ref());
        let files = files.filter(|file| file.mime.essence() == "application/pdf");
        let files: Vec<Value> = files
            .map(|file| {
                json!({
                    "id": self.address(&file_url::path_of(&file.uri)), "type": "Text",
                    "label": plain(&file.filename), "format": file.mime.essence(),
                })
            })
            .collect();
        (!files.is_empty()).then_some(files.into())
    }

    fn member_of(&self, nid: i64, title: &str) -> Value {
        json!({"id": self.of_item(nid, "collection.json"), "type": "Collection", "label": plain(title)})
    }
}

fn is_one_of(model: Option<&TermName>, roles: &[TermRole]) -> bool {
    let uri = model.and_then(|model| model.uri.as_deref());
    uri.is_some_and(|uri| roles.iter().any(|role| uri_of(*role) == uri))
}
