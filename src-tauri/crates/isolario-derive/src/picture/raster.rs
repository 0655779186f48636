//! Pixels in memory, as the file has them.

use super::super::refused::DeriveError;

/// What one reader may hold in memory at once. The process has half as much again.
const ROOM: u64 = 1 << 30;
/// Larger pictures would take minutes to go through, and are mostly made to harm.
const PIXELS: u64 = 1 << 30;

/// What the channels of a pixel mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
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
    pub ink: Ink,
    pub alpha: bool,
    /// 16 bits a sample instead of 8.
    pub deep: bool,
}

impl Header {
    /// Samples of one pixel.
    pub fn channels(&self) -> usize {
        let inks = match self.ink {
            Ink::Gray => 1,
            Ink::Rgb => 3,
            Ink::Cmyk => 4,
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
pub(super) fn ask_for_room(bytes: u64) -> Result<(), DeriveError> {
    if bytes <= ROOM {
        return Ok(());
    }
    Err(DeriveError::unreadable(format!(
        "The picture takes {} MB of memory to read; {} MB are allowed.",
        bytes >> 20,
        ROOM >> 20
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
