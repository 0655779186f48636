//! The items that a search finds, for lists and for changes of many.

use super::request_context::RequestContext;
use super::search::{SearchQuery, ask, current_index};
use crate::api::ApiError;
use isolario_core::search::visibilities;
use isolario_db::NodeSet;
use isolario_search::Search;
use isolario_search::query::Query;

/// Items that somebody finds by words.
pub(super) struct FoundItems {
    pub nodes: NodeSet,
    /// Whether the index shows all that was committed before.
    pub is_current: bool,
}

/// All items that are found by a text while it is typed: its words may be the beginnings of words.
///
/// # Errors
/// 503 where there is no index.
pub(super) async fn found_by_words(
    context: &RequestContext,
    typed: &str,
) -> Result<FoundItems, ApiError> {
    let known = context.app.search_names();
    let query = Query::parse(&with_prefixes(typed), &known.fields);
    found(context, Search::new(query, visibilities(&context.actor))).await
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

async fn found(context: &RequestContext, search: Search) -> Result<FoundItems, ApiError> {
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
