//! The query of a saved search: checked when it is saved, and asked when it is counted.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use axum::http::StatusCode;
use utoipa::IntoParams;

use super::batches::list_query;
use super::facet_choices::ChosenQuery;
use super::item_list_request::ItemListRequest;
use super::items::ItemsQuery;
use super::request_context::RequestContext;
use super::search::AwaitedIndex;
use crate::api::ApiError;
use isolario_db::{Total, collection_order};

/// Refuses what is no query of a list of items.
///
/// # Errors
/// 400.
pub(super) fn check_query(context: &RequestContext, query: &str) -> Result<(), ApiError> {
    let sent: Vec<(String, String)> = list_query("query", query)?;
    if let Some((name, _)) = sent.iter().find(|(name, _)| !is_of_a_list(name)) {
        let words = format!("\"{name}\" is no parameter of a list of items.");
        return Err(ApiError::bad_request(words));
    }
    let query: ItemsQuery = list_query("query", query)?;
    query.check(context, &sent)
}

/// Whether a parameter of that name says which items a list has, or in which order.
pub(super) fn is_of_a_list(name: &str) -> bool {
    static KNOWN: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let parameters = [
            ItemsQuery::into_params(|| None),
            ChosenQuery::into_params(|| None),
        ];
        let parameters = parameters.into_iter().flatten();
        parameters.map(|parameter| parameter.name).collect()
    });
    KNOWN.contains(name)
}

/// How many items somebody finds.
pub(super) struct FoundCount {
    /// `None`: what the query names is hidden or gone, or the index of searches is being made.
    pub total: Option<Total>,
    /// Whether the index shows all that was committed before.
    pub is_current: bool,
}

/// How many items the viewer finds by a query.
///
/// # Errors
/// What the database refuses.
pub(super) async fn count_found(
    context: &RequestContext,
    index: &AwaitedIndex,
    query: &str,
) -> Result<FoundCount, ApiError> {
    let uncounted = |is_current| FoundCount {
        total: None,
        is_current,
    };
    let asked = match list_of(context, index, query).await {
        Ok(asked) => asked,
        Err(error) => {
            return match error.status {
                // The content model has changed, or the place is gone.
                StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND => Ok(uncounted(true)),
                StatusCode::SERVICE_UNAVAILABLE => Ok(uncounted(false)),
                _ => Err(error),
            };
        }
    };
    let is_current = asked.is_current;
    let counted = context.clone().read_lists(move |snapshot| {
        if let Some(nid) = asked.filter.collection
            && snapshot.read.item(nid, &snapshot.viewer)?.is_none()
        {
            return Ok(uncounted(true));
        }
        let order = collection_order();
        let page = snapshot
            .read
            .item_page(&asked.filter, &snapshot.viewer, order, None, 0)?;
        Ok(FoundCount {
            total: Some(page.total),
            is_current,
        })
    });
    counted.await
}

/// The list that a saved query asks for, unless the content model has changed since.
async fn list_of(
    context: &RequestContext,
    index: &AwaitedIndex,
    query: &str,
) -> Result<ItemListRequest, ApiError> {
    let parameters: Vec<(String, String)> = list_query("query", query)?;
    let query: ItemsQuery = list_query("query", query)?;
    query.read_with(context, index, &parameters).await
}
