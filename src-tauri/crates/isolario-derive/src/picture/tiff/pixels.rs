//! From the samples of a page to the channels of a raster.

use super::super::super::refused::DeriveError;
use super::super::lab::rgb_of_lab;
use super::super::raster::{ColourModel, Header};
use super::super::row_sink::RowSink;
use super::super::tiff_directory::Directory;
use super::layout::{Compression, Layout, Photometric};

const COLOR_MAP: u16 = 320;

/// Hands rows of a page on as rows of a raster.
pub(super) struct Pixels<'a> {
    layout: &'a Layout,
    header: Header,
    palette: Vec<[u8; 3]>,
    samples: Vec<u16>,
    eight: Vec<u8>,
    sixteen: Vec<u16>,
}

impl<'a> Pixels<'a> {
    /// For the rows of that page.
    ///
    /// # Errors
    /// Its palette is too short, or the page is too large.
    pub fn new(layout: &'a Layout, page: &Directory) -> Result<Pixels<'a>, DeriveError> {
        let (colour_model, alpha) = match layout.photometric {
            Photometric::WhiteIsZero | Photometric::BlackIsZero => (ColourModel::Gray, true),
            Photometric::Rgb | Photometric::YCbCr => (ColourModel::Rgb, true),
            Photometric::Palette | Photometric::Lab { .. } => (ColourModel::Rgb, false),
            Photometric::Cmyk => (ColourModel::Cmyk, false),
        };
        let has_one = layout.alpha.is_some() && layout.samples > layout.photometric.colours();
        let header = Header {
            width: layout.width,
            height: layout.height,
            colour_model,
            alpha: alpha && has_one,
            deep: layout.bits > 8 && ink_is_kept(layout.photometric),
        };
        Ok(Pixels {
            header: header.check()?,
            palette: palette(layout, page)?,
            samples: Vec::new(),
            eight: Vec::new(),
            sixteen: Vec::new(),
            layout,
        })
    }

    /// What the rows will be like.
    pub fn header(&self) -> Header {
        self.header
    }

    /// Hands a row on.
    pub fn push(&mut self, row: &[u8], sink: &mut dyn RowSink) {
        if self.is_plain() {
            return sink.row(row);
        }
        self.unpack(row);
        if self.header.deep {
            self.sixteen.clear();
            self.convert(|this, sample| this.sixteen.push(sample));
            sink.row_of_16(&self.sixteen);
        } else {
            self.eight.clear();
            self.convert(|this, sample| this.eight.push((sample >> 8) as u8));
            sink.row(&self.eight);
        }
    }

    /// Whether a row can be handed on as it is.
    fn is_plain(&self) -> bool {
        let plain = matches!(
            self.layout.photometric,
            Photometric::BlackIsZero | Photometric::Rgb
        ) || self.layout.photometric == Photometric::Cmyk
            || self.is_decoded();
        let whole = self.layout.samples as usize == self.header.channels();
        plain
            && whole
            && self.layout.bits == 8
            && !self.layout.planar
            && self.layout.alpha != Some(1)
    }

    /// Whether the JPEG decoder has made RGB of it already.
    fn is_decoded(&self) -> bool {
        let jpeg = self.layout.compression == Compression::Jpeg;
        jpeg && self.layout.photometric == Photometric::YCbCr
    }

    /// Spreads samples to 16 bits each, pixel by pixel; indices of a palette stay what they are.
    fn unpack(&mut self, row: &[u8]) {
        let layout = self.layout;
        let (width, samples) = (layout.width as usize, layout.samples as usize);
        self.samples.clear();
        self.samples.resize(width * samples, 0);
        let planes = if layout.planar { samples } else { 1 };
        let each = row.len() / planes;
        let spreads = layout.photometric != Photometric::Palette;
        for plane in 0..planes {
            let bytes = &row[plane * each..(plane + 1) * each];
            let places = self.samples.iter_mut().skip(plane).step_by(planes);
            for (at, place) in places.enumerate() {
                let sample = sample(bytes, at, layout.bits);
                *place = if spreads {
                    spread(sample, layout.bits)
                } else {
                    sample
                };
            }
        }
    }

    fn convert(&mut self, mut give: impl FnMut(&mut Self, u16)) {
        let samples = std::mem::take(&mut self.samples);
        for pixel in samples.chunks_exact(self.layout.samples as usize) {
            let (mut colours, count) = self.colours(pixel);
            if self.header.alpha {
                let alpha = pixel[self.layout.photometric.colours() as usize];
                if self.layout.alpha == Some(1) {
                    colours = colours.map(|colour| undo_alpha(colour, alpha));
                }
                colours[..count]
                    .iter()
                    .for_each(|colour| give(self, *colour));
                give(self, alpha);
            } else {
                colours[..count]
                    .iter()
                    .for_each(|colour| give(self, *colour));
            }
        }
        self.samples = samples;
    }

    /// The channels of a pixel, without alpha, and how many they are.
    fn colours(&self, pixel: &[u16]) -> ([u16; 4], usize) {
        let three = |[r, g, b]: [u16; 3]| ([r, g, b, 0], 3);
        match self.layout.photometric {
            Photometric::WhiteIsZero => ([u16::MAX - pixel[0], 0, 0, 0], 1),
            Photometric::BlackIsZero => ([pixel[0], 0, 0, 0], 1),
            Photometric::Cmyk => ([pixel[0], pixel[1], pixel[2], pixel[3]], 4),
            Photometric::YCbCr if !self.is_decoded() => {
                three(rgb_of_ycbcr([pixel[0], pixel[1], pixel[2]]))
            }
            Photometric::Rgb | Photometric::YCbCr => three([pixel[0], pixel[1], pixel[2]]),
            Photometric::Palette => {
                let colour = self.palette.get(usize::from(pixel[0])).copied();
                three(colour.unwrap_or_default().map(|one| u16::from(one) * 257))
            }
            Photometric::Lab { signed } => three(rgb_of_lab(
                [pixel[0], pixel[1], pixel[2]],
                signed,
                self.layout.bits,
            )),
        }
    }
}

/// Palettes and L*a*b* become 8 bits of RGB at once.
fn ink_is_kept(photometric: Photometric) -> bool {
    !matches!(photometric, Photometric::Palette | Photometric::Lab { .. })
}

fn palette(layout: &Layout, page: &Directory) -> Result<Vec<[u8; 3]>, DeriveError> {
    if layout.photometric != Photometric::Palette {
        return Ok(Vec::new());
    }
    let map = page.numbers(COLOR_MAP);
    let colours = 1_usize << layout.bits;
    if layout.bits > 8 || map.len() < 3 * colours {
        return Err(DeriveError::damaged("TIFF", "its palette is too short"));
    }
    // Some programs write 8 bits a colour where the standard has 16.
    let shift = if map.iter().all(|one| *one < 256) {
        0
    } else {
        8
    };
    let at = |number: usize| (map[number] >> shift) as u8;
    let colour = |index| [at(index), at(colours + index), at(2 * colours + index)];
    Ok((0..colours).map(colour).collect())
}

/// The sample of that number in a row, of up to 16 bits.
fn sample(row: &[u8], number: usize, bits: u32) -> u16 {
    match bits {
        8 => u16::from(row[number]),
        16 => u16::from_ne_bytes([row[2 * number], row[2 * number + 1]]),
        _ => {
            let start = number * bits as usize;
            let byte = |at: usize| u32::from(row.get(at).copied().unwrap_or_default());
            let at = start / 8;
            let window = byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2);
            let value = window >> (24 - (start % 8) as u32 - bits);
            (value & ((1 << bits) - 1)) as u16
        }
    }
}

/// The same brightness in 16 bits.
fn spread(sample: u16, bits: u32) -> u16 {
    let most = (1_u32 << bits) - 1;
    (u32::from(sample) * 65535 / most) as u16
}

fn undo_alpha(colour: u16, alpha: u16) -> u16 {
    let whole = u32::from(colour) * 65535;
    whole
        .checked_div(u32::from(alpha))
        .unwrap_or_default()
        .min(65535) as u16
}

/// TIFF 6.0, Section 21, with its usual coefficients.
fn rgb_of_ycbcr(pixel: [u16; 3]) -> [u16; 3] {
    let [y, cb, cr] = pixel.map(f32::from);
    let (cb, cr) = (cb - 32896.0, cr - 32896.0);
    let rgb = [
        y + 1.402 * cr,
        y - 0.344_14 * cb - 0.714_14 * cr,
        y + 1.772 * cb,
    ];
    rgb.map(|one| one.clamp(0.0, 65535.0) as u16)
}
