//! `/api/v1/files/{fid}/tiles`: a large picture in tiles, at each size.

use std::io;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, id, not_found, path_id};
use super::request_context::RequestContext;
use super::visible_picture::{TILE_PATIENCE, visible_picture};
use crate::api::openapi::refusals::Message;
use crate::api::{ApiError, ErrorCode, binary, conditional};
use isolario_core::jobs::{Tiles, tiles};
use isolario_core::repository::Repository;
use isolario_iiif::Pyramid;
use isolario_model::policy::Actor;

/// Whether a picture can be viewed in tiles.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TilesState {
    Made,
    /// They are being made: ask again.
    Waiting,
    Refused,
}

/// The tiles of a picture.
#[derive(Debug, Serialize, ToSchema)]
pub struct PictureTiles {
    state: TilesState,
    /// Why there are none.
    reason: Option<String>,
    /// Pixels of the upright picture.
    width: Option<u32>,
    height: Option<u32>,
    /// Side of a tile, in pixels. Those at the right and at the bottom are smaller.
    side: Option<u32>,
    /// Address of a tile, with a ticket for those who have signed in. `{level}`, `{column}` and `{row}` are to be
    /// replaced. Level 0 has the size of the picture, each next one half of that before.
    url: Option<String>,
}

/// Which picture of a file.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TilesQuery {
    /// The picture as this media shows it, cropped and rotated. Without it, the picture as it is in the file.
    #[param(value_type = Option<i64>, minimum = 1)]
    media: Option<String>,
    /// A page of a TIFF or PDF, from 1 on. Without it, the first.
    #[param(value_type = Option<i64>, minimum = 1)]
    page: Option<String>,
}

/// A picture of a file, as a query names it.
struct FilePicture {
    fid: i64,
    mid: Option<i64>,
    page: Option<usize>,
}

impl FilePicture {
    fn of(fid: i64, query: &TilesQuery) -> Result<FilePicture, ApiError> {
        let page = id("page", query.page.as_ref())?;
        Ok(FilePicture {
            fid,
            mid: id("media", query.media.as_ref())?,
            page: page.map(|page| usize::try_from(page).unwrap_or(usize::MAX)),
        })
    }
}

/// Tiles of a picture
///
/// The first request begins to make them. It waits for some seconds, and answers `waiting` where they are not ready
/// then.
#[utoipa::path(get, operation_id = "read_tiles", path = "/api/v1/files/{fid}/tiles", tag = "derivatives",
    params(("fid" = i64, Path, description = "File id"), TilesQuery), responses(
    (status = 200, body = PictureTiles),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
    (status = 503, description = "The disk fails", body = Message),
))]
pub async fn one(
    context: RequestContext,
    Path(fid): Path<String>,
    Parameters(query): Parameters<TilesQuery>,
) -> Result<Json<PictureTiles>, ApiError> {
    let wanted = FilePicture::of(path_id("file", &fid)?, &query)?;
    let actor = context.actor.clone();
    let FilePicture { fid, mid, page } = wanted;
    let picture = visible_picture(&context.repository, actor, fid, mid, page).await?;
    let digest = picture.digest();
    let found = tiles(&context.repository, picture, TILE_PATIENCE).await;
    let mut answer = PictureTiles {
        state: TilesState::Waiting,
        reason: None,
        width: None,
        height: None,
        side: None,
        url: None,
    };
    match found.map_err(unreadable)? {
        Tiles::Waiting => {}
        Tiles::Refused(reason) => {
            answer.state = TilesState::Refused;
            answer.reason = Some(reason);
        }
        Tiles::Made(info) => {
            let layout: Pyramid = serde_json::from_slice(&info).map_err(unreadable)?;
            answer.state = TilesState::Made;
            answer.width = Some(layout.width);
            answer.height = Some(layout.height);
            answer.side = Some(layout.side);
            answer.url = Some(address(&context, &wanted, &digest));
        }
    }
    Ok(Json(answer))
}

/// One tile of a picture
#[utoipa::path(get, operation_id = "read_tile", path = "/api/v1/files/{fid}/tiles/{level}/{column}/{row}", tag = "derivatives",
    params(("fid" = i64, Path, description = "File id"), ("level" = u32, Path), ("column" = u32, Path), ("row" = u32, Path),
        TilesQuery, ("ticket" = Option<String>, Query, description = "As in the `url` of the tiles")), responses(
    (status = 200, description = "The tile", content_type = "image/jpeg", body = Vec<u8>),
    (status = 304, description = "The client has this tile"),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
    (status = 503, description = "The disk fails", body = Message),
))]
pub async fn tile(
    State(repository): State<Arc<Repository>>,
    Extension(actor): Extension<Actor>,
    Path((fid, level, column, row)): Path<(String, String, String, String)>,
    Parameters(query): Parameters<TilesQuery>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let fid = path_id("file", &fid)?;
    let viewer = binary::viewer(&repository, actor, || path_of(fid), uri.query())?;
    let FilePicture { mid, page, .. } = FilePicture::of(fid, &query)?;
    let digest = visible_picture(&repository, viewer, fid, mid, page)
        .await?
        .digest();
    let name = format!("{level}/{column}/{row}");
    let missing = || not_found("tile", format!("{name} of file {fid}"));
    let number = |text: &str| text.parse::<u32>().map_err(|_| missing());
    let place = (number(&level)?, number(&column)?, number(&row)?);
    let etag = format!("\"{}-{name}\"", shortened(&digest));
    let about = [
        (header::CONTENT_TYPE, "image/jpeg"),
        (header::CACHE_CONTROL, "private, no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, binary::SANDBOX),
        (header::ETAG, etag.as_str()),
    ];
    if conditional::is_known_to_client(&headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, about).into_response());
    }
    let bytes = repository.blobs.tile(&digest, place).await;
    let bytes = bytes.map_err(unreadable)?.ok_or_else(missing)?;
    Ok((about, bytes).into_response())
}

fn path_of(fid: i64) -> String {
    format!("/api/v1/files/{fid}/tiles")
}

/// Tiles of another picture have another address, so that no browser takes one for the other.
fn address(context: &RequestContext, wanted: &FilePicture, digest: &str) -> String {
    let path = path_of(wanted.fid);
    let mut url = format!(
        "{}/{{level}}/{{column}}/{{row}}?of={}",
        context.base.join(&path),
        shortened(digest)
    );
    if let Some(mid) = wanted.mid {
        url.push_str(&format!("&media={mid}"));
    }
    if let Some(page) = wanted.page {
        url.push_str(&format!("&page={page}"));
    }
    if !context.actor.is_anonymous() {
        let authenticator = &context.repository.authenticator;
        let ticket = authenticator.ticket(&context.actor, &path);
        url.push_str(&format!("&ticket={ticket}"));
    }
    url
}

fn shortened(digest: &str) -> &str {
    digest.get(..32).unwrap_or_default()
}

fn unreadable(error: impl Into<io::Error>) -> ApiError {
    let error = error.into();
    ApiError::new(
        ErrorCode::DiskFailed,
        format!("The tiles of this picture are not readable ({error})."),
    )
}
