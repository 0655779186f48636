//! Pixels in memory, as the file has them.

use super::super::refused::DeriveError;

/// Bytes of memory that one reader may use. The process may use half as much again.
const MEMORY_LIMIT: u64 = 1 << 30;
/// Pixels of a picture. Larger pictures would take minutes, and most of them are attacks.
const PIXELS: u64 = 1 << 30;

/// The colour model of the channels of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColourModel {
    /// One channel, 0 is black.
    Gray,
    /// Three channels.
    Rgb,
    /// Four channels, 0 is no ink.
    Cmyk,
}

/// How the pixels of a raster lie: row by row, from the top, channels of a pixel together, alpha last and not
/// multiplied into the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub width: u32,
    pub height: u32,
    pub colour_model: ColourModel,
    pub alpha: bool,
    /// 16 bits a sample instead of 8.
    pub deep: bool,
}

impl Header {
    /// Samples of one pixel.
    pub fn channels(&self) -> usize {
        let inks = match self.colour_model {
            ColourModel::Gray => 1,
            ColourModel::Rgb => 3,
            ColourModel::Cmyk => 4,
        };
        inks + usize::from(self.alpha)
    }

    /// Samples of one row.
    pub fn row(&self) -> usize {
        self.width as usize * self.channels()
    }

    /// Bytes of all pixels.
    pub fn bytes(&self) -> u64 {
        let samples = u64::from(self.width) * u64::from(self.height) * self.channels() as u64;
        samples << u8::from(self.deep)
    }

    /// Refuses what nobody has as a picture.
    ///
    /// # Errors
    /// There is no pixel, or there are too many.
    pub fn check(self) -> Result<Header, DeriveError> {
        let pixels = u64::from(self.width) * u64::from(self.height);
        match pixels {
            0 => Err(DeriveError::unreadable("The picture has no pixels.")),
            1..=PIXELS => Ok(self),
            _ => Err(DeriveError::unreadable(format!(
                "The picture has {} x {} pixels, which is more than can be read here ({} million).",
                self.width,
                self.height,
                PIXELS / 1_000_000
            ))),
        }
    }
}

/// Refuses what would not fit into memory.
///
/// # Errors
/// `bytes` are more than a reader may hold.
pub(super) fn check_memory(bytes: u64) -> Result<(), DeriveError> {
    if bytes <= MEMORY_LIMIT {
        return Ok(());
    }
    Err(DeriveError::unreadable(format!(
        "The picture takes {} MB of memory to read; {} MB are allowed.",
        bytes >> 20,
        MEMORY_LIMIT >> 20
    )))
}

/// Samples of 8 or 16 bits.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Samples {
    Eight(Vec<u8>),
    Sixteen(Vec<u16>),
}

/// A picture as its file has it, perhaps smaller.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Raster {
    pub header: Header,
    pub samples: Samples,
}
