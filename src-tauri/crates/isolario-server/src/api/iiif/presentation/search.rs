//! The Content Search API 2.0: where words stand in the pages of a manifest.

use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::{Presenter, answer};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::v1::parameters::{Parameters, not_found, path_id};
use crate::api::v1::search::{ask, current_index};
use crate::api::v1::search_answer::{MOST_WITH_PASSAGES, hits_with_passages};
use crate::api::v1::{ListSnapshot, RequestContext};
use isolario_core::search::{DocumentDraft, Documents, TextMarks, typed_search};
use isolario_search::{Order, Page, Restriction, Search};

/// The context of an answer.
const SEARCH_CONTEXT: &str = "http://iiif.io/api/search/2/context.json";
/// Pages or parts of an item that are searched.
const MOST_MEMBERS: usize = 5_000;

/// Which words.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ContentQuery {
    /// As people type them.
    q: Option<String>,
    /// Not looked at; the answer says so.
    motivation: Option<String>,
    /// Not looked at; the answer says so.
    date: Option<String>,
    /// Not looked at; the answer says so.
    user: Option<String>,
}

impl ContentQuery {
    fn ignored(&self) -> Vec<&'static str> {
        let given = [
            ("motivation", &self.motivation),
            ("date", &self.date),
            ("user", &self.user),
        ];
        let given = given.into_iter().filter(|(_, value)| value.is_some());
        given.map(|(name, _)| name).collect()
    }
}

impl Presenter<'_> {
    /// The service that searches an item.
    pub(super) fn search_service(&self, nid: i64) -> Value {
        json!([{
            "id": self.address(&format!("/iiif/search/2/node/{nid}")), "type": "SearchService2",
        }])
    }
}

/// Search within a manifest
///
/// Where words stand in the texts of an item and of its pages or parts: an annotation for each page, on its canvas.
#[utoipa::path(get, operation_id = "search_manifest", path = "/iiif/search/2/node/{nid}", tag = "iiif",
    params(("nid" = i64, Path, description = "Node id"), ContentQuery), responses(
    (status = 200, description = "An annotation page of the IIIF Content Search API 2.0",
        content((Object = "application/ld+json"))),
    (status = 304, description = "The client has this document"),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
    (status = 503, description = "There is no index yet; the message says how far it is", body = Message),
))]
pub async fn find(
    context: RequestContext,
    Path(nid): Path<String>,
    Parameters(query): Parameters<ContentQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let nid = path_id("item", &nid)?;
    let typed = query.q.as_deref().map(str::trim).unwrap_or_default();
    let read = context
        .clone()
        .read_lists(move |snapshot| begin(snapshot, nid));
    let (base, draft, mut nids) = read.await?;
    let mut items = Vec::new();
    if !typed.is_empty() {
        let mut search = typed_search(
            &context.repository.db,
            &context.app.search_names(),
            &context.actor,
            typed,
            false,
        )?;
        let marks = Arc::new(search.clone());
        let marks = TextMarks::find(draft, &context.repository, &marks).await;
        let words = marks.spellings.join(" ");
        let pages = marks.pages.iter();
        items.extend(pages.map(|(page, _)| (nid, *page, words.clone())));
        nids.retain(|member| *member != nid);
        if !nids.is_empty() {
            search.restriction = Restriction::Ids(nids);
            items.extend(of_members(&context, search).await?);
        }
    }
    let id = format!("{base}/iiif/search/2/node/{nid}?q={}", encoded(typed));
    let annotations = items.into_iter().enumerate().map(|(number, (nid, page, words))| {
        json!({
            "id": format!("{id}#{}", number + 1), "type": "Annotation", "motivation": "highlighting",
            "body": {"type": "TextualBody", "format": "text/plain", "value": words},
            "target": format!("{base}/iiif/presentation/3/node/{nid}/canvas/{page}"),
        })
    });
    let mut document = json!({
        "@context": SEARCH_CONTEXT, "id": id, "type": "AnnotationPage",
        "items": annotations.collect::<Vec<Value>>(),
    });
    let ignored = query.ignored();
    if !ignored.is_empty() {
        document["ignored"] = json!(ignored);
    }
    Ok(answer(&headers, &document))
}

/// The base of addresses, the text of the item itself, and the pages or parts that are searched with it.
fn begin(
    snapshot: &ListSnapshot<'_>,
    nid: i64,
) -> Result<(String, DocumentDraft, Vec<i64>), ApiError> {
    let row = snapshot.node(nid)?;
    let presenter = Presenter::of(snapshot);
    let documents = Documents::new(snapshot.read, snapshot.model());
    let draft = documents.texts(nid, &snapshot.context.actor)?;
    let draft = draft.ok_or_else(|| not_found("item", nid))?;
    let members = match row.is_collection || row.members == 0 {
        true => Vec::new(),
        false => presenter.members(nid, MOST_MEMBERS)?,
    };
    Ok((presenter.base.to_owned(), draft, members))
}

/// Where the words stand in pages or parts of an item: their ids, pages and texts, in the order of the pages.
async fn of_members(
    context: &RequestContext,
    mut search: Search,
) -> Result<Vec<(i64, usize, String)>, ApiError> {
    search.order = Order::Created;
    search.page = Page {
        offset: 0,
        limit: MOST_WITH_PASSAGES,
    };
    let Restriction::Ids(order) = search.restriction.clone() else {
        return Ok(Vec::new());
    };
    let (index, _) = current_index(context).await?;
    let asked = search.clone();
    let results = ask(context, index, move |index| index.search(&asked)).await?;
    let found: HashSet<i64> = results.hits.iter().map(|hit| hit.id).collect();
    let hits = hits_with_passages(context, search, results.hits).await?;
    let mut places = Vec::new();
    for nid in order.into_iter().filter(|nid| found.contains(nid)) {
        let of_page = hits.iter().filter(|hit| hit.item.nid == nid);
        for passage in of_page.flat_map(|hit| &hit.passages) {
            places.push((nid, passage.page.unwrap_or(1), passage.text()));
        }
    }
    Ok(places)
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
