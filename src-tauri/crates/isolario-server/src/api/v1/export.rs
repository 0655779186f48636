//! `/api/v1/export`: items as a table.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{BoxStream, iter, try_unfold};
use futures_util::{Stream, StreamExt, TryStreamExt};
use serde::Deserialize;
use utoipa::IntoParams;

use super::facet_choices::ChosenQuery;
use super::items::ItemsQuery;
use super::named_items::{NamedItems, NamedItemsQuery};
use super::parameters::{Parameters, choice, text};
use super::request_context::RequestContext;
use super::search::WORDS;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use crate::api::selected_representation::SelectedRepresentation;
use crate::api::{ApiError, disposition};
use isolario_core::actions::batches::ItemSource;
use isolario_core::export::{
    Export, ExportError, ExportOrder, ExportedFiles, Package, TableFormat,
};
use isolario_model::content::EntityKind;
use isolario_model::fields::TermNotation;

/// Formats of tables.
const FORMATS: [(&str, &str); 2] = [
    ("csv", "text/csv; charset=utf-8"),
    (
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
];

values::schemas! {
    /// The format of a table.
    ExportFormat => values::one_of(values::names(&FORMATS));
    /// What stands for a term in a table.
    ExportedTerms => values::one_of(values::names(&TermNotation::ALL));
}

/// Which items, and how the table is written.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// `csv` as without it.
    #[param(value_type = Option<ExportFormat>)]
    format: Option<String>,
    /// Columns in their order: names with commas between them. Without it `node_id`, `title`, the fields of the items'
    /// types, and `published`. There are also `type`, `uuid`, `langcode`, `uid`, `created`, `changed`, `promote`,
    /// `publish_on`, `unpublish_on` and `url_alias`.
    #[param(value_type = Option<String>, example = "node_id,title,published")]
    columns: Option<String>,
    /// `names` (as without it: vocabulary and name), `uris` (the name of a term without one) or `ids`.
    #[param(value_type = Option<ExportedTerms>)]
    terms: Option<String>,
    /// `true` for a mark at the beginning of CSV that says UTF-8, for Excel.
    #[param(value_type = Option<bool>)]
    bom: Option<String>,
    /// A ZIP with the table and files of the items: `original` (or `true`) for the original ones, which the column `file`
    /// names, `all` for those of every media use without derivatives, or media uses by name, URI or id with commas between
    /// them. Columns such as `file:Transcript` name the others. `false` for the table alone.
    #[param(value_type = Option<String>, example = "all")]
    files: Option<String>,
}

impl ExportQuery {
    /// The extension and the MIME type of the file.
    fn file_type(&self) -> Result<(&'static str, &'static str), ApiError> {
        let choices = FORMATS.map(|format| (format.0, format));
        let chosen = choice("format", self.format.as_ref(), &choices)?;
        Ok(chosen.unwrap_or(FORMATS[0]))
    }

    fn files(&self) -> ExportedFiles {
        match text(self.files.as_ref()) {
            None | Some("false") => ExportedFiles::Nothing,
            Some("true") => ExportedFiles::Original,
            Some(named) => ExportedFiles::parse(named),
        }
    }

    fn order(&self, items: NamedItems) -> Result<ExportOrder, ApiError> {
        let terms = choice("terms", self.terms.as_ref(), &TermNotation::ALL)?;
        let with_bom = choice("bom", self.bom.as_ref(), &WORDS)?.unwrap_or(false);
        let columns = text(self.columns.as_ref()).map(|names| {
            let names = names.split(',').map(|name| name.trim().to_owned());
            names.collect()
        });
        Ok(ExportOrder {
            source: source(items),
            columns,
            terms: terms.unwrap_or_default(),
            format: match self.file_type()? {
                ("xlsx", _) => TableFormat::Xlsx,
                _ => TableFormat::Csv { with_bom },
            },
            files: self.files(),
        })
    }
}

/// The items in the order of their ids, which never change.
fn source(items: NamedItems) -> ItemSource {
    match items {
        NamedItems::Ids(nids) => {
            let nids: BTreeSet<i64> = nids.into_iter().collect();
            let nids = nids.into_iter().map(|nid| (EntityKind::Node, nid));
            ItemSource::Ids(nids.collect())
        }
        NamedItems::List(list) => ExportOrder::list(list.filter),
    }
}

