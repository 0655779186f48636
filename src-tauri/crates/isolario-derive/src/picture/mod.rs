//! Pictures: any format becomes a raster near the wanted size, that a picture in sRGB, that a JPEG or PNG.

mod bmp;
mod colour;
mod encode;
pub(super) mod exif;
mod fit;
mod format;
mod gif;
mod jpeg;
mod jpeg2000;
mod lab;
mod orientation;
mod png;
mod raster;
mod segments;
mod shrink;
pub(super) mod survey;
mod tiff;
mod webp;

use std::io::Write;

use serde_json::{Map, Value};

use self::colour::Coloured;
use self::format::Format;
use self::raster::Raster;
use super::Derivative;
use super::refused::DeriveError;
use super::source::Source;

/// Longest side of a thumbnail, in pixels.
const THUMBNAIL: u32 = 512;
/// Longest side of a service image, in pixels.
const SERVICE_IMAGE: u32 = 4096;

/// What a reader found: pixels, and how to look at them.
struct Picture {
    /// Not smaller than asked for, unless the file is.
    raster: Raster,
    /// ICC profile of the pixels.
    profile: Option<Vec<u8>>,
    /// Exif 2.32, 4.6.4.A `Orientation`: 1 is upright.
    orientation: u16,
}

/// A small picture: JPEG, or PNG where something of it is transparent.
pub(super) fn thumbnail(
    source: &mut Source,
    target: &mut dyn Write,
) -> Result<Derivative, DeriveError> {
    let picture = picture(source, THUMBNAIL)?;
    if picture.has_alpha() {
        encode::png(&picture, target)?;
        return Ok(made(&picture, "image/png", "png"));
    }
    encode::jpeg(&picture, target)?;
    Ok(made(&picture, "image/jpeg", "jpg"))
}

/// A large JPEG, on white where the picture is transparent.
pub(super) fn service_image(
    source: &mut Source,
    target: &mut dyn Write,
) -> Result<Derivative, DeriveError> {
    let picture = picture(source, SERVICE_IMAGE)?.on_white();
    encode::jpeg(&picture, target)?;
    Ok(made(&picture, "image/jpeg", "jpg"))
}

/// The picture of a file, upright, in sRGB, its longest side at most `longest`.
fn picture(source: &mut Source, longest: u32) -> Result<Coloured, DeriveError> {
    let format = Format::of(source)?;
    let picture = format.read(source, longest)?;
    let raster = fit::fit(picture.raster, longest)?;
    let coloured = colour::to_srgb(raster, picture.profile.as_deref())?;
    Ok(orientation::upright(coloured, picture.orientation))
}

fn made(picture: &Coloured, mime: &'static str, extension: &'static str) -> Derivative {
    let mut facts = Map::new();
    facts.insert("width".to_owned(), Value::from(picture.width));
    facts.insert("height".to_owned(), Value::from(picture.height));
    Derivative {
        mime,
        extension,
        facts,
    }
}
