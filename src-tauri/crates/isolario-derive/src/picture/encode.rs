//! Writes JPEG and PNG.

use std::io::{BufWriter, Write};

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};

use super::super::refused::DeriveError;
use super::colour::SrgbPicture;

/// Of 100. Above it, files grow faster than the eye can tell.
const QUALITY: u8 = 82;

/// Writes a picture without alpha as JPEG.
///
/// # Errors
/// The target fails.
pub(super) fn jpeg(picture: &SrgbPicture, target: &mut dyn Write) -> Result<(), DeriveError> {
    jpeg_of_quality(picture, QUALITY, target)
}

/// Writes a picture without alpha as JPEG of a quality, of 100. Each pixel has colours of its own.
///
/// # Errors
/// The target fails.
pub(super) fn jpeg_of_quality(
    picture: &SrgbPicture,
    quality: u8,
    target: &mut dyn Write,
) -> Result<(), DeriveError> {
    let mut target = BufWriter::new(target);
    let colour = match picture.channels {
        1 => ExtendedColorType::L8,
        _ => ExtendedColorType::Rgb8,
    };
    let mut encoder = JpegEncoder::new_with_quality(&mut target, quality);
    encoder
        .encode(&picture.bytes, picture.width, picture.height, colour)
        .map_err(DeriveError::not_written)?;
    target.flush().map_err(DeriveError::not_written)
}

/// Writes a picture as PNG.
///
/// # Errors
/// The target fails.
pub(super) fn png(picture: &SrgbPicture, target: &mut dyn Write) -> Result<(), DeriveError> {
    let mut target = BufWriter::new(target);
    let colour = match picture.channels {
        1 => ExtendedColorType::L8,
        2 => ExtendedColorType::La8,
        3 => ExtendedColorType::Rgb8,
        _ => ExtendedColorType::Rgba8,
    };
    PngEncoder::new_with_quality(&mut target, CompressionType::Default, FilterType::Adaptive)
        .write_image(&picture.bytes, picture.width, picture.height, colour)
        .map_err(DeriveError::not_written)?;
    target.flush().map_err(DeriveError::not_written)
}
