//! The last step to the wanted size.

use isolario_resize::{Channel, FilterType, ResizeError, Target, resize_8, resize_16};

use super::super::refused::DeriveError;
use super::raster::{Header, Raster, Samples};

/// The raster with a longest side of at most `longest`; smaller ones stay as they are.
///
/// # Errors
/// Never for rasters whose samples are as many as their header says.
pub(super) fn fit(raster: Raster, longest: u32) -> Result<Raster, DeriveError> {
    let header = raster.header;
    let side = header.width.max(header.height);
    if side <= longest {
        return Ok(raster);
    }
    let scaled = |length: u32| {
        let exact = f64::from(length) * f64::from(longest) / f64::from(side);
        (exact.round() as u32).max(1)
    };
    let fitted = Header {
        width: scaled(header.width),
        height: scaled(header.height),
        ..header
    };
    let samples = match &raster.samples {
        Samples::Eight(samples) => Samples::Eight(resize(&header, &fitted, samples)?),
        Samples::Sixteen(samples) => Samples::Sixteen(resize(&header, &fitted, samples)?),
    };
    Ok(Raster {
        header: fitted,
        samples,
    })
}

/// A sample of a picture, and how a channel of such samples is resized.
trait SampleType: Copy + Default + Into<u32> + TryFrom<u32> {
    const MAX: u32;

    fn resize(channel: Channel<'_, Self>, target: &Target) -> Result<Vec<Self>, ResizeError>;

    fn clamped(value: u32) -> Self {
        Self::try_from(value.min(Self::MAX)).unwrap_or_default()
    }
}

impl SampleType for u8 {
    const MAX: u32 = 0xff;

    fn resize(channel: Channel<'_, u8>, target: &Target) -> Result<Vec<u8>, ResizeError> {
        resize_8(channel, target)
    }
}

impl SampleType for u16 {
    const MAX: u32 = 0xffff;

    fn resize(channel: Channel<'_, u16>, target: &Target) -> Result<Vec<u16>, ResizeError> {
        resize_16(channel, target)
    }
}

/// Resizes one channel after the other. The resizer's code for pixels of several channels would be a tenth of the
/// program.
fn resize<S: SampleType>(from: &Header, to: &Header, samples: &[S]) -> Result<Vec<S>, DeriveError> {
    let channels = from.channels();
    let alpha = from.alpha.then_some(channels - 1);
    let mut resized = vec![S::default(); to.row() * to.height as usize];
    let target = Target {
        width: to.width,
        height: to.height,
        part: None,
        filter: FilterType::Lanczos3,
    };
    for channel in 0..channels {
        let weight = alpha.filter(|alpha| *alpha != channel);
        let pixels = samples.chunks_exact(channels);
        let plane = pixels.map(|pixel| weighted(pixel[channel], weight.map(|alpha| pixel[alpha])));
        let plane = Channel {
            width: from.width,
            height: from.height,
            samples: &plane.collect::<Vec<S>>(),
        };
        let fitted = S::resize(plane, &target);
        let fitted = fitted.map_err(|error| DeriveError::damaged("picture", error))?;
        let pixels = resized.chunks_exact_mut(channels);
        for (pixel, fitted) in pixels.zip(fitted) {
            pixel[channel] = fitted;
        }
    }
    if let Some(alpha) = alpha {
        for pixel in resized.chunks_exact_mut(channels) {
            let weight = pixel[alpha];
            for sample in &mut pixel[..alpha] {
                *sample = unweighted(*sample, weight);
            }
        }
    }
    Ok(resized)
}

/// A sample times its alpha, where it has one.
fn weighted<S: SampleType>(sample: S, alpha: Option<S>) -> S {
    match alpha {
        None => sample,
        Some(alpha) => S::clamped((sample.into() * alpha.into() + S::MAX / 2) / S::MAX),
    }
}

/// A sample that was weighted with its alpha, as it was before.
fn unweighted<S: SampleType>(sample: S, alpha: S) -> S {
    let alpha: u32 = alpha.into();
    let full = u64::from(sample.into()) * u64::from(S::MAX) + u64::from(alpha / 2);
    let sample = full.checked_div(u64::from(alpha)).unwrap_or_default();
    S::clamped(u32::try_from(sample).unwrap_or(S::MAX))
}

#[cfg(test)]
mod tests {
    use super::super::raster::ColourModel;
    use super::*;

    fn gray(width: u32, height: u32, deep: bool) -> Raster {
        let header = Header {
            width,
            height,
            colour_model: ColourModel::Gray,
            alpha: false,
            deep,
        };
        let samples = match deep {
            false => Samples::Eight(vec![77; header.row() * height as usize]),
            true => Samples::Sixteen(vec![7777; header.row() * height as usize]),
        };
        Raster { header, samples }
    }

    #[test]
    fn the_longest_side_fits_and_the_other_follows() {
        let fitted = fit(gray(40, 30, false), 20).unwrap();
        assert_eq!(fitted, gray(20, 15, false));
        assert_eq!(fit(gray(30, 40, true), 20), Ok(gray(15, 20, true)));
    }

    #[test]
    fn what_is_thin_keeps_a_pixel() {
        assert_eq!(fit(gray(1, 4000, false), 20), Ok(gray(1, 20, false)));
    }

    #[test]
    fn what_is_small_stays() {
        assert_eq!(fit(gray(19, 7, false), 20), Ok(gray(19, 7, false)));
    }

    #[test]
    fn what_is_transparent_does_not_darken_its_neighbours() {
        let header = Header {
            alpha: true,
            ..gray(40, 4, false).header
        };
        let row = [[200, 255]; 21].into_iter().chain([[0, 0]; 19]);
        let samples: Vec<u8> = row.cycle().take(160).flatten().collect();
        let raster = Raster {
            header,
            samples: Samples::Eight(samples),
        };
        let Samples::Eight(fitted) = fit(raster, 20).unwrap().samples else {
            panic!("eight bits stay eight");
        };
        let inks = fitted.chunks_exact(2).filter(|pixel| pixel[1] > 20);
        assert!(inks.clone().any(|pixel| pixel[1] < 250), "an edge is there");
        assert!(
            inks.clone().all(|pixel| pixel[0].abs_diff(200) < 20),
            "{fitted:?}"
        );
    }
}
