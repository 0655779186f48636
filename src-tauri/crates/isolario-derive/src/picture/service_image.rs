//! Makes service images, and sets their size.

use std::io::Write;

use super::super::Derivative;
use super::super::refused::DeriveError;
use super::super::source::Source;
use super::{encode, made, picture};

/// Longest side of a service image, in pixels.
const LONGEST_SIDE: u32 = 4096;

/// Makes a service image: a large JPEG, on white where the picture is transparent.
pub(in super::super) fn service_image(
    source: &mut Source,
    target: &mut dyn Write,
) -> Result<Derivative, DeriveError> {
    let picture = picture(source, LONGEST_SIDE)?.on_white();
    encode::jpeg(&picture, target)?;
    Ok(made(picture.size(), "image/jpeg", "jpg"))
}
