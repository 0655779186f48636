//! Which media shows what an item looks like.

use super::media::{MediaFile, MediaRow};
use super::place::{ORIGINAL_FILE_URI, SERVICE_FILE_URI, THUMBNAIL_URI};

/// Pictures that every browser shows. SVG can carry scripts and is not among them.
const SHOWN: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// Whether a browser can be trusted to show bytes of this MIME type as a picture.
pub fn is_picture(mime: &str) -> bool {
    SHOWN.contains(&mime)
}

/// The media to show for an item: its thumbnail, else its service file, else its original file.
pub fn picture_of(media: &[MediaRow]) -> Option<(&MediaRow, &MediaFile)> {
    [THUMBNAIL_URI, SERVICE_FILE_URI, ORIGINAL_FILE_URI]
        .iter()
        .find_map(|uri| {
            media
                .iter()
                .filter(|row| row.has_use(uri))
                .filter_map(|row| Some((row, row.file.as_ref()?)))
                .find(|(_, file)| is_picture(&file.mime))
        })
}

/// The original file of an item.
pub fn original_of(media: &[MediaRow]) -> Option<&MediaFile> {
    media
        .iter()
        .filter(|row| row.has_use(ORIGINAL_FILE_URI))
        .find_map(|row| row.file.as_ref())
}
