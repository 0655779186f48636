//! The items that a search finds, for lists and for changes of many.

use std::sync::Arc;

use super::by_relevance::ByRelevance;
use super::facet_choices::choices;
use super::request_context::RequestContext;
use super::search::{AwaitedIndex, SearchQuery, ask};
use crate::api::ApiError;
use isolario_core::search::typed_search;
use isolario_db::IdSet;
use isolario_search::Search;

/// Items that somebody finds by words and facets.
pub(super) struct FoundItems {
    pub nodes: IdSet,
    /// Whether the index shows all that was committed before.
    pub is_current: bool,
    /// Puts them in the order of how well they fit.
    pub by_relevance: ByRelevance,
}

/// The search of a list, by words and by values of facets. None where neither is asked.
///
/// # Errors
/// 400 for choices that cannot be.
pub(super) fn list_search(
    context: &RequestContext,
    typed: Option<&str>,
    is_exact: bool,
    parameters: &[(String, String)],
) -> Result<Option<Search>, ApiError> {
    let chosen = choices(&context.app.search_names(), parameters)?;
    if typed.is_none() && chosen.is_empty() {
        return Ok(None);
    }
    let names = &context.app.search_names();
    let typed = typed.unwrap_or_default();
    let mut search = typed_search(
        &context.repository.db,
        names,
        &context.actor,
        typed,
        is_exact,
    )?;
    search.chosen = chosen;
    Ok(Some(search))
}

/// All items that a search finds.
///
/// # Errors
/// 400 for a parameter that cannot be; 404 for a hidden `below`; 503 where there is no index.
pub(super) async fn found_by_search(
    context: &RequestContext,
    query: &SearchQuery,
    parameters: Vec<(String, String)>,
) -> Result<FoundItems, ApiError> {
    let search = query.search(context, &parameters).await?;
    found(context, &AwaitedIndex::default(), search).await
}

/// All items that a search finds.
///
/// # Errors
/// 503 where there is no index.
pub(super) async fn found(
    context: &RequestContext,
    index: &AwaitedIndex,
    search: Search,
) -> Result<FoundItems, ApiError> {
    let (index, is_current) = index.get(context).await?;
    let by_relevance = ByRelevance {
        index: Arc::clone(&index),
        search: search.clone(),
    };
    let ids = ask(context, index, move |index| index.found_ids(&search)).await?;
    Ok(FoundItems {
        nodes: IdSet::new(&ids),
        is_current,
        by_relevance,
    })
}
