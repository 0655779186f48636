//! Selects the picture that lists show for an item.

use super::media::{MediaFile, MediaRow};
use isolario_model::content::TermRole;

/// Pictures that every browser shows. SVG can carry scripts and is not among them.
const SHOWN: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// Whether a browser can be trusted to show bytes of this MIME type as a picture.
pub fn is_picture(mime: &str) -> bool {
    SHOWN.contains(&mime)
}

/// Bytes and pixels up to which a list shows what is not a thumbnail.
const SMALL: (i64, i64) = (1 << 20, 20_000_000);

/// Whether a file is small enough for a list. The original of one item may be larger than all thumbnails together.
fn is_small(file: &MediaFile) -> bool {
    let (bytes, pixels) = SMALL;
    let measured = file.width.zip(file.height);
    file.size <= bytes
        && measured.is_none_or(|(width, height)| width.saturating_mul(height) <= pixels)
}

/// The picture of an item: its thumbnail, otherwise its service file, otherwise its original file. Only the thumbnail
/// may be large.
pub fn picture_of(media: &[MediaRow]) -> Option<(&MediaRow, &MediaFile)> {
    const ROLES: [TermRole; 3] = [
        TermRole::ThumbnailImage,
        TermRole::ServiceFile,
        TermRole::OriginalFile,
    ];
    ROLES.into_iter().find_map(|role| {
        media
            .iter()
            .filter(|row| row.has_use(role))
            .filter_map(|row| Some((row, row.file.as_ref()?)))
            .find(|(_, file)| {
                is_picture(&file.mime) && (role == TermRole::ThumbnailImage || is_small(file))
            })
    })
}

/// The original file of an item.
pub fn original_of(media: &[MediaRow]) -> Option<&MediaFile> {
    media
        .iter()
        .filter(|row| row.has_use(TermRole::OriginalFile))
        .find_map(|row| row.file.as_ref())
}
