//! Makes thumbnails, and sets their size.

use std::io::Write;

use super::super::Derivative;
use super::super::refused::DeriveError;
use super::super::source::Source;
use super::{encode, made, picture};

/// Longest side of a thumbnail, in pixels.
const LONGEST_SIDE: u32 = 512;

/// Makes a thumbnail: JPEG, or PNG where the picture has transparent parts.
pub(in super::super) fn thumbnail(
    source: &mut Source,
    target: &mut dyn Write,
) -> Result<Derivative, DeriveError> {
    let picture = picture(source, LONGEST_SIDE)?;
    if picture.has_alpha() {
        encode::png(&picture, target)?;
        return Ok(made(picture.size(), "image/png", "png"));
    }
    encode::jpeg(&picture, target)?;
    Ok(made(picture.size(), "image/jpeg", "jpg"))
}
