//! How the pixels of a page are kept: what its tags say, checked.

use super::super::super::refused::DeriveError;
use super::super::tiff_directory::Directory;

const WIDTH: u16 = 256;
const HEIGHT: u16 = 257;
const BITS: u16 = 258;
const COMPRESSION: u16 = 259;
const PHOTOMETRIC: u16 = 262;
const FILL_ORDER: u16 = 266;
const STRIP_OFFSETS: u16 = 273;
const SAMPLES: u16 = 277;
const ROWS_PER_STRIP: u16 = 278;
const STRIP_LENGTHS: u16 = 279;
const PLANAR: u16 = 284;
const T4_OPTIONS: u16 = 292;
const PREDICTOR: u16 = 317;
const TILE_WIDTH: u16 = 322;
const TILE_HEIGHT: u16 = 323;
const TILE_OFFSETS: u16 = 324;
const TILE_LENGTHS: u16 = 325;
const EXTRA_SAMPLES: u16 = 338;
const SAMPLE_FORMAT: u16 = 339;
const SUBSAMPLING: u16 = 530;

/// How the bytes of a strip or tile are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Group3,
    Group4,
    Lzw,
    Jpeg,
    Deflate,
    PackBits,
}

/// What the samples of a pixel mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Photometric {
    WhiteIsZero,
    BlackIsZero,
    Rgb,
    Palette,
    Cmyk,
    YCbCr,
    /// With signed a* and b*, or with these offset by half.
    Lab {
        signed: bool,
    },
}

/// The layout of a page.
#[derive(Debug)]
pub(super) struct Layout {
    pub width: u32,
    pub height: u32,
    pub bits: u32,
    /// Samples of a pixel, those beyond the colours included.
    pub samples: u32,
    pub compression: Compression,
    pub photometric: Photometric,
    /// The first sample beyond the colours is an alpha: 1 multiplied into them, 2 not.
    pub alpha: Option<u64>,
    /// Each sample has strips or tiles of its own.
    pub planar: bool,
    pub predictor: bool,
    /// Bits of a byte run from the lowest on.
    pub reversed_bits: bool,
    /// Of a tile; of a strip the width of the page.
    pub chunk_width: u32,
    pub chunk_height: u32,
    pub offsets: Vec<u64>,
    pub lengths: Vec<u64>,
}

impl Layout {
    /// What a page says about itself.
    ///
    /// # Errors
    /// It says too little, contradicts itself, or is of a kind that cannot be read.
    pub fn of(page: &Directory) -> Result<Layout, DeriveError> {
        let size = |tag| page.number(tag).and_then(|value| u32::try_from(value).ok());
        let (width, height) = (size(WIDTH).unwrap_or(0), size(HEIGHT).unwrap_or(0));
        let compression = compression(page.number(COMPRESSION).unwrap_or(1))?;
        if compression == Compression::Group3 && page.number(T4_OPTIONS).unwrap_or(0) & 1 == 1 {
            return Err(rare("is coded as a fax of Group 3 in two dimensions"));
        }
        let photometric = photometric(page)?;
        let samples = size(SAMPLES).unwrap_or(1);
        let extra = page.number(EXTRA_SAMPLES);
        let tiled = size(TILE_WIDTH).is_some();
        let (offsets, lengths) = match tiled {
            true => (page.numbers(TILE_OFFSETS), page.numbers(TILE_LENGTHS)),
            false => (page.numbers(STRIP_OFFSETS), page.numbers(STRIP_LENGTHS)),
        };
        let layout = Layout {
            width,
            height,
            bits: bits(page)?,
            samples,
            compression,
            photometric,
            alpha: extra.filter(|kind| matches!(kind, 1 | 2)),
            planar: page.number(PLANAR) == Some(2) && samples > 1,
            predictor: page.number(PREDICTOR) == Some(2),
            reversed_bits: page.number(FILL_ORDER) == Some(2),
            chunk_width: size(TILE_WIDTH).unwrap_or(width),
            chunk_height: match tiled {
                true => size(TILE_HEIGHT).unwrap_or(0),
                false => size(ROWS_PER_STRIP).unwrap_or(height).min(height),
            },
            offsets,
            lengths,
        };
        layout.check(page)
    }

    fn check(self, page: &Directory) -> Result<Layout, DeriveError> {
        let sides = [self.width, self.height, self.chunk_width, self.chunk_height];
        if sides.contains(&0) {
            return Err(DeriveError::unreadable("The picture has no pixels."));
        }
        if self.chunk_width > 1 << 20 && self.chunk_width > self.width {
            return Err(DeriveError::damaged(
                "TIFF",
                "its tiles are wider than any picture",
            ));
        }
        let colours = self.photometric.colours();
        if self.samples < colours || self.samples > 64 {
            let words = format!("a pixel has {} samples", self.samples);
            return Err(DeriveError::damaged("TIFF", words));
        }
        if page.number(PREDICTOR).unwrap_or(1) > 2 || page.number(SAMPLE_FORMAT) == Some(3) {
            return Err(rare("has floating point samples"));
        }
        let subsampled = page.numbers(SUBSAMPLING) != [1, 1];
        let packed = self.compression != Compression::Jpeg;
        if self.photometric == Photometric::YCbCr && packed && (subsampled || self.bits != 8) {
            return Err(rare("keeps colours at a lower resolution without JPEG"));
        }
        if self.planar && self.compression == Compression::Jpeg && colours == 3 {
            return Err(rare("keeps each colour in a JPEG of its own"));
        }
        Ok(self)
    }
}

impl Photometric {
    /// Samples that colours take.
    pub fn colours(self) -> u32 {
        match self {
            Photometric::WhiteIsZero | Photometric::BlackIsZero | Photometric::Palette => 1,
            Photometric::Rgb | Photometric::YCbCr | Photometric::Lab { .. } => 3,
            Photometric::Cmyk => 4,
        }
    }
}

fn rare(what: &str) -> DeriveError {
    DeriveError::unreadable(format!("The picture {what}, which cannot be read here."))
}

fn bits(page: &Directory) -> Result<u32, DeriveError> {
    let all = page.numbers(BITS);
    let first = all.first().copied().unwrap_or(1);
    if all.iter().any(|bits| *bits != first) {
        return Err(rare("has samples of different sizes"));
    }
    match first {
        1..=16 => Ok(first as u32),
        _ => Err(rare(&format!("has {first} bits a sample"))),
    }
}

fn compression(number: u64) -> Result<Compression, DeriveError> {
    Ok(match number {
        1 => Compression::None,
        3 => Compression::Group3,
        4 => Compression::Group4,
        5 => Compression::Lzw,
        7 => Compression::Jpeg,
        8 | 32946 => Compression::Deflate,
        32773 => Compression::PackBits,
        _ => return Err(rare(&format!("is compressed by TIFF's method {number}"))),
    })
}

fn photometric(page: &Directory) -> Result<Photometric, DeriveError> {
    Ok(match page.number(PHOTOMETRIC).unwrap_or(1) {
        0 => Photometric::WhiteIsZero,
        1 => Photometric::BlackIsZero,
        2 => Photometric::Rgb,
        3 => Photometric::Palette,
        5 => Photometric::Cmyk,
        6 => Photometric::YCbCr,
        8 => Photometric::Lab { signed: true },
        9 => Photometric::Lab { signed: false },
        other => return Err(rare(&format!("has colours of TIFF's kind {other}"))),
    })
}
