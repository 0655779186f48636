//! From the colours of a file to sRGB with 8 bits.

use moxcms::{ColorProfile, DataColorSpace, Layout, TransformExecutor, TransformOptions};

use super::super::refused::DeriveError;
use super::raster::{ColourModel, Header, Raster, Samples};

/// A picture in sRGB (or its greys), 8 bits a sample.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SrgbPicture {
    pub width: u32,
    pub height: u32,
    /// 1: grey, 2: grey and alpha, 3: RGB, 4: RGB and alpha.
    pub channels: usize,
    pub bytes: Vec<u8>,
}

impl SrgbPicture {
    /// Width and height.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Whether a pixel can be seen through.
    pub fn has_alpha(&self) -> bool {
        self.channels.is_multiple_of(2)
    }

    /// The picture laid on white paper.
    pub fn on_white(self) -> SrgbPicture {
        if !self.has_alpha() {
            return self;
        }
        let inks = self.channels - 1;
        let pixels = self.bytes.chunks_exact(self.channels);
        let bytes = pixels.flat_map(|pixel| {
            let alpha = u32::from(pixel[inks]);
            pixel[..inks].iter().map(move |sample| {
                ((u32::from(*sample) * alpha + 255 * (255 - alpha) + 127) / 255) as u8
            })
        });
        SrgbPicture {
            bytes: bytes.collect(),
            channels: inks,
            ..self
        }
    }

    /// Without an alpha that hides nothing.
    fn without_idle_alpha(self) -> SrgbPicture {
        let pixels = || self.bytes.chunks_exact(self.channels);
        if self.has_alpha() && pixels().all(|pixel| pixel[self.channels - 1] == 255) {
            return self.on_white();
        }
        self
    }
}

/// The raster in sRGB, by its profile where it has one that fits. Without one, greys and RGB are taken for sRGB, and
/// inks for those that darken evenly.
///
/// # Errors
/// None yet: a profile that cannot be followed is passed over.
pub(super) fn to_srgb(raster: Raster, profile: Option<&[u8]>) -> Result<SrgbPicture, DeriveError> {
    let header = raster.header;
    let profile = profile.and_then(|bytes| ColorProfile::new_from_slice(bytes).ok());
    let profile = profile.filter(|profile| fits(profile, header.colour_model));
    let managed = profile.and_then(|profile| managed(&raster, &profile));
    let coloured = match managed {
        Some(coloured) => coloured,
        None => plain(&header, eight_bits(raster.samples)),
    };
    Ok(coloured.without_idle_alpha())
}

fn fits(profile: &ColorProfile, colour_model: ColourModel) -> bool {
    let wanted = match colour_model {
        ColourModel::Gray => DataColorSpace::Gray,
        ColourModel::Rgb => DataColorSpace::Rgb,
        ColourModel::Cmyk => DataColorSpace::Cmyk,
    };
    profile.color_space == wanted
}

/// The colours as the profile has them; `None` where it cannot be followed.
fn managed(raster: &Raster, profile: &ColorProfile) -> Option<SrgbPicture> {
    let (from, to) = layouts(&raster.header);
    let srgb = ColorProfile::new_srgb();
    let how = TransformOptions::default();
    let bytes = match &raster.samples {
        Samples::Eight(samples) => {
            let transform = profile.create_transform_8bit(from, &srgb, to, how).ok()?;
            transformed(&*transform, samples, &raster.header, to)?
        }
        Samples::Sixteen(samples) => {
            let transform = profile.create_transform_16bit(from, &srgb, to, how).ok()?;
            eight_bits(Samples::Sixteen(transformed(
                &*transform,
                samples,
                &raster.header,
                to,
            )?))
        }
    };
    Some(SrgbPicture {
        width: raster.header.width,
        height: raster.header.height,
        channels: channels(to),
        bytes,
    })
}

/// How the transform is given pixels, and how it is to give them. Four inks lie as RGBA does.
fn layouts(header: &Header) -> (Layout, Layout) {
    match (header.colour_model, header.alpha) {
        (ColourModel::Gray, false) => (Layout::Gray, Layout::Rgb),
        (ColourModel::Gray, true) => (Layout::GrayAlpha, Layout::Rgba),
        (ColourModel::Rgb, false) => (Layout::Rgb, Layout::Rgb),
        (ColourModel::Rgb, true) => (Layout::Rgba, Layout::Rgba),
        (ColourModel::Cmyk, _) => (Layout::Rgba, Layout::Rgb),
    }
}

