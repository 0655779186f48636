//! JPEG 2000 (ITU-T T.800): JP2 files and bare codestreams, at the resolution that is nearest to the wanted one.

mod codestream;
mod tile_rows;

use hayro_jpeg2000::{ColorSpace, DecodeSettings, DecodedImage, DecoderContext, Image};

pub(super) use self::tile_rows::{push_rows, row_source};

use super::super::refused::DeriveError;
use super::super::source::Source;
use super::orientation::UPRIGHT;
use super::properties::PictureProperties;
use super::raster::{ColourModel, Header, check_memory};
use super::{Picture, shrink};

/// The file is held as a whole.
const LARGEST: u64 = 512 << 20;
/// The decoder works with samples of four bytes, and holds coefficients beside them.
const BYTES_OF_A_SAMPLE: u64 = 8;

/// Reads a picture.
pub(super) fn read(source: &mut Source, longest: u32) -> Result<Picture, DeriveError> {
    let bytes = source.whole(LARGEST)?;
    let whole = DecodeSettings::default();
    let full = Image::new(&bytes, &whole).map_err(refused)?;
    let (width, height) = (u64::from(full.width()), u64::from(full.height()));
    let side = width.max(height).max(1);
    let wanted = u64::from(longest).min(side);
    let at = |length: u64| (length * wanted).div_ceil(side).max(1) as u32;
    let settings = DecodeSettings {
        target_resolution: Some((at(width), at(height))),
        ..whole
    };
    let image = Image::new(&bytes, &settings).map_err(refused)?;
    let mut header = header(&image)?.check()?;
    let samples = header.bytes();
    check_memory(bytes.len() as u64 + samples * BYTES_OF_A_SAMPLE)?;
    let mut context = DecoderContext::default();
    let decoded = image.decode(&mut context).map_err(refused)?;
    let pixels = pixels(&mut header, &decoded)?;
    Ok(Picture {
        raster: shrink::all(header, &pixels, longest)?,
        profile: profile(&image),
        orientation: UPRIGHT,
    })
}

/// The samples of a picture, 8 bits each; ink with alpha loses the alpha.
fn pixels(header: &mut Header, decoded: &DecodedImage<'_>) -> Result<Vec<u8>, DeriveError> {
    if decoded.components().len() < header.channels() {
        return Err(DeriveError::damaged("picture", "a channel is missing"));
    }
    let pixels = decoded.data_u8();
    if pixels.len() as u64 != header.bytes() {
        return Err(DeriveError::damaged(
            "picture",
            "its channels differ in size",
        ));
    }
    if !is_of_inks(header) || !header.alpha {
        return Ok(pixels);
    }
    header.alpha = false;
    let inks = pixels.chunks_exact(5).flat_map(|pixel| &pixel[..4]);
    Ok(inks.copied().collect())
}

fn is_of_inks(header: &Header) -> bool {
    header.colour_model == ColourModel::Cmyk
}

fn profile(image: &Image<'_>) -> Option<Vec<u8>> {
    match image.color_space() {
        ColorSpace::Icc { profile, .. } => Some(profile.clone()),
        _ => None,
    }
}

fn header(image: &Image<'_>) -> Result<Header, DeriveError> {
    let colour_model = match image.color_space().num_channels() {
        1 => ColourModel::Gray,
        3 => ColourModel::Rgb,
        4 => ColourModel::Cmyk,
        channels => {
            return Err(DeriveError::unreadable(format!(
                "The picture has {channels} channels, which cannot be read here."
            )));
        }
    };
    Ok(Header {
        width: image.width(),
        height: image.height(),
        colour_model,
        alpha: image.has_alpha(),
        deep: false,
    })
}

/// Its measures.
pub(super) fn read_properties(source: &mut Source) -> Result<PictureProperties, DeriveError> {
    let bytes = source.whole(LARGEST)?;
    let image = Image::new(&bytes, &DecodeSettings::default()).map_err(refused)?;
    Ok(PictureProperties {
        width: image.width(),
        height: image.height(),
        colour_space: match image.color_space().num_channels() {
            1 => Some("grey"),
            3 => Some("RGB"),
            4 => Some("CMYK"),
            _ => None,
        },
        bit_depth: Some(u32::from(image.original_bit_depth())),
        alpha: Some(image.has_alpha()),
        profile: matches!(image.color_space(), ColorSpace::Icc { .. }),
        ..PictureProperties::default()
    })
}

fn refused(error: impl std::fmt::Display) -> DeriveError {
    DeriveError::damaged("picture", error)
}
