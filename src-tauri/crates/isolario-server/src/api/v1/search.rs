//! `/api/v1/search`: items by words, facets and dates, asked of the index.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::http::HeaderMap;
use serde::Deserialize;
use tokio::sync::OnceCell;
use utoipa::IntoParams;

use super::direction::{DIRECTIONS, Direction};
use super::facet_choices::{ChosenQuery, choices, requests, values_limit};
use super::parameters::{Parameters, after, choice, id, limit, offset, refused, text};
use super::request_context::{RequestContext, ViewerSnapshot};
use super::search_answer::{PageOfHits, SearchAnswer};
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use crate::api::opensearch::search_link;
use crate::api::{ApiError, ErrorCode};
use isolario_core::search::{COLLECTION, PART_OF, visibilities};
use isolario_db::{DbError, Key};
use isolario_model::fields::days_of;
use isolario_search::query::Query;
use isolario_search::{Order, Page, Restriction, Search, SearchError, SearchIndex};

/// How long a search waits for the index to show the last commit.
const PATIENCE: Duration = Duration::from_secs(1);

/// Orders of hits.
const ORDERS: [(&str, Order); 5] = [
    ("relevance", Order::Relevance),
    ("title", Order::Title),
    ("created", Order::Created),
    ("changed", Order::Changed),
    ("date", Order::Date),
];

/// Close matches are looked for where fewer items are found.
pub(super) const FEW: usize = 5;
/// Hits that can be skipped.
const DEEPEST: i64 = 10_000_000;

values::schemas! {
    /// In which order hits are listed.
    SearchOrder => values::one_of(values::names(&ORDERS));
}

/// What is searched, and how.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// What somebody typed. Words must all occur; `"several words"` one after the other; `a OR b`; `-word`;
    /// `field:word`; `begin*`; `date:1901..1910`. Whatever cannot be read is taken as words. Without it, all items.
    q: Option<String>,
    /// Only items with a date that overlaps this time. A date or an interval in EDTF.
    #[param(value_type = Option<String>, example = "1400/1969")]
    date: Option<String>,
    /// Only what is below this collection or item, at any depth.
    #[param(value_type = Option<i64>, minimum = 1)]
    below: Option<String>,
    /// `false` to find words only as they are, and not by their stems.
    #[param(value_type = Option<bool>)]
    stems: Option<String>,
    /// `relevance` (as without it), `title`, `created`, `changed` or `date`.
    #[param(value_type = Option<SearchOrder>)]
    sort: Option<String>,
    /// `asc` (as without it) or `desc`. It does not matter for `relevance`.
    #[param(value_type = Option<Direction>)]
    order: Option<String>,
}

/// What the answer tells.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchPageQuery {
    /// Facets that are counted, with commas between their names: those of the content model, and `collection`,
    /// `format`, `status`. The agents with one relator are `agent.relators.aut`.
    #[param(value_type = Option<String>, example = "subject,model")]
    facets: Option<String>,
    /// How many values of a facet are told.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 20)]
    values: Option<String>,
    /// `true` to count dates.
    #[param(value_type = Option<bool>)]
    histogram: Option<String>,
    /// `next` of the previous page, in the same order.
    after: Option<String>,
    /// Instead of `after`: how many hits stand before the page.
    #[param(value_type = Option<i64>, minimum = 0)]
    offset: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 20)]
    limit: Option<String>,
}

/// What is and what is not.
pub(super) const WORDS: [(&str, bool); 2] = [("false", false), ("true", true)];

impl SearchQuery {
    /// What is searched, for the actor.
    ///
    /// # Errors
    /// 400 for a parameter that cannot be; 404 for a hidden `below`.
    pub(super) async fn search(
        &self,
        context: &RequestContext,
        parameters: &[(String, String)],
    ) -> Result<Search, ApiError> {
        let known = context.app.search_names();
        let typed = self.q.as_deref().unwrap_or_default();
        let parsed = Query::parse(typed, &known.fields);
        let mut search = Search::new(
            parsed,
            visibilities(&context.repository.db, &context.actor)?,
        );
        search.chosen = choices(&known, parameters)?;
        search.dates = dates(self.date.as_ref())?;
        search.with_stems = choice("stems", self.stems.as_ref(), &WORDS)?.unwrap_or(true);
        search.order = choice("sort", self.sort.as_ref(), &ORDERS)?.unwrap_or_default();
        let descending = choice("order", self.order.as_ref(), &DIRECTIONS)?;
        search.is_descending = descending.unwrap_or(false);
        if let Some(nid) = id("below", self.below.as_ref())? {
            let read = context
                .clone()
                .read(move |snapshot| restriction(snapshot, nid));
            search.restriction = read.await?;
        }
        Ok(search)
    }
}

/// A page of a search as it was asked for.
struct SearchRequest {
    search: Search,
    order_name: &'static str,
    offset: i64,
    limit: usize,
}

impl SearchRequest {
    async fn read(
        context: &RequestContext,
        query: &SearchQuery,
        page: &SearchPageQuery,
        parameters: &[(String, String)],
    ) -> Result<SearchRequest, ApiError> {
        let known = context.app.search_names();
        let mut search = query.search(context, parameters).await?;
        search.with_histogram =
            choice("histogram", page.histogram.as_ref(), &WORDS)?.unwrap_or(false);
        search.close_matches_below = FEW;
        let values = values_limit(page.values.as_ref())?;
        search.facets = requests(&known, page.facets.as_ref(), values)?;
        let order_name = order_name(search.order);
        let offset = start(page.after.as_ref(), page.offset.as_ref(), order_name)?;
        let limit = limit(page.limit.as_ref(), 20)?;
        search.page = Page {
            offset: usize::try_from(offset).unwrap_or(usize::MAX),
            limit,
        };
        Ok(SearchRequest {
            search,
            order_name,
            offset,
            limit,
        })
    }
}

