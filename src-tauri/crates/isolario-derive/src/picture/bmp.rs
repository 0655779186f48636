//! Windows bitmaps, all versions.

use std::io::ErrorKind::UnexpectedEof;

use image::codecs::bmp::BmpDecoder;
use image::{ColorType, ImageDecoder, ImageError};

use super::super::refused::DeriveError;
use super::super::source::Source;
use super::orientation::UPRIGHT;
use super::properties::PictureProperties;
use super::raster::{ColourModel, Header, check_memory};
use super::{Picture, shrink};

/// Reads a picture.
pub(super) fn read(source: &mut Source, longest: u32) -> Result<Picture, DeriveError> {
    let mut decoder = BmpDecoder::new(source.rewound()?).map_err(refused)?;
    let (width, height) = decoder.dimensions();
    let (colour_model, alpha) = match decoder.color_type() {
        ColorType::L8 => (ColourModel::Gray, false),
        ColorType::Rgb8 => (ColourModel::Rgb, false),
        ColorType::Rgba8 => (ColourModel::Rgb, true),
        _ => {
            return Err(DeriveError::unreadable(
                "The picture is a bitmap of a rare kind.",
            ));
        }
    };
    let header = Header {
        width,
        height,
        colour_model,
        alpha,
        deep: false,
    };
    check_memory(header.check()?.bytes())?;
    let profile = decoder.icc_profile().ok().flatten();
    let mut pixels = vec![0; header.bytes() as usize];
    decoder.read_image(&mut pixels).map_err(refused)?;
    Ok(Picture {
        raster: shrink::all(header, &pixels, longest)?,
        profile,
        orientation: UPRIGHT,
    })
}

/// Its measures.
pub(super) fn read_properties(source: &mut Source) -> Result<PictureProperties, DeriveError> {
    let mut decoder = BmpDecoder::new(source.rewound()?).map_err(refused)?;
    let (width, height) = decoder.dimensions();
    Ok(PictureProperties {
        width,
        height,
        colour_space: Some("RGB"),
        bit_depth: Some(8),
        alpha: Some(decoder.color_type().has_alpha()),
        profile: decoder.icc_profile().is_ok_and(|profile| profile.is_some()),
        ..PictureProperties::default()
    })
}

fn refused(error: ImageError) -> DeriveError {
    match error {
        ImageError::IoError(error) if error.kind() == UnexpectedEof => {
            DeriveError::truncated("picture")
        }
        ImageError::IoError(error) => DeriveError::not_read("picture", &error),
        error => DeriveError::damaged("picture", error),
    }
}
