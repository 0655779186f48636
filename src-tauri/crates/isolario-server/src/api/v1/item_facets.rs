//! `/api/v1/items/facets`: the items of a list by the values of facets, and by time.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::facet_choices::{ChosenQuery, requests, values_limit};
use super::item_restriction::restricted;
use super::items::ItemsQuery;
use super::parameters::{Parameters, choice, refused, text};
use super::request_context::{ListSnapshot, RequestContext};
use super::search::{FEW, WORDS, ask, current_index};
use super::search_answer::{
    SearchCloseMatch, SearchFacet, SearchHistogram, close_match, facet, histogram,
};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_core::search::visibilities;
use isolario_db::ItemFilter;
use isolario_search::query::Query;
use isolario_search::{Page, Search, SearchIndex, SearchResults, folded};

/// Values of a facet among which names are looked for, the most frequent. Each name is read from the database.
const MOST_NAMED: usize = 5_000;

/// What is counted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ItemFacetsQuery {
    /// Facets that are counted, with commas between their names, as in `GET /api/v1/search`.
    #[param(value_type = Option<String>, example = "subject,model")]
    facets: Option<String>,
    /// How many values of a facet are told.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 20)]
    values: Option<String>,
    /// Only values in whose names this stands, among the most frequent 5,000 of the facet. Case and diacritics do not
    /// matter. Only where one facet is counted.
    named: Option<String>,
    /// `true` to count dates.
    #[param(value_type = Option<bool>)]
    histogram: Option<String>,
}

/// How the items of a list are spread over the values of facets.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemFacets {
    /// How many items of the list the index knows.
    total: usize,
    /// Whether everything is counted that was committed before the request.
    current: bool,
    /// Whether a part of `q` went beyond the limits and was left out.
    is_cut: bool,
    /// In the order in which they were asked for. The counts of a facet ignore what was chosen of it.
    facets: Vec<SearchFacet>,
    /// The items by time, whatever `date` says; `null` unless asked for.
    histogram: Option<SearchHistogram>,
    /// Where few items were found by words: words that are one letter off.
    close_matches: Vec<SearchCloseMatch>,
}

/// What the index is asked.
struct Questions {
    /// For everything but the histogram.
    counts: Search,
    /// For the histogram, where it is of more than the list: the dates are left out that narrow it.
    dates: Option<Search>,
    /// For close matches: `q` with whole words.
    close: Option<Search>,
}

/// What the index has answered.
struct Answers {
    counts: SearchResults,
    dates: Option<SearchResults>,
    close: Option<SearchResults>,
}

impl Questions {
    fn ask(self, index: &SearchIndex) -> Result<Answers, isolario_search::SearchError> {
        let counts = index.search(&self.counts)?;
        let close = self.close.filter(|_| counts.total < FEW);
        Ok(Answers {
            dates: self.dates.map(|dates| index.search(&dates)).transpose()?,
            close: close.map(|close| index.search(&close)).transpose()?,
            counts,
        })
    }
}

/// Facets of a list of items
///
/// Of the list of `GET /api/v1/items` with the same parameters: which values its items have of facets, and how many of
/// them. Only what the actor may view is counted.
#[utoipa::path(get, operation_id = "count_item_facets", path = "/api/v1/items/facets", tag = "lists",
    params(ItemsQuery, ChosenQuery, ItemFacetsQuery), responses(
    (status = 200, body = ItemFacets),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "The collection does not exist, or is hidden from the actor", body = Message),
    (status = 503, description = "There is no index of searches yet; the message says how far it is", body = Message),
))]
pub async fn count(
    context: RequestContext,
    Parameters(query): Parameters<ItemsQuery>,
    Parameters(asked): Parameters<ItemFacetsQuery>,
    Parameters(all): Parameters<Vec<(String, String)>>,
) -> Result<Json<ItemFacets>, ApiError> {
    let model = &context.repository.model();
    let filter = query.filter(model)?;
    // It changes nothing here, but a list that cannot be has no facets.
    query.order(model)?;
    let mut search = match query.search(&context, &all)? {
        Some(search) => search,
        None => every_item(&context, "")?,
    };
    search.page = Page {
        offset: 0,
        limit: 0,
    };
    let values = values_limit(asked.values.as_ref())?;
    let named = text(asked.named.as_ref()).map(folded);
    let limit = named.as_ref().map_or(values, |_| MOST_NAMED);
    search.facets = requests(&context.app.search_names(), asked.facets.as_ref(), limit)?;
    if named.is_some() && search.facets.len() != 1 {
        return Err(refused("named", "left out unless one facet is counted"));
    }
    search.with_histogram = choice("histogram", asked.histogram.as_ref(), &WORDS)?.unwrap_or(false);
    let close = query.typed().map(|typed| -> Result<Search, ApiError> {
        Ok(Search {
            close_matches_below: usize::MAX,
            page: search.page,
            ..every_item(&context, typed)?
        })
    });
    let close = close.transpose()?;
    let is_cut = search.query.is_cut;
    let (index, current) = current_index(&context).await?;
    let questions = context
        .clone()
        .read_lists(move |snapshot| questions(snapshot, filter, search, close));
    let questions = questions.await?;
    let chosen = questions.counts.chosen.clone();
    let answers = ask(&context, index, |index| questions.ask(index)).await?;
    let read = context.read(move |snapshot| {
        let facets = answers.counts.facets.iter().map(|counts| {
            let is_chosen = |value: &str| {
                let mut of_facet = chosen.iter().filter(|one| one.facet == counts.facet);
                of_facet.any(|one| one.values.iter().any(|one| one == value))
            };
            let told = facet(snapshot, counts, is_chosen)?;
            Ok(match &named {
                Some(named) => told.named(named, values),
                None => told,
            })
        });
        let facets = facets.collect::<Result<Vec<SearchFacet>, ApiError>>()?;
        let total = answers.counts.total;
        let dates = answers.dates.unwrap_or(answers.counts).histogram;
        let close = answers.close.map(|close| close.close_matches);
        Ok(Json(ItemFacets {
            total,
            current,
            is_cut,
            facets,
            histogram: dates.map(histogram),
            close_matches: close.into_iter().flatten().map(close_match).collect(),
        }))
    });
    read.await
}

fn every_item(context: &RequestContext, typed: &str) -> Result<Search, ApiError> {
    let query = Query::parse(typed, &context.app.search_names().fields);
    let visibility = visibilities(&context.repository.db, &context.actor)?;
    Ok(Search::new(query, visibility))
}

/// Restricts searches to the items of a list.
fn questions(
    snapshot: &ListSnapshot<'_>,
    filter: ItemFilter,
    mut counts: Search,
    close: Option<Search>,
) -> Result<Questions, ApiError> {
    counts.restriction = restricted(snapshot, &filter)?;
    let dates = match filter.dated.is_some() && counts.with_histogram {
        true => {
            counts.with_histogram = false;
            let whole = ItemFilter {
                dated: None,
                ..filter
            };
            Some(Search {
                restriction: restricted(snapshot, &whole)?,
                with_histogram: true,
                facets: Vec::new(),
                ..counts.clone()
            })
        }
        false => None,
    };
    Ok(Questions {
        counts,
        dates,
        close,
    })
}
