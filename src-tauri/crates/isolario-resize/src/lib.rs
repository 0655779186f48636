//! Resizes channels of pictures. The code of the resizer is generated where it is called, for each kind of processor and
//! of sample: a quarter of a crate that calls it. So those who resize call this crate, which has no generic function.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8, U16};
use fast_image_resize::{PixelTrait, ResizeAlg, ResizeOptions, Resizer};

pub use fast_image_resize::FilterType;

/// One channel of a picture, its samples row after row.
#[derive(Debug, Clone, Copy)]
pub struct Channel<'a, Sample> {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    pub samples: &'a [Sample],
}

/// What a channel becomes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// The part of the channel that it shows: left, top, width and height in pixels, which may have fractions. The whole
    /// channel without it.
    pub part: Option<[f64; 4]>,
    pub filter: FilterType,
}

/// A channel has fewer samples than its sides say, or the part lies outside.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ResizeError(String);

/// A channel of 8 bits at another size.
///
/// # Errors
/// The channel is incomplete, or the part lies outside.
pub fn resize_8(channel: Channel<'_, u8>, target: &Target) -> Result<Vec<u8>, ResizeError> {
    let view = TypedImageRef::<U8>::from_buffer(channel.width, channel.height, channel.samples);
    let resized = resize(&view.map_err(refused)?, target)?;
    Ok(resized.pixels().iter().map(|pixel| pixel.0).collect())
}

/// A channel of 16 bits at another size.
///
/// # Errors
/// The channel is incomplete, or the part lies outside.
pub fn resize_16(channel: Channel<'_, u16>, target: &Target) -> Result<Vec<u16>, ResizeError> {
    let pixels: Vec<U16> = channel.samples.iter().copied().map(U16::new).collect();
    let view = TypedImageRef::new(channel.width, channel.height, &pixels);
    let resized = resize(&view.map_err(refused)?, target)?;
    Ok(resized.pixels().iter().map(|pixel| pixel.0).collect())
}

fn resize<P: PixelTrait>(
    view: &TypedImageRef<'_, P>,
    target: &Target,
) -> Result<TypedImage<'static, P>, ResizeError> {
    let options = ResizeOptions::new()
        .use_alpha(false)
        .resize_alg(ResizeAlg::Convolution(target.filter));
    let options = match target.part {
        Some([left, top, width, height]) => options.crop(left, top, width, height),
        None => options,
    };
    let mut resized = TypedImage::new(target.width, target.height);
    let done = Resizer::new().resize_typed(view, &mut resized, &options);
    done.map_err(refused)?;
    Ok(resized)
}

fn refused(error: impl std::error::Error) -> ResizeError {
    ResizeError(error.to_string())
}
