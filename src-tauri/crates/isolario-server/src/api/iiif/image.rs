//! The IIIF Image API, versions 3.0 and 2.1.1, at level 2: `/iiif/image/{image_version}/{id}`. The id is that of a file, or that
//! of a file and the number of a page with a colon between them.

use std::io;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::super::base_url::BaseUrl;
use super::super::openapi::refusals::Message;
use super::super::v1::visible_picture::{TILE_PATIENCE, visible_picture};
use super::super::{ApiError, ErrorCode, binary, conditional};
use super::authorization;
use super::image_id::ImageId;
use isolario_core::jobs::{Tiles, tiles};
use isolario_core::repository::Repository;
use isolario_iiif::{ImageInformation, ImageRequest, Pyramid, Rendition, Version};
use isolario_model::policy::Actor;

/// Who asks, where, and which headers came.
type Parts = (
    State<Arc<Repository>>,
    Extension<Actor>,
    Extension<BaseUrl>,
    HeaderMap,
);

/// The information document of an image
///
/// It says how large the image is, in which sizes and tiles it is quick to have, and what may be asked for.
#[utoipa::path(get, operation_id = "read_image_information", path = "/iiif/image/{image_version}/{id}/info.json", tag = "iiif",
    params(("image_version" = String, Path, description = "2 or 3"),
        ("id" = String, Path, description = "File id, or file id and page: `12`, `12:3`")), responses(
    (status = 200, description = "The document of that version", 
        content((Object = "application/json"), (Object = "application/ld+json"))),
    (status = 404, description = "It does not exist, is hidden from the actor, or is no picture", body = Message),
    (status = 503, description = "Its tiles are being made, or the disk fails", body = Message),
))]
pub async fn information(
    (State(repository), Extension(actor), Extension(base), headers): Parts,
    Path((version, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let id = ImageId::of(&version, &id)?;
    let (_, image) = pyramid(&repository, actor, &id).await?;
    let everybody = repository.authenticator.anonymous()?;
    let is_public = visible_picture(&repository, everybody, id.fid, None, id.page).await;
    let about = ImageInformation {
        id: id.address(&base),
        services: match is_public {
            Ok(_) => Vec::new(),
            Err(_) => authorization::services(&base, &id.name()),
        },
        ..ImageInformation::default()
    };
    let document = isolario_iiif::image_information(id.version, &about, &image);
    let linked = headers.get_all(header::ACCEPT).iter();
    let linked = linked.filter_map(|accept| accept.to_str().ok());
    let mime = match linked
        .into_iter()
        .any(|accept| accept.contains("application/ld+json"))
    {
        true => format!("application/ld+json;profile=\"{}\"", id.version.context()),
        false => "application/json".to_owned(),
    };
    let about = [
        (header::CONTENT_TYPE, mime),
        (header::LINK, profile_link(id.version)),
    ];
    Ok((about, document.to_string()).into_response())
}

/// The address of an image leads to its information document
#[utoipa::path(get, operation_id = "find_image_information", path = "/iiif/image/{image_version}/{id}", tag = "iiif",
    params(("image_version" = String, Path, description = "2 or 3"),
        ("id" = String, Path, description = "File id, or file id and page")), responses(
    (status = 303, description = "See info.json"),
    (status = 404, description = "It is no address of an image", body = Message),
))]
pub async fn redirect(
    Extension(base): Extension<BaseUrl>,
    Path((version, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let address = format!("{}/info.json", ImageId::of(&version, &id)?.address(&base));
    let location = [(header::LOCATION, address.clone())];
    Ok((StatusCode::SEE_OTHER, location, address).into_response())
}

/// An image, or a part of it
#[utoipa::path(get, operation_id = "read_image", path = "/iiif/image/{image_version}/{id}/{region}/{size}/{rotation}/{quality}",
    tag = "iiif", params(("image_version" = String, Path, description = "2 or 3"),
        ("id" = String, Path, description = "File id, or file id and page"),
        ("region" = String, Path, description = "full, square, x,y,w,h or pct:x,y,w,h"),
        ("size" = String, Path, description = "max, w,  ,h  pct:n  w,h or !w,h; in version 3 with ^ to enlarge"),
        ("rotation" = String, Path, description = "Degrees, with ! before them to mirror"),
        ("quality" = String, Path, description = "Quality and format: default.jpg, gray.png, bitonal.webp")), responses(
    (status = 200, description = "The image",
        content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"), (Vec<u8> = "image/webp"))),
    (status = 304, description = "The client has this image"),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "It does not exist, is hidden from the actor, or is no picture", body = Message),
    (status = 503, description = "Its tiles are being made, or the disk fails", body = Message),
))]
pub async fn read(
    (State(repository), Extension(actor), Extension(base), headers): Parts,
    Path([version, id, region, size, rotation, file]): Path<[String; 6]>,
) -> Result<Response, ApiError> {
    let id = ImageId::of(&version, &id)?;
    let asked = ImageRequest::parse(id.version, [&region, &size, &rotation, &file]);
    let asked = asked.map_err(|error| ApiError::bad_request(error.0))?;
    let (digest, image) = pyramid(&repository, actor, &id).await?;
    let rendition = Rendition::of(&asked, &image);
    let rendition = rendition.map_err(|error| ApiError::bad_request(error.0))?;
    let canonical = rendition.canonical();
    let link = format!(
        "<{}/{canonical}>; rel=\"canonical\", {}",
        id.address(&base),
        profile_link(id.version)
    );
    let etag = format!("\"{}-{canonical}\"", digest.get(..32).unwrap_or_default());
    let about = [
        (header::CONTENT_TYPE, rendition.format.mime()),
        (header::CACHE_CONTROL, "private, no-cache"),
        (header::CONTENT_SECURITY_POLICY, binary::SANDBOX),
        (header::ETAG, etag.as_str()),
        (header::LINK, link.as_str()),
    ];
    if conditional::is_known_to_client(&headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, about).into_response());
    }
    let turn = repository.tile_jobs.renditions.acquire().await;
    let _turn = turn.map_err(|error| unreadable(io::Error::other(error)))?;
    let made = repository.blobs.with_tiles(&digest, move |archive| {
        let mut read_tile = |level, column, row| -> io::Result<Vec<u8>> {
            let tile = archive.tile(level, column, row)?;
            tile.map(Into::into)
                .ok_or_else(|| io::ErrorKind::NotFound.into())
        };
        isolario_iiif::render(&image, &mut read_tile, &rendition)
    });
    let made = made.await.map_err(unreadable)?.ok_or_else(not_yet)?;
    let bytes = made.map_err(|error| unreadable(io::Error::other(error)))?;
    Ok((about, bytes).into_response())
}

