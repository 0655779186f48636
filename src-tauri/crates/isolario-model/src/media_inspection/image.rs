//! Images: their dimensions.

use imagesize::ImageType;

use super::{Bytes, Facts, MediaType};

/// Media whose source is a picture.
pub(super) struct ImageMedia;

impl MediaType for ImageMedia {
    fn source(&self) -> &'static str {
        "image"
    }

    fn inspect(&self, bytes: &mut dyn Bytes) -> Facts {
        dimensions(bytes).unwrap_or_default()
    }
}

fn dimensions(mut bytes: &mut dyn Bytes) -> Option<Facts> {
    let kind = imagesize::reader_type(&mut bytes).ok()?;
    is_picture(kind).then(|| dimensions_of(kind, bytes))?
}

/// MIME type and dimensions of a picture that stands still and that any browser shows.
pub(super) fn web_picture(mut bytes: &mut dyn Bytes) -> Option<(&'static str, Facts)> {
    let kind = imagesize::reader_type(&mut bytes).ok()?;
    let mime = match kind {
        ImageType::Png => "image/png",
        ImageType::Jpeg => "image/jpeg",
        ImageType::Webp => "image/webp",
        _ => return None,
    };
    Some((mime, dimensions_of(kind, bytes)?))
}

fn dimensions_of(kind: ImageType, mut bytes: &mut dyn Bytes) -> Option<Facts> {
    let size = kind.reader_size(&mut bytes).ok()?;
    Some(Facts {
        width: Some(u32::try_from(size.width).ok()?),
        height: Some(u32::try_from(size.height).ok()?),
    })
}

/// Formats with a signature that nothing else has; guesses would give plain text dimensions.
fn is_picture(kind: ImageType) -> bool {
    matches!(
        kind,
        ImageType::Png
            | ImageType::Gif
            | ImageType::Jpeg
            | ImageType::Webp
            | ImageType::Tiff
            | ImageType::Heif(_)
            | ImageType::Jxl
            | ImageType::Psd
            | ImageType::Bmp
    )
}
