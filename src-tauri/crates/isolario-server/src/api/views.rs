//! `/views/…`: lists of whole resources, page by page, for clients that take the address of a view of the reference.

use axum::extract::Query;
use axum::http::{Method, Uri};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::openapi::parameters::JsonFormat;
use super::openapi::refusals::Refused;
use super::openapi::resources::{Node, TermResource};
use super::page_number::PageNumberQuery;
use super::request_format::require_json_format;
use super::resource_list::{PART, whole, write_resources};
use super::term_lookup::{self, terms};
use super::v1::parameters::{Parameters, refused, text};
use super::v1::{ChosenQuery, ItemsQuery, RequestContext};
use super::{ApiError, resource_list};
use crate::api::app_state::AppState;
use isolario_db::Start;
use isolario_model::content::{ContentModel, EntityKind};

/// The routes of views.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(nodes))
        .routes(routes!(node_exists))
        .routes(routes!(view_terms))
}

/// Nodes by list, filter and order, whole
///
/// The list of `GET /api/v1/items`, one numbered page after the other.
#[utoipa::path(get, operation_id = "view_nodes", path = "/views/nodes", tag = "resources",
    params(ItemsQuery, ChosenQuery, PageNumberQuery, JsonFormat), responses(
    (status = 200, description = "The nodes that the actor may view; none after the last page", body = Vec<Node>),
    Refused<400>, Refused<404>, Refused<406>,
    (status = 503, description = "`q` or `chosen` is asked while there is no index of searches", body = super::openapi::refusals::Message)))]
async fn nodes(
    context: RequestContext,
    uri: Uri,
    Parameters(query): Parameters<ItemsQuery>,
    Parameters(page): Parameters<PageNumberQuery>,
    Parameters(all): Parameters<Vec<(String, String)>>,
) -> Result<Response, ApiError> {
    require_json_format(&Method::GET, uri.query(), &context.repository.config)?;
    let (offset, length) = page.or_first()?;
    let list = query.read(&context, &all).await?;
    let written = context.read_lists(move |snapshot| {
        let page = list.page(snapshot, Start::At(offset), length)?;
        let (context, read) = (snapshot.context, snapshot.read);
        Ok(write_resources(
            context,
            read,
            EntityKind::Node,
            &page.rows,
        )?)
    });
    Ok(whole(&written.await?))
}

/// A node that has a value.
#[derive(Debug, Serialize, ToSchema)]
struct NodeNumber {
    /// Digits.
    #[schema(pattern = "^[1-9][0-9]*$")]
    nid: String,
}

/// Nodes that have a value
///
/// The query names one field of text and its whole value, in whatever case:
/// `/views/node_exists?FIELD=A12`.
#[utoipa::path(get, operation_id = "view_node_exists", path = "/views/node_exists", tag = "resources",
    params(JsonFormat),
    responses((status = 200, description = "At most 50 nodes that the actor may view", body = Vec<NodeNumber>),
    Refused<400>, Refused<406>))]
async fn node_exists(context: RequestContext, uri: Uri) -> Result<Response, ApiError> {
    require_json_format(&Method::GET, uri.query(), &context.repository.config)?;
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(&uri)
        .map_err(|refusal| ApiError::bad_request(refusal.body_text()))?;
    let Some((field, value)) = asked_value(&context.repository.model(), pairs.0)? else {
        return Ok(whole(&[]));
    };
    let found = context.read_lists(move |snapshot| {
        let ids = snapshot
            .read
            .nodes_with_text(&field, &value, PART, &snapshot.viewer)?;
        Ok(ids
            .into_iter()
            .map(|nid| NodeNumber {
                nid: nid.to_string(),
            })
            .collect::<Vec<_>>())
    });
    Ok(resource_list::of(&found.await?))
}

/// The field that a query names, and its value; `None` for a query without one, by which clients ask whether the address
/// answers.
fn asked_value(
    model: &ContentModel,
    pairs: Vec<(String, String)>,
) -> Result<Option<(String, String)>, ApiError> {
    let mut pairs = pairs.into_iter().filter(|(name, _)| name != "_format");
    let Some((name, value)) = pairs.next() else {
        return Ok(None);
    };
    let mut nodes = model.bundles_of(EntityKind::Node);
    match nodes.any(|bundle| bundle.field(&name).is_some()) && pairs.next().is_none() {
        true => Ok(Some((name, value))),
        false => Err(refused(
            &name,
            "the only one, and the name of a field of nodes",
        )),
    }
}

/// Which terms.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct NamedTermsQuery {
    /// The whole name, in whatever case.
    name: Option<String>,
    /// The vocabulary; without it, any.
    vid: Option<String>,
}

/// Terms by name
#[utoipa::path(get, operation_id = "view_terms", path = "/views/terms", tag = "resources",
    params(NamedTermsQuery, JsonFormat), responses(
    (status = 200, description = "At most 50 terms", body = Vec<TermResource>), Refused<406>))]
async fn view_terms(
    context: RequestContext,
    uri: Uri,
    Parameters(query): Parameters<NamedTermsQuery>,
) -> Result<Response, ApiError> {
    terms(context, &uri, move |read| {
        let name = query.name.unwrap_or_default();
        read.terms_by_name(text(query.vid.as_ref()), name.trim(), term_lookup::MOST)
    })
    .await
}
