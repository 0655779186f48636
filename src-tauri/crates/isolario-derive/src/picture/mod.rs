//! Pictures. A reader decodes a file into a raster near the wanted size. The raster becomes a picture in sRGB, and this
//! becomes a JPEG or PNG.

mod bmp;
mod colour;
mod crop;
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
mod pyramid;
mod raster;
pub(super) mod raw;
mod row_sink;
mod segments;
pub(super) mod service_image;
mod shrink;
pub(super) mod thumbnail;
mod tiff;
mod tiff_directory;
mod tiff_entry;
pub(super) mod tiff_page;
pub(super) mod tiles;
mod webp;

use serde_json::{Map, Value};

use self::colour::SrgbPicture;
use self::crop::Crop;
use self::format::Format;
use self::orientation::QUARTER_TURNS;
use self::raster::Raster;
use super::Derivative;
use super::adjustment::{Adjustment, Region};
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

/// The picture of a file, upright and adjusted, in sRGB, its longest side at most `longest`.
fn picture(source: &mut Source, longest: u32) -> Result<SrgbPicture, DeriveError> {
    let format = Format::of(source)?;
    let adjustment = source.adjustment();
    if adjustment != Adjustment::default() && !format.is_picture() {
        return Err(DeriveError::unreadable(
            "Only pictures are cropped and rotated.",
        ));
    }
    let picture = match adjustment.crop {
        None => format.read(source, longest)?,
        Some(region) => read_region(source, format, region, longest)?,
    };
    let raster = fit::fit(picture.raster, longest)?;
    let coloured = colour::to_srgb(raster, picture.profile.as_deref())?;
    let upright = orientation::upright(coloured, picture.orientation);
    let turns = usize::from(adjustment.quarter_turns % 4);
    Ok(orientation::upright(upright, QUARTER_TURNS[turns]))
}

/// A region of the picture of a file, its longest side not much longer than `longest`.
fn read_region(
    source: &mut Source,
    format: Format,
    region: Region,
    longest: u32,
) -> Result<Picture, DeriveError> {
    let crop = Crop::of(source, region)?;
    let wanted = crop.longest_of_whole(longest);
    let whole = match format.read(source, wanted) {
        // What takes too much memory at that size may be read smaller.
        Err(_) if wanted > longest => format.read(source, longest)?,
        read => read?,
    };
    crop.cut(whole)
}

fn made((width, height): (u32, u32), mime: &'static str, extension: &'static str) -> Derivative {
    let mut facts = Map::new();
    facts.insert("width".to_owned(), Value::from(width));
    facts.insert("height".to_owned(), Value::from(height));
    Derivative {
        mime,
        extension,
        facts,
    }
}
