//! `/api/v1/print`: items on paper, as PDF.

use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures_util::TryStreamExt;
use serde::Deserialize;
use tokio::sync::Semaphore;
use utoipa::IntoParams;

use super::export::download_headers;
use super::facet_choices::ChosenQuery;
use super::items::ItemsQuery;
use super::named_items::{NamedItems, NamedItemsQuery};
use super::parameters::{Parameters, choice};
use super::repository::identity_of;
use super::request_context::{ListSnapshot, RequestContext};
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use crate::api::{ApiError, ErrorCode, binary, ui};
use isolario_core::actions::batches::{ItemSource, pages_of};
use isolario_core::print::{Layout, PrintedItem, print};
use isolario_db::{DbError, picture_of};
use isolario_model::content::{EntityKind, FileRecord, field_roles};

/// Most items on paper at once: their pictures are held until the PDF is made.
const MOST_ITEMS: usize = 1_000;
/// Largest picture that is printed, in bytes. A thumbnail is far smaller.
const LARGEST_PICTURE: u64 = 256 << 10;
/// Items that are read in one snapshot.
const PAGE: usize = 100;
/// One PDF is made at a time, so that many who print do not fill the memory.
static PRINTER: Semaphore = Semaphore::const_new(1);
/// Layouts, as the address names them.
const LAYOUTS: [(&str, Layout); 2] = [
    ("contact_sheet", Layout::ContactSheet),
    ("labels", Layout::Labels),
];

values::schemas! {
    /// How items are laid out.
    PrintLayout => values::one_of(values::names(&LAYOUTS));
}

/// How the items are printed.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PrintQuery {
    /// `contact_sheet` as without it: three by four pictures on a page. `labels`: three by eight labels of 70 by 37 mm,
    /// each with a QR code that opens the page of the item.
    #[param(value_type = Option<PrintLayout>)]
    layout: Option<String>,
}

/// Items on paper
///
/// Pages of A4 with the items that the actor may view, at most a thousand: those of a list, as in `GET /api/v1/items` and
/// in its order (by title where it is sorted by relevance), of a saved search, or those of some ids.
#[utoipa::path(get, operation_id = "print_items", path = "/api/v1/print", tag = "lists", params(ItemsQuery, ChosenQuery, NamedItemsQuery, PrintQuery), responses(
    (status = 200, description = "The pages", content((values::Binary = "application/pdf"))),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "The collection or the saved search does not exist, or is hidden from the actor", body = Message),
    (status = 422, description = "There are more than a thousand items", body = Message),
    (status = 503, description = "`q` or `chosen` is asked while there is no index of searches; the message says how far it is", body = Message),
))]
pub async fn print_items(
    context: RequestContext,
    Parameters(list): Parameters<ItemsQuery>,
    Parameters(named): Parameters<NamedItemsQuery>,
    Parameters(query): Parameters<PrintQuery>,
    Parameters(all): Parameters<Vec<(String, String)>>,
) -> Result<Response, ApiError> {
    let layout = choice("layout", query.layout.as_ref(), &LAYOUTS)?.unwrap_or(Layout::ContactSheet);
    let nids = nids(&context, named.items(&context, &list, &all).await?).await?;
    let heading = context
        .clone()
        .read(|snapshot| Ok(identity_of(snapshot)?.name))
        .await?;
    let _turn = PRINTER.acquire().await;
    let mut items = Vec::with_capacity(nids.len());
    for page in nids.chunks(PAGE) {
        let page = page.to_vec();
        let read = context.clone().read_lists(move |snapshot| {
            let found = page.iter().map(|nid| found(snapshot, *nid));
            Ok(found.collect::<Result<Vec<_>, DbError>>()?)
        });
        for (mut item, picture) in read.await?.into_iter().flatten() {
            if let Some(file) = picture.filter(|_| layout == Layout::ContactSheet) {
                item.picture = picture_bytes(&context, &file).await;
            }
            items.push(item);
        }
    }
    let made =
        tokio::task::spawn_blocking(move || print(layout, &heading, &items, ui::print_font()));
    let failed = |error: String| ApiError::new(ErrorCode::Unavailable, error);
    let made = made.await.map_err(|error| failed(error.to_string()))?;
    let pdf = made.map_err(|error| failed(error.to_string()))?;
    let name = match layout {
        Layout::ContactSheet => "contact-sheet.pdf",
        Layout::Labels => "labels.pdf",
    };
    Ok((download_headers(name, "application/pdf"), pdf).into_response())
}

/// The items in their order.
async fn nids(context: &RequestContext, items: NamedItems) -> Result<Vec<i64>, ApiError> {
    let source = match items {
        NamedItems::Ids(nids) => {
            let nids = nids.into_iter().map(|nid| (EntityKind::Node, nid));
            ItemSource::Ids(nids.collect())
        }
        NamedItems::List(list) => {
            if let Some(nid) = list.filter.collection {
                let place = context.clone().read(move |snapshot| snapshot.place(nid));
                place.await?;
            }
            ItemSource::List(Box::new(list.filter), list.order)
        }
    };
    let mut pages = pages_of(&context.repository, &context.actor, source);
    let mut nids = Vec::new();
    let refused = |refusal| ApiError::from_refusal(&context.actor, refusal);
    while let Some(page) = pages.next().await.map_err(refused)? {
        nids.extend(page.into_iter().map(|(_, nid)| nid));
        if nids.len() > MOST_ITEMS {
            return Err(ApiError::unprocessable(
                "At most a thousand items are printed at once. Narrow the list, or select some of them.",
            ));
        }
    }
    Ok(nids)
}

/// What is printed of an item that the viewer sees, and the file of its picture.
fn found(
    snapshot: &ListSnapshot<'_>,
    nid: i64,
) -> Result<Option<(PrintedItem, Option<FileRecord>)>, DbError> {
    let Some(row) = snapshot.read.item(nid, &snapshot.viewer)? else {
        return Ok(None);
    };
    let media = snapshot
        .read
        .item_media(snapshot.model(), nid, &snapshot.viewer)?;
    let picture = match picture_of(&media) {
        Some((_, file)) => snapshot.read.file(file.fid)?,
        None => None,
    };
    let entity = snapshot.read.entity(EntityKind::Node, nid)?;
    let identifier =
        entity.and_then(|entity| Some(entity.text(&field_roles().identifier)?.to_owned()));
    let ancestors = snapshot.read.ancestors(nid, &snapshot.viewer)?;
    let item = PrintedItem {
        title: row.title,
        date: row.date,
        collection: ancestors.into_iter().next_back().map(|(_, title)| title),
        identifier: identifier.unwrap_or_else(|| nid.to_string()),
        address: snapshot.context.base.join(&format!("/node/{nid}")),
        picture: None,
    };
    Ok(Some((item, picture)))
}

/// The bytes of a picture; `None` for what cannot be printed.
async fn picture_bytes(context: &RequestContext, file: &FileRecord) -> Option<Bytes> {
    if file.mime.essence() != "image/jpeg" || file.size > LARGEST_PICTURE {
        return None;
    }
    let blob = binary::open(&context.repository, file).await.ok()?;
    let (size, mut bytes) = (blob.size, BytesMut::new());
    let mut parts = std::pin::pin!(blob.stream(0..size));
    while let Some(part) = parts.try_next().await.ok()? {
        bytes.extend_from_slice(&part);
    }
    Some(bytes.freeze())
}
