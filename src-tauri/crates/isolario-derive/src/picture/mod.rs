//! Pictures. A reader decodes a file into a raster near the wanted size. The raster becomes a picture in sRGB, and this
//! becomes a JPEG or PNG.

mod bmp;
mod colour;
mod encode;
mod exif_fields;
mod fit;
pub(super) mod format;
mod gif;
mod jpeg;
mod jpeg2000;
mod lab;
mod orientation;
mod png;
pub(super) mod properties;
mod raster;
pub(super) mod raw;
mod segments;
pub(super) mod service_image;
mod shrink;
pub(super) mod thumbnail;
mod tiff;
mod tiff_directory;
pub(super) mod tiles;
mod webp;

use serde_json::{Map, Value};

use self::colour::SrgbPicture;
use self::format::Format;
use self::raster::Raster;
use super::Derivative;
use super::refused::DeriveError;
use super::source::Source;

/// The pixels of a file, with their colour profile and orientation.
struct Picture {
    /// At least as large as the wanted size, unless the file is smaller.
    raster: Raster,
    /// ICC profile of the pixels.
    profile: Option<Vec<u8>>,
    /// Exif 2.32, 4.6.4.A `Orientation`: 1 is upright.
    orientation: u16,
}

/// The picture of a file, upright, in sRGB, its longest side at most `longest`.
fn picture(source: &mut Source, longest: u32) -> Result<SrgbPicture, DeriveError> {
    let format = Format::of(source)?;
    let picture = format.read(source, longest)?;
    let raster = fit::fit(picture.raster, longest)?;
    let coloured = colour::to_srgb(raster, picture.profile.as_deref())?;
    Ok(orientation::upright(coloured, picture.orientation))
}

fn made(picture: &SrgbPicture, mime: &'static str, extension: &'static str) -> Derivative {
    let mut facts = Map::new();
    facts.insert("width".to_owned(), Value::from(picture.width));
    facts.insert("height".to_owned(), Value::from(picture.height));
    Derivative {
        mime,
        extension,
        facts,
    }
}