fn order_name(order: Order) -> &'static str {
    let found = ORDERS.iter().find(|(_, one)| *one == order);
    found.map_or("relevance", |(name, _)| name)
}

/// Where a page of what the index has put into an order begins, from its `after` and `offset`.
///
/// # Errors
/// 400 where they make no sense, or both are there.
pub(super) fn start(
    cursor: Option<&String>,
    rows: Option<&String>,
    order: &str,
) -> Result<i64, ApiError> {
    let cursor = after(cursor, &[order])?;
    let offset = offset("offset", rows)?;
    let start = match (cursor, offset) {
        (Some(_), Some(_)) => {
            return Err(refused("offset", "left out where there is \"after\""));
        }
        (Some(cursor), None) => match cursor.key {
            Key::Number(rows) => rows,
            _ => return Err(refused("after", "the \"next\" of an earlier page")),
        },
        (None, offset) => offset.unwrap_or(0),
    };
    Ok(start.clamp(0, DEEPEST))
}

fn dates(date: Option<&String>) -> Result<Option<(i64, i64)>, ApiError> {
    let days = |date| days_of(date).ok_or_else(|| refused("date", "a date or an interval in EDTF"));
    text(date).map(days).transpose()
}

/// The items below a node that the viewer may see.
pub(super) fn restriction(
    snapshot: &ViewerSnapshot<'_>,
    nid: i64,
) -> Result<Restriction, ApiError> {
    let place = snapshot.place(nid)?;
    let facet = if place.is_collection {
        COLLECTION
    } else {
        PART_OF
    };
    Ok(Restriction::Value {
        facet: facet.to_owned(),
        value: nid.to_string(),
    })
}

/// The index, and whether it shows what was committed until now. It is waited for, but not for long.
///
/// # Errors
/// 503 where there is none, which says how far it is.
pub async fn current_index(context: &RequestContext) -> Result<(Arc<SearchIndex>, bool), ApiError> {
    let search = &context.repository.search;
    let last = context.repository.db.read_here(|read| read.last_event());
    let last = last.map_err(|error: DbError| ApiError::from(error))?;
    let is_opened = search.opened(PATIENCE).await.is_some();
    let is_current = is_opened && search.shows(last, PATIENCE).await;
    // Not before: another may have taken its place, and only that one shows all.
    let index = search.index();
    let index = index.ok_or_else(|| {
        let words = match search.status().rebuild {
            Some(progress) => format!(
                "The index of searches is being made. {} % are done.",
                100 * progress.done / progress.of.max(1)
            ),
            None => "There is no index of searches for the time being.".to_owned(),
        };
        ApiError::new(ErrorCode::IndexMissing, words)
    })?;
    Ok((index, is_current))
}

/// The index that a request asks several times. It is waited for once, when it is needed first.
#[derive(Default)]
pub(super) struct AwaitedIndex(OnceCell<Result<(Arc<SearchIndex>, bool), ApiError>>);

impl AwaitedIndex {
    /// As `current_index`.
    ///
    /// # Errors
    /// As `current_index`.
    pub async fn get(
        &self,
        context: &RequestContext,
    ) -> Result<(Arc<SearchIndex>, bool), ApiError> {
        let awaited = self.0.get_or_init(|| current_index(context));
        awaited.await.clone()
    }
}

/// Asks the index, off the async threads. One that is damaged is made anew.
pub async fn ask<T: Send + 'static>(
    context: &RequestContext,
    index: Arc<SearchIndex>,
    question: impl FnOnce(&SearchIndex) -> Result<T, SearchError> + Send + 'static,
) -> Result<T, ApiError> {
    let answer = tokio::task::spawn_blocking(move || question(&index)).await;
    let answer = answer.unwrap_or_else(|error| Err(SearchError::Engine(error.to_string())));
    answer.map_err(|error| failed(context, &error))
}

/// The answer to a search that failed. An index that is damaged is made anew.
pub(super) fn failed(context: &RequestContext, error: &SearchError) -> ApiError {
    tracing::error!(%error, "a search failed");
    if let SearchError::Damaged(_) = error {
        context.repository.search.ask_for_rebuild();
    }
    let words = "The search failed. The index of searches may be damaged; it is made anew then.";
    ApiError::new(ErrorCode::Unavailable, words)
}

/// Search items
///
/// By words, facets and dates. The answer is as of the last commit before the request, unless it says that it is not
/// `current`. Several values of a facet mean any of them. Hits, counts and words are of what the actor may view.
#[utoipa::path(get, operation_id = "search", path = "/api/v1/search", tag = "search",
    params(SearchQuery, SearchPageQuery,
        ChosenQuery),
    responses(
    (status = 200, body = SearchAnswer),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "What `below` names does not exist, or is hidden from the actor", body = Message),
    (status = 503, description = "There is no index yet; the message says how far it is", body = Message),
))]
pub async fn search(
    context: RequestContext,
    Parameters(query): Parameters<SearchQuery>,
    Parameters(page): Parameters<SearchPageQuery>,
    Parameters(all): Parameters<Vec<(String, String)>>,
) -> Result<(HeaderMap, Json<SearchAnswer>), ApiError> {
    let request = SearchRequest::read(&context, &query, &page, &all).await?;
    let (index, is_current) = current_index(&context).await?;
    let search = request.search.clone();
    let results = ask(&context, index, move |index| index.search(&search)).await?;
    let page = PageOfHits {
        search: request.search,
        results,
        order: request.order_name,
        end: request.offset + i64::try_from(request.limit).unwrap_or_default(),
        is_current,
    };
    let headers = search_link(&context.base);
    Ok((headers, Json(page.answer(&context).await?)))
}