/// Items as a table
///
/// A row for each item that the actor may view, in the order of the ids. The items are those of a list, as in
/// `GET /api/v1/items` (its `sort` does not matter), of a saved search, or those of some ids. The notation is that of
/// Islandora Workbench. The table is made while it is sent; one that breaks off is not whole. A ZIP with files has a length
/// and an entity tag, and a download of it that broke off goes on by `Range` as long as nothing of it has changed.
#[utoipa::path(get, operation_id = "export_items", path = "/api/v1/export", tag = "lists", params(ItemsQuery, ChosenQuery, NamedItemsQuery, ExportQuery), responses(
    (status = 200, description = "The table, with its name in Content-Disposition", content(
        (String = "text/csv"), (values::Binary = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (values::Binary = "application/zip"))),
    (status = 206, description = "The requested range of a ZIP", content((values::Binary = "application/zip"))),
    (status = 304, description = "The ZIP is the one that If-None-Match names"),
    (status = 412, description = "The ZIP is not the one that If-Match names", body = Message),
    (status = 416, description = "The ZIP has no such bytes", body = Message),
    (status = 422, description = "XLSX cannot hold the table: too many items, or a cell of more than 32,767 letters", body = Message),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "The collection or the saved search does not exist, or is hidden from the actor", body = Message),
    (status = 503, description = "`q` or `chosen` is asked while there is no index of searches; the message says how far it is", body = Message),
))]
pub async fn export(
    context: RequestContext,
    method: Method,
    headers: HeaderMap,
    Parameters(list): Parameters<ItemsQuery>,
    Parameters(named): Parameters<NamedItemsQuery>,
    Parameters(query): Parameters<ExportQuery>,
    Parameters(all): Parameters<Vec<(String, String)>>,
) -> Result<Response, ApiError> {
    let items = named.items(&context, &list, &all).await?;
    let order = query.order(items)?;
    let actor = context.actor.clone();
    let export = Export::begin(&context.repository, &actor, order).await;
    let export = export.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    if !query.files().is_nothing() {
        let package = export.into_package().await;
        let package = package.map_err(|error| ApiError::from_refusal(&actor, error.into()))?;
        return Ok(zip(package, &method, &headers));
    }
    let mut bytes = export.into_stream(Arc::new(|_| {})).boxed();
    // What is refused before the first byte gets an answer of its own. Later, the answer breaks off.
    let first = bytes.next().await.transpose();
    let first = first.map_err(|error| ApiError::from_refusal(&actor, error.into()))?;
    let rest = bytes.inspect(log_failure);
    let body = Body::from_stream(iter(first.map(Ok)).chain(rest));
    let (extension, mime) = query.file_type()?;
    let headers = download_headers(&format!("items.{extension}"), mime);
    Ok((headers, body).into_response())
}

/// The table and the files, or the part of the ZIP that is asked for.
fn zip(package: Package, method: &Method, headers: &HeaderMap) -> Response {
    let whole = SelectedRepresentation {
        etag: format!("\"{}\"", package.version),
        // An item that has left makes another ZIP whose newest change is the same.
        changed: None,
        size: package.length,
    };
    let mut response = whole.answer(method, headers, |part| {
        let bytes = package.into_zip(part.start, Arc::new(|_| {}));
        let bytes = first_bytes(bytes.boxed(), part.end - part.start);
        Body::from_stream(bytes.inspect(log_failure))
    });
    if !response.status().is_client_error() {
        let more = download_headers("items.zip", "application/zip").into_iter();
        response.headers_mut().extend(more);
        // Browsers go on only with what they may keep.
        let caching = HeaderValue::from_static("private, no-cache");
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, caching);
    }
    response
}

fn log_failure(chunk: &Result<Bytes, ExportError>) {
    if let Err(error) = chunk {
        tracing::error!(%error, "an export broke off");
    }
}

/// So many bytes of a stream that has more.
fn first_bytes(
    bytes: BoxStream<'static, Result<Bytes, ExportError>>,
    wanted: u64,
) -> impl Stream<Item = Result<Bytes, ExportError>> + Send {
    try_unfold((bytes, wanted), async |(mut bytes, wanted)| {
        if wanted == 0 {
            return Ok(None);
        }
        let Some(mut chunk) = bytes.try_next().await? else {
            return Ok(None);
        };
        chunk.truncate(usize::try_from(wanted).unwrap_or(usize::MAX));
        let wanted = wanted - chunk.len() as u64;
        Ok(Some((chunk, (bytes, wanted))))
    })
}

/// The headers of a download that is made while it is sent.
pub(super) fn download_headers(name: &str, mime: &'static str) -> [(HeaderName, HeaderValue); 4] {
    let disposition = HeaderValue::from_str(&disposition::write(false, name));
    [
        (header::CONTENT_TYPE, HeaderValue::from_static(mime)),
        (
            header::CONTENT_DISPOSITION,
            disposition.unwrap_or(HeaderValue::from_static("attachment")),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ),
    ]
}
