//! `/api/v1/collections`: the tree of collections, one level at a time, and how much is below some of them.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{LONGEST_PAGE, Parameters, after, id, ids, limit, refused, text};
use super::request_context::{ListSnapshot, RequestContext};
use super::responses::ItemPermissions;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values::{self, CollectionOrRoot};
use isolario_db::collection_order;

/// Which level of the tree.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CollectionsQuery {
    /// Node id of the collection above, or `root` (as without it) for those without a parent that
    /// the viewer may see.
    #[param(value_type = Option<CollectionOrRoot>)]
    parent: Option<String>,
    /// Only collections with this title, compared without regard to case.
    #[param(example = "Maps")]
    title: Option<String>,
    /// `next` of the previous page.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 200)]
    limit: Option<String>,
}

/// A collection in the tree.
#[derive(Debug, Serialize, ToSchema)]
pub struct Collection {
    nid: i64,
    title: String,
    /// Published.
    status: bool,
    /// Direct members that are no collections.
    items: i64,
    /// Direct members that are collections.
    subcollections: i64,
    may: ItemPermissions,
}

/// One page of collections, by title.
#[derive(Debug, Serialize, ToSchema)]
pub struct CollectionList {
    collections: Vec<Collection>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    total: i64,
}

/// Collections at the top, or in a collection
#[utoipa::path(get, operation_id = "list_collections", path = "/api/v1/collections", tag = "lists", params(CollectionsQuery), responses(
    (status = 200, body = CollectionList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "The parent does not exist, or is hidden from the actor", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<CollectionsQuery>,
) -> Result<Json<CollectionList>, ApiError> {
    let parent = match query.parent.as_deref() {
        None | Some("root") => None,
        Some(_) => id("parent", query.parent.as_ref())?,
    };
    let after = after(query.after.as_ref(), &[collection_order().name()])?;
    let limit = limit(query.limit.as_ref(), 200)?;
    context
        .read_lists(move |snapshot| {
            if let Some(nid) = parent {
                snapshot.place(nid)?;
            }
            let (read, title) = (snapshot.read, text(query.title.as_ref()));
            let page =
                read.collection_page(parent, title, &snapshot.viewer, after.as_ref(), limit)?;
            let collections = page.rows.into_iter().map(|nid| collection(snapshot, nid));
            Ok(Json(CollectionList {
                collections: collections.collect::<Result<_, _>>()?,
                next: page.next.map(|cursor| cursor.encode()),
                total: page.total.count,
            }))
        })
        .await
}

fn collection(snapshot: &ListSnapshot<'_>, nid: i64) -> Result<Collection, ApiError> {
    let row = snapshot.node(nid)?;
    let (items, subcollections) = snapshot.read.collection_counts(nid, &snapshot.viewer)?;
    let may = snapshot.item_permissions(&row)?;
    Ok(Collection {
        nid,
        title: row.title,
        status: row.published,
        items,
        subcollections,
        may,
    })
}

/// Which collections.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CollectionCountsQuery {
    /// Node ids, separated by commas; at most 200.
    #[param(value_type = values::Ids)]
    nid: Option<String>,
}

/// How much is below a collection.
#[derive(Debug, Serialize, ToSchema)]
pub struct CollectionCount {
    nid: i64,
    /// Everything below it that is no collection, at any depth and each item once.
    items: i64,
    /// The collections below it, each once.
    subcollections: i64,
    /// Direct members that are no collections.
    direct_items: i64,
    /// Direct members that are collections.
    direct_subcollections: i64,
}

/// How much is below some collections.
#[derive(Debug, Serialize, ToSchema)]
pub struct CollectionCounts {
    counts: Vec<CollectionCount>,
}

/// Count everything below some collections
///
/// Counts what the actor may view, as far as they may view the collections on the way. What the actor may not view
/// itself is left out. Any item with members may be named, a book of pages also.
#[utoipa::path(get, operation_id = "count_below_collections", path = "/api/v1/collections/counts", tag = "lists", params(CollectionCountsQuery), responses(
    (status = 200, body = CollectionCounts),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
))]
pub async fn counts(
    context: RequestContext,
    Parameters(query): Parameters<CollectionCountsQuery>,
) -> Result<Json<CollectionCounts>, ApiError> {
    let nids = ids("nid", query.nid.as_ref())?;
    if nids.is_empty() || nids.len() > LONGEST_PAGE {
        return Err(refused("nid", "one to 200 node ids"));
    }
    context
        .read_lists(move |snapshot| {
            let mut counts = Vec::with_capacity(nids.len());
            for nid in nids {
                if snapshot.read.item(nid, &snapshot.viewer)?.is_none() {
                    continue;
                }
                let below = snapshot.read.counts_below(nid, &snapshot.viewer)?;
                let direct = snapshot.read.collection_counts(nid, &snapshot.viewer)?;
                counts.push(CollectionCount {
                    nid,
                    items: below.items,
                    subcollections: below.collections,
                    direct_items: direct.0,
                    direct_subcollections: direct.1,
                });
            }
            Ok(Json(CollectionCounts { counts }))
        })
        .await
}
