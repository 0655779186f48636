//! WebP (RFC 9649): lossy and lossless; of an animation the first frame.

use std::io::{BufRead, Seek};

use image_webp::{DecodingError, WebPDecoder};

use super::super::refused::DeriveError;
use super::super::source::Source;
use super::exif_fields::ExifFields;
use super::orientation::UPRIGHT;
use super::properties::PictureProperties;
use super::raster::{ColourModel, Header, check_memory};
use super::{Picture, shrink};

/// For profiles and the like.
const BESIDE_THE_PICTURE: usize = 64 << 20;

/// Reads a picture.
pub(super) fn read(source: &mut Source, longest: u32) -> Result<Picture, DeriveError> {
    let mut decoder = WebPDecoder::new(source.rewound()?).map_err(refused)?;
    decoder.set_memory_limit(BESIDE_THE_PICTURE);
    let (width, height) = decoder.dimensions();
    let header = Header {
        width,
        height,
        colour_model: ColourModel::Rgb,
        alpha: decoder.has_alpha(),
        deep: false,
    };
    // The decoder holds about as much again.
    check_memory(header.check()?.bytes() * 2)?;
    let mut pixels = vec![0; header.bytes() as usize];
    decoder.read_image(&mut pixels).map_err(refused)?;
    let said = exif(&mut decoder);
    Ok(Picture {
        raster: shrink::all(header, &pixels, longest)?,
        profile: decoder.icc_profile().ok().flatten(),
        orientation: said.map_or(UPRIGHT, |exif| exif.orientation()),
    })
}

/// Its measures.
pub(super) fn read_properties(source: &mut Source) -> Result<PictureProperties, DeriveError> {
    let mut decoder = WebPDecoder::new(source.rewound()?).map_err(refused)?;
    decoder.set_memory_limit(BESIDE_THE_PICTURE);
    let (width, height) = decoder.dimensions();
    Ok(PictureProperties {
        width,
        height,
        colour_space: Some("RGB"),
        bit_depth: Some(8),
        alpha: Some(decoder.has_alpha()),
        pages: Some(decoder.num_frames() as usize).filter(|_| decoder.is_animated()),
        profile: decoder.icc_profile().is_ok_and(|profile| profile.is_some()),
        exif: exif(&mut decoder),
        xmp: decoder.xmp_metadata().ok().flatten(),
        ..PictureProperties::default()
    })
}

fn exif<R: BufRead + Seek>(decoder: &mut WebPDecoder<R>) -> Option<ExifFields> {
    let carried = decoder.exif_metadata().ok().flatten()?;
    ExifFields::of(&carried)
}

fn refused(error: DecodingError) -> DeriveError {
    match error {
        DecodingError::IoError(error) => DeriveError::not_read("picture", &error),
        error => DeriveError::damaged("picture", error),
    }
}
