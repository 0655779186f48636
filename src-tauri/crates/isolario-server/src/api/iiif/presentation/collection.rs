//! Collections: what a collection has, in parts where it has much (Presentation API 3.0, section 5.1).

use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::IntoParams;

use super::description::plain;
use super::{CONTEXT, Presenter, answer, redirect};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::v1::RequestContext;
use crate::api::v1::parameters::{Parameters, not_found, offset, path_id};
use isolario_db::{DbError, ItemFilter, ItemRow, ItemSort, Order, Start};

/// Members that a document names. A collection of more has parts.
const PAGE: i64 = 100;
/// Parts of a collection.
const MOST_PARTS: i64 = 1_000;

/// Which part of a collection.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PartQuery {
    /// Number of the part, from 0.
    #[param(value_type = Option<i64>, minimum = 0)]
    part: Option<String>,
}

/// A collection as IIIF shows it
///
/// The members of a collection, as manifests and collections. One of more than a hundred has parts. An item that is no
/// collection leads to its manifest.
#[utoipa::path(get, operation_id = "read_iiif_collection", path = "/iiif/presentation/3/node/{nid}/collection.json",
    tag = "iiif", params(("nid" = i64, Path, description = "Node id"), PartQuery), responses(
    (status = 200, description = "A collection of the IIIF Presentation API 3.0",
        content((Object = "application/ld+json"))),
    (status = 303, description = "It is no collection"),
    (status = 304, description = "The client has this document"),
    (status = 404, description = "It does not exist, or is hidden from the actor; or there is no such part", body = Message),
))]
pub async fn read(
    context: RequestContext,
    Path(nid): Path<String>,
    Parameters(query): Parameters<PartQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let nid = path_id("item", &nid)?;
    let part = offset("part", query.part.as_ref())?;
    let made = context.clone().read_lists(move |snapshot| {
        let row = snapshot.node(nid)?;
        let presenter = Presenter::of(snapshot);
        if !row.is_collection {
            return Ok(None);
        }
        if part.is_some_and(|part| part >= parts_of(&row).max(1)) {
            return Err(not_found("part", part.unwrap_or_default()));
        }
        Ok(Some(presenter.collection(&row, part)?))
    });
    Ok(match made.await? {
        Some(document) => answer(&headers, &document),
        None => redirect(
            &context,
            &format!("/iiif/presentation/3/node/{nid}/manifest.json"),
        ),
    })
}

/// How many parts a collection has; 0 where it needs none.
fn parts_of(row: &ItemRow) -> i64 {
    match row.members > PAGE {
        true => (row.members + PAGE - 1) / PAGE,
        false => 0,
    }
}

impl Presenter<'_> {
    fn collection(&self, row: &ItemRow, part: Option<i64>) -> Result<Value, DbError> {
        let id = self.of_item(row.nid, "collection.json");
        let parts = parts_of(row);
        let mut document = Map::new();
        document.insert("@context".into(), CONTEXT.into());
        document.insert("type".into(), "Collection".into());
        let items = match part {
            Some(part) => {
                document.insert("id".into(), format!("{id}?part={part}").into());
                document.insert("label".into(), plain(&part_label(row, part)));
                let whole = json!([{"id": id, "type": "Collection", "label": plain(&row.title)}]);
                document.insert("partOf".into(), whole);
                self.members_of_part(row.nid, part)?
            }
            None => {
                document.insert("id".into(), id.clone().into());
                document.extend(self.description(row)?);
                let thumbnail = self.thumbnail(&self.media(row.nid)?);
                document.extend(thumbnail.map(|picture| ("thumbnail".to_owned(), picture)));
                match parts {
                    0 => self.members_of_part(row.nid, 0)?,
                    parts => (0..parts.min(MOST_PARTS))
                        .map(|part| {
                            json!({
                                "id": format!("{id}?part={part}"), "type": "Collection",
                                "label": plain(&part_label(row, part)),
                            })
                        })
                        .collect(),
                }
            }
        };
        document.insert("items".into(), items.into());
        Ok(Value::Object(document))
    }

    fn members_of_part(&self, nid: i64, part: i64) -> Result<Vec<Value>, DbError> {
        let filter = ItemFilter {
            collection: Some(nid),
            ..ItemFilter::default()
        };
        let order = Order {
            sort: ItemSort::Weight,
            descending: false,
        };
        let snapshot = self.snapshot;
        let start = Start::At(part.saturating_mul(PAGE));
        let most = usize::try_from(PAGE).unwrap_or(usize::MAX);
        let page = snapshot
            .read
            .item_page(&filter, &snapshot.viewer, order, start, most)?;
        let mut members = Vec::new();
        for nid in page.rows {
            let Some(place) = snapshot.read.place(nid, &snapshot.viewer)? else {
                continue;
            };
            let (name, kind) = match place.is_collection {
                true => ("collection.json", "Collection"),
                false => ("manifest.json", "Manifest"),
            };
            let mut member =
                json!({"id": self.of_item(nid, name), "type": kind, "label": plain(&place.title)});
            if let Some(thumbnail) = self.thumbnail(&self.media(nid)?) {
                member["thumbnail"] = thumbnail;
            }
            members.push(member);
        }
        Ok(members)
    }
}

/// `Maps, 101–200`.
fn part_label(row: &ItemRow, part: i64) -> String {
    let first = part.saturating_mul(PAGE).saturating_add(1);
    let last = first.saturating_add(PAGE - 1).min(row.members);
    format!("{}, {first}–{last}", row.title)
}
