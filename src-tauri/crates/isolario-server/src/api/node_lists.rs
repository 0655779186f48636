//! `/node/{nid}/members` and `/node/{nid}/media`: what belongs to a node.

use axum::extract::Path;
use axum::http::{Method, Uri};
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ApiError;
use super::openapi::parameters::JsonFormat;
use super::openapi::refusals::Refused;
use super::openapi::resources::{MediaResource, Node};
use super::page_number::PageNumberQuery;
use super::request_format::require_json_format;
use super::resource_list::{PART, in_parts, whole, write_resources};
use super::v1::RequestContext;
use super::v1::parameters::{Parameters, not_found, path_id};
use crate::api::app_state::AppState;
use isolario_core::actions::view_entity::visible_target;
use isolario_db::{ItemFilter, ItemSort, Order, Read, Start};
use isolario_model::content::EntityKind;
use isolario_model::policy::Actor;

const IN_ORDER: Order = Order {
    sort: ItemSort::Weight,
    descending: false,
};

/// The routes of what belongs to a node.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(members))
        .routes(routes!(media))
}

/// Members of a node, whole
///
/// In the order of their weights. Without `page`, all of them.
#[utoipa::path(get, operation_id = "list_members", path = "/node/{nid}/members", tag = "resources",
    params(("nid" = i64, Path), JsonFormat, PageNumberQuery), responses(
    (status = 200, description = "The members that the actor may view", body = Vec<Node>),
    Refused<400>, Refused<404>, Refused<406>))]
async fn members(
    context: RequestContext,
    Path(nid): Path<String>,
    uri: Uri,
    Parameters(page): Parameters<PageNumberQuery>,
) -> Result<Response, ApiError> {
    require_json_format(&Method::GET, uri.query(), &context.repository.config)?;
    let nid = path_id("node", &nid)?;
    let filter = ItemFilter {
        collection: Some(nid),
        ..ItemFilter::default()
    };
    match page.asked()? {
        Some((offset, length)) => {
            let start = Start::At(offset);
            let (written, _) = part_of_members(context, filter, start, length).await?;
            Ok(whole(&written))
        }
        None => {
            in_parts(Start::After(None), move |start| {
                part_of_members(context.clone(), filter.clone(), start, PART)
            })
            .await
        }
    }
}

async fn part_of_members(
    context: RequestContext,
    filter: ItemFilter,
    start: Start,
    length: usize,
) -> Result<(Vec<u8>, Option<Start>), ApiError> {
    context
        .read_lists(move |snapshot| {
            if let Some(nid) = filter.collection {
                snapshot.node(nid)?;
            }
            let (read, viewer) = (snapshot.read, &snapshot.viewer);
            let page = read.item_page(&filter, viewer, IN_ORDER, start, length)?;
            let written = write_resources(snapshot.context, read, EntityKind::Node, &page.rows)?;
            let next = page.next.map(|cursor| Start::After(Some(cursor)));
            Ok((written, next))
        })
        .await
}

/// Media of a node, whole
///
/// By id. Without `page`, all of them.
#[utoipa::path(get, operation_id = "list_node_media", path = "/node/{nid}/media", tag = "resources",
    params(("nid" = i64, Path), JsonFormat, PageNumberQuery), responses(
    (status = 200, description = "The media that the actor may view", body = Vec<MediaResource>),
    Refused<400>, Refused<404>, Refused<406>))]
async fn media(
    context: RequestContext,
    Path(nid): Path<String>,
    uri: Uri,
    Parameters(page): Parameters<PageNumberQuery>,
) -> Result<Response, ApiError> {
    require_json_format(&Method::GET, uri.query(), &context.repository.config)?;
    let nid = path_id("node", &nid)?;
    let (repository, actor) = (context.repository.clone(), context.actor.clone());
    let ids = repository
        .db
        .read(move |read| ids_of_media(read, &actor, nid));
    let ids = ids.await?;
    let ids: Vec<i64> = match page.asked()? {
        Some((offset, length)) => {
            let offset = usize::try_from(offset).unwrap_or(usize::MAX);
            ids.into_iter().skip(offset).take(length).collect()
        }
        None => ids,
    };
    in_parts(ids, move |mut ids| {
        let rest = ids.split_off(ids.len().min(PART));
        let context = context.clone();
        async move {
            let db = context.repository.db.clone();
            let written =
                db.read(move |read| write_resources(&context, read, EntityKind::Media, &ids));
            Ok((written.await?, (!rest.is_empty()).then_some(rest)))
        }
    })
    .await
}

fn ids_of_media(read: &Read<'_>, actor: &Actor, nid: i64) -> Result<Vec<i64>, ApiError> {
    let node = visible_target(read, actor, EntityKind::Node, nid)?;
    node.ok_or_else(|| not_found("node", nid))?;
    Ok(read.media_ids_of(nid)?)
}
