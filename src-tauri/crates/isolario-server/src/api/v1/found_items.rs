//! The items that a search finds, for lists and for changes of many.

use super::facet_choices::choices;
use super::request_context::RequestContext;
use super::search::{SearchQuery, ask, current_index};
use crate::api::ApiError;
use isolario_core::search::visibilities;
use isolario_db::NodeSet;
use isolario_search::Search;
use isolario_search::query::Query;

/// Items that somebody finds by words and facets.
pub(super) struct FoundItems {
    pub nodes: NodeSet,
    /// Whether the index shows all that was committed before.
    pub is_current: bool,
}

/// The search of a list: by a text while it is typed, whose words may be the beginnings of words, and by values of
/// facets. None where neither is asked.
///
/// # Errors
/// 400 for choices that cannot be.
pub(super) fn list_search(
    context: &RequestContext,
    typed: Option<&str>,
    parameters: &[(String, String)],
) -> Result<Option<Search>, ApiError> {
    let known = context.app.search_names();
    let chosen = choices(known, parameters)?;
    if typed.is_none() && chosen.is_empty() {
        return Ok(None);
    }
    let query = Query::parse(&with_prefixes(typed.unwrap_or_default()), &known.fields);
    let mut search = Search::new(query, visibilities(&context.actor));
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
    found(context, query.search(context, &parameters).await?).await
}

/// All items that a search finds.
///
/// # Errors
/// 503 where there is no index.
pub(super) async fn found(
    context: &RequestContext,
    search: Search,
) -> Result<FoundItems, ApiError> {
    let (index, is_current) = current_index(context).await?;
    let ids = ask(context, index, move |index| index.found_ids(&search)).await?;
    Ok(FoundItems {
        nodes: NodeSet::new(&ids),
        is_current,
    })
}

/// A typed text, the words of which are searched as prefixes, unless they are part of something else.
fn with_prefixes(typed: &str) -> String {
    let mut is_quoted = false;
    let words = typed.split_whitespace().map(|word| {
        let is_plain = !is_quoted && word != "OR" && word.chars().all(char::is_alphanumeric);
        is_quoted ^= word.matches('"').count() % 2 == 1;
        match is_plain {
            true => format!("{word}*"),
            false => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}