fn channels(layout: Layout) -> usize {
    if layout == Layout::Rgba { 4 } else { 3 }
}

fn transformed<S: Copy + Default>(
    transform: &dyn TransformExecutor<S>,
    samples: &[S],
    header: &Header,
    to: Layout,
) -> Option<Vec<S>> {
    let row = header.width as usize * channels(to);
    let mut made = vec![S::default(); row * header.height as usize];
    let rows = samples
        .chunks_exact(header.row())
        .zip(made.chunks_exact_mut(row));
    for (from, to) in rows {
        transform.transform(from, to).ok()?;
    }
    Some(made)
}

fn eight_bits(samples: Samples) -> Vec<u8> {
    match samples {
        Samples::Eight(samples) => samples,
        Samples::Sixteen(samples) => {
            let nearest = |sample: u16| ((u32::from(sample) * 255 + 32767) / 65535) as u8;
            samples.into_iter().map(nearest).collect()
        }
    }
}

/// The colours without a profile.
fn plain(header: &Header, samples: Vec<u8>) -> SrgbPicture {
    let bytes = match header.colour_model {
        ColourModel::Gray | ColourModel::Rgb => samples,
        ColourModel::Cmyk => {
            let pixels = samples.chunks_exact(header.channels());
            pixels
                .flat_map(|inks| light_of([inks[0], inks[1], inks[2], inks[3]]))
                .collect()
        }
    };
    SrgbPicture {
        width: header.width,
        height: header.height,
        channels: match header.colour_model {
            ColourModel::Cmyk => 3,
            ColourModel::Gray | ColourModel::Rgb => header.channels(),
        },
        bytes,
    }
}

/// What ink leaves of white light.
fn light_of([cyan, magenta, yellow, black]: [u8; 4]) -> [u8; 3] {
    let left = |colour_model: u8| 255 - u32::from(colour_model);
    [cyan, magenta, yellow]
        .map(|colour_model| ((left(colour_model) * left(black) + 127) / 255) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raster(colour_model: ColourModel, alpha: bool, samples: Samples) -> Raster {
        let header = Header {
            width: 1,
            height: 1,
            colour_model,
            alpha,
            deep: matches!(samples, Samples::Sixteen(_)),
        };
        Raster { header, samples }
    }

    fn colour_of(colour_model: ColourModel, alpha: bool, samples: Samples) -> Vec<u8> {
        to_srgb(raster(colour_model, alpha, samples), None)
            .unwrap()
            .bytes
    }

    #[test]
    fn colours_without_a_profile_are_taken_as_they_are() {
        let eight = |samples: &[u8]| Samples::Eight(samples.to_vec());
        assert_eq!(colour_of(ColourModel::Gray, false, eight(&[9])), [9]);
        assert_eq!(
            colour_of(ColourModel::Cmyk, false, eight(&[255, 0, 0, 0])),
            [0, 255, 255]
        );
        assert_eq!(
            colour_of(ColourModel::Cmyk, false, eight(&[0, 0, 0, 255])),
            [0, 0, 0]
        );
        let deep = Samples::Sixteen(vec![0, 32768, 65535]);
        assert_eq!(colour_of(ColourModel::Rgb, false, deep), [0, 128, 255]);
    }

    #[test]
    fn an_alpha_that_hides_nothing_goes() {
        let whole = Samples::Eight(vec![1, 2, 3, 255]);
        assert_eq!(colour_of(ColourModel::Rgb, true, whole), [1, 2, 3]);
        let half = Samples::Eight(vec![0, 0, 0, 127]);
        let coloured = to_srgb(raster(ColourModel::Rgb, true, half), None).unwrap();
        assert!(coloured.has_alpha());
        assert_eq!(coloured.on_white().bytes, [128, 128, 128]);
    }

    #[test]
    fn a_profile_that_is_none_is_passed_over() {
        let one = raster(ColourModel::Rgb, false, Samples::Eight(vec![1, 2, 3]));
        assert_eq!(to_srgb(one, Some(b"no profile")).unwrap().bytes, [1, 2, 3]);
    }

    #[test]
    fn a_profile_is_followed() {
        let wide = ColorProfile::new_adobe_rgb().encode().unwrap();
        for samples in [
            Samples::Eight(vec![0, 200, 0]),
            Samples::Sixteen(vec![0, 51400, 0]),
        ] {
            let green = to_srgb(raster(ColourModel::Rgb, false, samples), Some(&wide)).unwrap();
            assert!(green.bytes[1] > 200, "{:?}", green.bytes);
        }
    }
}
