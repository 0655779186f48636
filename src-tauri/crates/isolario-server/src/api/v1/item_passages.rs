//! `/api/v1/items/passages` and `/api/v1/items/{nid}/marks`: where the words of a list stand, for what a window shows.

use std::sync::Arc;

use axum::Json;
use axum::extract::Path;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, choice, ids, not_found, path_id, refused};
use super::request_context::RequestContext;
use super::search::{WORDS, ask, current_index};
use super::search_answer::{MOST_WITH_PASSAGES, SearchPassage, hits_with_passages};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values::ScreenOfIds;
use isolario_core::search::{Documents, TextMarks, typed_search};
use isolario_search::{Order, Page, Restriction, Search};

/// Which words.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WordsQuery {
    /// As `q` of `GET /api/v1/items`.
    #[param(value_type = String)]
    q: Option<String>,
    /// As `stems` of `GET /api/v1/items`.
    #[param(value_type = Option<bool>)]
    stems: Option<String>,
}

impl WordsQuery {
    fn search(&self, context: &RequestContext) -> Result<Search, ApiError> {
        let typed = self.q.as_deref();
        let typed = typed.ok_or_else(|| refused("q", "what somebody looks for"))?;
        let with_stems = choice("stems", self.stems.as_ref(), &WORDS)?.unwrap_or(true);
        Ok(typed_search(
            &context.repository.db,
            &context.app.search_names(),
            &context.actor,
            typed,
            !with_stems,
        )?)
    }
}

/// Which items.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PassagesQuery {
    /// Node ids. At most fifty, separated by commas.
    #[param(value_type = ScreenOfIds)]
    nid: Option<String>,
}

/// Where words stand in some items.
#[derive(Debug, Serialize, ToSchema)]
pub struct Passages {
    /// The items in which they stand, in no order.
    items: Vec<ItemPassages>,
}

/// Where words stand in an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemPassages {
    nid: i64,
    /// One of each field in which they stand, at most four.
    passages: Vec<SearchPassage>,
}

/// Passages of listed items
///
/// Where the words of a list stand in some of its items, for those that a window shows. Texts that the actor may not view
/// are not looked at.
#[utoipa::path(get, operation_id = "list_item_passages", path = "/api/v1/items/passages", tag = "search",
    params(WordsQuery, PassagesQuery), responses(
    (status = 200, body = Passages),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 503, description = "There is no index yet; the message says how far it is", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Parameters(words): Parameters<WordsQuery>,
    Parameters(query): Parameters<PassagesQuery>,
) -> Result<Json<Passages>, ApiError> {
    let mut search = words.search(&context)?;
    let nids = ids("nid", query.nid.as_ref())?;
    if nids.is_empty() || nids.len() > MOST_WITH_PASSAGES {
        return Err(refused("nid", "up to fifty node ids"));
    }
    search.order = Order::Created;
    search.page = Page {
        offset: 0,
        limit: nids.len(),
    };
    search.restriction = Restriction::Ids(nids);
    let (index, _) = current_index(&context).await?;
    let asked = search.clone();
    let results = ask(&context, index, move |index| index.search(&asked)).await?;
    let hits = hits_with_passages(&context, search, results.hits).await?;
    let found = hits.into_iter().filter(|hit| !hit.passages.is_empty());
    let items = found.map(|hit| ItemPassages {
        nid: hit.item.nid,
        passages: hit.passages,
    });
    Ok(Json(Passages {
        items: items.collect(),
    }))
}

/// Where words stand in the text of an item's files.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemMarks {
    /// The pages on which they stand. A text without pages is one page.
    pages: Vec<PageMarks>,
    /// What stands there, in lower case, each once and at most 500. A viewer marks it in what it shows.
    spellings: Vec<String>,
}

/// How often words stand on a page.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageMarks {
    /// Counted from 1.
    page: usize,
    count: usize,
}

/// Places of words in the text of an item
///
/// In the first text of its files in which they stand: what was transcribed, or read out of the file. Up to 10,000
/// places in the first two megabytes are counted.
#[utoipa::path(get, operation_id = "list_item_marks", path = "/api/v1/items/{nid}/marks", tag = "search",
    params(("nid" = i64, Path, description = "Node id"), WordsQuery), responses(
    (status = 200, body = ItemMarks),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn marks(
    context: RequestContext,
    Path(nid): Path<String>,
    Parameters(words): Parameters<WordsQuery>,
) -> Result<Json<ItemMarks>, ApiError> {
    let nid = path_id("item", &nid)?;
    let search = words.search(&context)?;
    let has_words = words
        .q
        .as_ref()
        .is_some_and(|typed| !typed.trim().is_empty());
    let read = context.clone().read(move |snapshot| {
        snapshot.place(nid)?;
        if !has_words {
            return Ok(None);
        }
        let documents = Documents::new(snapshot.read, snapshot.model());
        let draft = documents.texts(nid, &snapshot.context.actor)?;
        Ok(Some(draft.ok_or_else(|| not_found("item", nid))?))
    });
    let Some(draft) = read.await? else {
        return Ok(Json(ItemMarks {
            pages: Vec::new(),
            spellings: Vec::new(),
        }));
    };
    let marks = TextMarks::find(draft, &context.repository, &Arc::new(search)).await;
    let pages = marks.pages.into_iter();
    Ok(Json(ItemMarks {
        pages: pages
            .map(|(page, count)| PageMarks { page, count })
            .collect(),
        spellings: marks.spellings,
    }))
}
