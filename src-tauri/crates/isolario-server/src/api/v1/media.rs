//! `/api/v1/media`: all media, the newest first.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, after, id, limit, text};
use super::request_context::{RequestContext, ViewerSnapshot};
use super::responses::Media;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_db::{DbError, MEDIA_ORDER, MediaRow};
use isolario_model::content::FileUri;
use isolario_model::content::file_url;

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MediaQuery {
    /// Only this one.
    #[param(value_type = Option<i64>, minimum = 1)]
    mid: Option<String>,
    /// Only those that hold the file of this URI (`public://…`) or public address, as a path or whole.
    #[param(example = "/sites/default/files/a.png")]
    address: Option<String>,
    /// `next` of the previous page.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// One page of media.
#[derive(Debug, Serialize, ToSchema)]
pub struct MediaList {
    media: Vec<Media>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    /// Counted up to 10,000.
    total: i64,
    /// False where there are more than `total`.
    total_is_exact: bool,
}

/// All media, the newest first
#[utoipa::path(get, operation_id = "list_media", path = "/api/v1/media", tag = "lists", params(MediaQuery), responses(
    (status = 200, body = MediaList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<MediaQuery>,
) -> Result<Json<MediaList>, ApiError> {
    let after = after(query.after.as_ref(), &[MEDIA_ORDER])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    if let Some(mid) = id("mid", query.mid.as_ref())? {
        return few(context, move |snapshot| {
            let row = snapshot
                .read
                .one_media(snapshot.model(), mid, &snapshot.viewer)?;
            Ok(row.into_iter().collect())
        })
        .await;
    }
    if let Some(address) = text(query.address.as_ref()) {
        return holding(context, address).await;
    }
    context
        .read(move |snapshot| {
            let read = snapshot.read;
            let page =
                read.media_page(snapshot.model(), &snapshot.viewer, after.as_ref(), limit)?;
            let media = page.rows.into_iter().map(|row| snapshot.media(row));
            Ok(Json(MediaList {
                media: media.collect::<Result<_, _>>()?,
                next: page.next.map(|cursor| cursor.encode()),
                total: page.total.count,
                total_is_exact: page.total.is_exact,
            }))
        })
        .await
}

/// The media that hold the file at an address; none where nobody can say which file that is.
async fn holding(context: RequestContext, at: &str) -> Result<Json<MediaList>, ApiError> {
    let uri = file_at(at).or_else(|| context.repository.blobs.parse_uri(at).ok());
    few(context, move |snapshot| match uri {
        Some(uri) => snapshot
            .read
            .media_of_file(snapshot.model(), &uri, &snapshot.viewer),
        None => Ok(Vec::new()),
    })
    .await
}

/// A list that one page holds.
async fn few<F>(context: RequestContext, rows: F) -> Result<Json<MediaList>, ApiError>
where
    F: FnOnce(&ViewerSnapshot<'_>) -> Result<Vec<MediaRow>, DbError> + Send + 'static,
{
    context
        .read(move |snapshot| {
            let rows = rows(snapshot)?;
            let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
            let media = rows.into_iter().map(|row| snapshot.media(row));
            Ok(Json(MediaList {
                media: media.collect::<Result<_, _>>()?,
                next: None,
                total,
                total_is_exact: true,
            }))
        })
        .await
}

/// The file that an address is about, whatever host and query it names.
fn file_at(at: &str) -> Option<FileUri> {
    let path = match at.split_once("://") {
        Some(("http" | "https", rest)) => &rest[rest.find('/')?..],
        _ => at,
    };
    file_url::uri_of(path.split(['?', '#']).next()?)
}
