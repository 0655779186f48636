//! Names items in the address of a request: by ids, by a saved search or by a list.

use serde::Deserialize;
use utoipa::IntoParams;

use super::batches::list_query;
use super::item_list_request::ItemListRequest;
use super::items::ItemsQuery;
use super::parameters::{id, ids, refused};
use super::request_context::RequestContext;
use super::saved_search_query::is_of_a_list;
use super::saved_searches::saved_query;
use crate::api::ApiError;

/// The most ids that a request names.
const MOST_IDS: usize = 1_000;

/// Which items, instead of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct NamedItemsQuery {
    /// Node ids with commas between them, at most a thousand, instead of a list.
    #[param(value_type = Option<String>, pattern = "^[1-9][0-9]{0,17}(,[1-9][0-9]{0,17}){0,999}$", example = "12,13,14")]
    nids: Option<String>,
    /// Id of a saved search, instead of a list.
    #[param(value_type = Option<i64>, minimum = 1)]
    saved_search: Option<String>,
}

/// The items that a request names.
pub(super) enum NamedItems {
    /// Node ids as they were sent.
    Ids(Vec<i64>),
    List(Box<ItemListRequest>),
}

impl NamedItemsQuery {
    /// The items; `list` and `parameters` are those of a list in the same address.
    ///
    /// # Errors
    /// 400 for items that are named in two ways, or in a way that there is not; 404 for a saved search that is hidden.
    pub(super) async fn items(
        &self,
        context: &RequestContext,
        list: &ItemsQuery,
        parameters: &[(String, String)],
    ) -> Result<NamedItems, ApiError> {
        let nids = ids("nids", self.nids.as_ref())?;
        let saved_search = id("saved_search", self.saved_search.as_ref())?;
        let lists = parameters.iter().any(|(name, _)| is_of_a_list(name));
        let ways = [self.nids.is_some(), saved_search.is_some(), lists];
        if ways.into_iter().filter(|is_taken| *is_taken).count() > 1 {
            let words = "Items are named by \"nids\", by \"saved_search\" or by a list, and not by two of them.";
            return Err(ApiError::bad_request(words));
        }
        if nids.len() > MOST_IDS {
            return Err(refused("nids", "at most a thousand ids"));
        }
        if self.nids.is_some() {
            return Ok(NamedItems::Ids(nids));
        }
        let list = match saved_search {
            None => list.read(context, parameters).await?,
            Some(id) => {
                let query = saved_query(context.clone(), id).await?;
                let list: ItemsQuery = list_query("query", &query)?;
                let parameters: Vec<_> = list_query("query", &query)?;
                list.read(context, &parameters).await?
            }
        };
        Ok(NamedItems::List(Box::new(list)))
    }
}
