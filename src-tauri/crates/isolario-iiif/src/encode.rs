//! Writes the formats of answers.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use image_webp::{ColorType, WebPEncoder};

use crate::image_request::Format;
use crate::planes::{Planes, RenderError};

/// Of 100: what is viewed pixel by pixel shows more than what is viewed as a whole.
const QUALITY: u8 = 88;

/// The bytes of a file. JPEG has white where nothing is.
pub(crate) fn encode(planes: Planes, format: Format) -> Result<Vec<u8>, RenderError> {
    let (width, height) = (planes.width, planes.height);
    let alpha = planes.alpha.as_deref().filter(|_| format != Format::Jpeg);
    let pixels = interleaved(&planes.channels, alpha);
    let mut bytes = Vec::new();
    match format {
        Format::Jpeg => JpegEncoder::new_with_quality(&mut bytes, QUALITY)
            .encode(&pixels, width, height, colour(planes.channels.len(), false))
            .map_err(RenderError::image)?,
        Format::Png => {
            PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive)
                .write_image(
                    &pixels,
                    width,
                    height,
                    colour(planes.channels.len(), alpha.is_some()),
                )
                .map_err(RenderError::image)?;
        }
        Format::Webp => {
            let colour = match (planes.channels.len(), alpha) {
                (1, None) => ColorType::L8,
                (1, Some(_)) => ColorType::La8,
                (_, None) => ColorType::Rgb8,
                (_, Some(_)) => ColorType::Rgba8,
            };
            WebPEncoder::new(&mut bytes)
                .encode(&pixels, width, height, colour)
                .map_err(RenderError::image)?;
        }
    }
    Ok(bytes)
}

fn colour(channels: usize, alpha: bool) -> ExtendedColorType {
    match (channels, alpha) {
        (1, false) => ExtendedColorType::L8,
        (1, true) => ExtendedColorType::La8,
        (_, false) => ExtendedColorType::Rgb8,
        (_, true) => ExtendedColorType::Rgba8,
    }
}

/// The samples of a pixel together.
fn interleaved(channels: &[Vec<u8>], alpha: Option<&[u8]>) -> Vec<u8> {
    let planes: Vec<&[u8]> = channels.iter().map(Vec::as_slice).chain(alpha).collect();
    let pixels = planes.first().map_or(0, |plane| plane.len());
    let mut bytes = vec![0; pixels * planes.len()];
    for (channel, plane) in planes.iter().enumerate() {
        let places = bytes.iter_mut().skip(channel).step_by(planes.len());
        for (target, sample) in places.zip(*plane) {
            *target = *sample;
        }
    }
    bytes
}
