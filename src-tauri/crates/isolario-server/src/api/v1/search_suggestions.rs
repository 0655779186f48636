//! `/api/v1/search/suggestions`: what somebody may mean who is still typing.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, limit_up_to};
use super::request_context::RequestContext;
use super::responses::NodeTitle;
use super::search::{ask, current_index};
use super::search_answer::labels;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_core::search::visibilities;
use isolario_db::DbError;
use isolario_search::{SuggestedValue, Suggestions};

/// Suggestions of each kind, at most.
const MOST: usize = 20;

/// What was typed.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SuggestionsQuery {
    /// What somebody has typed so far. The last word may be unfinished.
    q: Option<String>,
    /// How many items, and how many values.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 20, default = 8)]
    limit: Option<String>,
}

/// What somebody may mean.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchSuggestions {
    /// Items in whose titles the words stand.
    items: Vec<NodeTitle>,
    /// Values of facets in whose names the words stand.
    values: Vec<SearchSuggestedValue>,
    /// Whether everything is shown that was committed before the request.
    current: bool,
}

/// A value of a facet that items have.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchSuggestedValue {
    facet: String,
    /// What `chosen` of a search takes, behind the facet and a colon.
    value: String,
    /// Its name.
    label: String,
}

/// Suggest items, terms and agents
///
/// For who is still typing. Only what the actor may view.
#[utoipa::path(get, operation_id = "suggest", path = "/api/v1/search/suggestions", tag = "search", params(SuggestionsQuery), responses(
    (status = 200, body = SearchSuggestions),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 503, description = "There is no index yet; the message says how far it is", body = Message),
))]
pub async fn suggest(
    context: RequestContext,
    Parameters(query): Parameters<SuggestionsQuery>,
) -> Result<Json<SearchSuggestions>, ApiError> {
    let limit = limit_up_to(query.limit.as_ref(), 8, MOST)?;
    let typed = query.q.unwrap_or_default();
    let (index, current) = current_index(&context).await?;
    let visibility = visibilities(&context.repository.db, &context.actor)?;
    let suggest =
        move |index: &isolario_search::SearchIndex| index.suggest(&typed, &visibility, limit);
    let Suggestions { items, values } = ask(&context, index, suggest).await?;
    context
        .read(move |snapshot| {
            let mut titles = Vec::with_capacity(items.len());
            for nid in items {
                titles.extend(snapshot.title(nid)?);
            }
            let named = values.into_iter().map(|value| {
                let names = labels(snapshot, &value.facet, std::iter::once(&value.value))?;
                Ok(names.get(&value.value).map(|name| named(&value, name)))
            });
            let named: Result<Vec<_>, DbError> = named.filter_map(Result::transpose).collect();
            Ok(Json(SearchSuggestions {
                items: titles,
                values: named?,
                current,
            }))
        })
        .await
}

fn named(value: &SuggestedValue, label: &str) -> SearchSuggestedValue {
    SearchSuggestedValue {
        facet: value.facet.clone(),
        value: value.value.clone(),
        label: label.to_owned(),
    }
}
