//! The last step to the wanted size.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{PixelType, ResizeOptions, Resizer};

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
    // The inks of CMYK with alpha are five, which no resizer knows: its alpha is dropped by the readers.
    let samples = match raster.samples {
        Samples::Eight(samples) => Samples::Eight(resize(&header, &fitted, &samples)?),
        Samples::Sixteen(samples) => {
            let bytes: Vec<u8> = samples.iter().flat_map(|one| one.to_ne_bytes()).collect();
            drop(samples);
            let resized = resize(&header, &fitted, &bytes)?;
            let pairs = resized.chunks_exact(2);
            Samples::Sixteen(
                pairs
                    .map(|two| u16::from_ne_bytes([two[0], two[1]]))
                    .collect(),
            )
        }
    };
    Ok(Raster {
        header: fitted,
        samples,
    })
}

fn resize(from: &Header, to: &Header, bytes: &[u8]) -> Result<Vec<u8>, DeriveError> {
    let pixel = pixel_type(from)?;
    let view = ImageRef::new(from.width, from.height, bytes, pixel);
    let view = view.map_err(|error| DeriveError::damaged("picture", error))?;
    let mut resized = Image::new(to.width, to.height, pixel);
    let options = ResizeOptions::new().use_alpha(from.alpha);
    let done = Resizer::new().resize(&view, &mut resized, &options);
    done.map_err(|error| DeriveError::damaged("picture", error))?;
    Ok(resized.into_vec())
}

fn pixel_type(header: &Header) -> Result<PixelType, DeriveError> {
    Ok(match (header.channels(), header.deep) {
        (1, false) => PixelType::U8,
        (2, false) => PixelType::U8x2,
        (3, false) => PixelType::U8x3,
        (4, false) => PixelType::U8x4,
        (1, true) => PixelType::U16,
        (2, true) => PixelType::U16x2,
        (3, true) => PixelType::U16x3,
        (4, true) => PixelType::U16x4,
        _ => {
            return Err(DeriveError::unreadable(
                "The picture has too many channels.",
            ));
        }
    })
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
}
