//! The picture of a file for somebody who may have its bytes.

use std::time::Duration;

use super::parameters::not_found;
use crate::api::ApiError;
use isolario_core::actions::view_entity::{may_view, may_view_file};
use isolario_core::jobs::TiledPicture;
use isolario_core::repository::Repository;
use isolario_db::Read;
use isolario_model::content::EntityKind;
use isolario_model::policy::Actor;

/// The longest time that a request waits for tiles.
pub const TILE_PATIENCE: Duration = Duration::from_secs(10);

/// The picture of a file, or of one of its pages, as a media shows it.
///
/// # Errors
/// 404 for a file or media that is not there, or hidden from the viewer.
pub async fn visible_picture(
    repository: &Repository,
    viewer: Actor,
    fid: i64,
    mid: Option<i64>,
    page: Option<usize>,
) -> Result<TiledPicture, ApiError> {
    let find = move |read: &Read<'_>| -> Result<_, ApiError> {
        let file = match read.file(fid)? {
            Some(file) if may_view_file(read, &viewer, &file)? => file,
            _ => return Err(not_found("file", fid)),
        };
        let adjustment = match mid {
            None => None,
            Some(mid) => match read.entity(EntityKind::Media, mid)? {
                Some(media) if may_view(read, &viewer, &media)? => {
                    media.picture_adjustment(&file.sha512)
                }
                _ => return Err(not_found("media", mid)),
            },
        };
        Ok(TiledPicture {
            file,
            adjustment,
            page,
        })
    };
    repository.db.read(find).await
}