/// The tiles of an image, which are made where there are none: the digest that they are kept by, and their measures.
async fn pyramid(
    repository: &Arc<Repository>,
    actor: Actor,
    id: &ImageId,
) -> Result<(String, Pyramid), ApiError> {
    let picture = visible_picture(repository, actor, id.fid, None, id.page).await?;
    let digest = picture.digest();
    let found = tiles(repository, picture, TILE_PATIENCE).await;
    match found.map_err(unreadable)? {
        Tiles::Made(info) => {
            let image = serde_json::from_slice(&info).map_err(io::Error::from);
            Ok((digest, image.map_err(unreadable)?))
        }
        Tiles::Waiting => Err(not_yet()),
        Tiles::Refused(reason) => Err(ApiError::new(ErrorCode::NotFound, reason)),
    }
}

fn profile_link(version: Version) -> String {
    format!("<{}>; rel=\"profile\"", version.profile())
}

fn not_yet() -> ApiError {
    let words = "The tiles of this picture are being made. Ask again in a few seconds.";
    ApiError::new(ErrorCode::Busy, words).with(header::RETRY_AFTER, "5")
}

fn unreadable(error: io::Error) -> ApiError {
    ApiError::new(
        ErrorCode::DiskFailed,
        format!("The tiles of this picture are not readable ({error})."),
    )
}
