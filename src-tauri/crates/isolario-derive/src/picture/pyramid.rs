//! Writes a picture as JPEG tiles at each of its sizes, while its rows come.

use std::io::Write;

use serde_json::json;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

use super::super::refused::DeriveError;
use super::colour::SrgbPicture;
use super::encode;

/// Side of a tile, in pixels. Those at the right and at the bottom are smaller.
pub(super) const SIDE: u32 = 512;
/// Of 100: what is viewed pixel by pixel shows more than what is viewed as a whole.
const QUALITY: u8 = 92;

/// A zip with the JPEGs `LEVEL/COLUMN_ROW.jpg`. Level 0 has the size of the picture, each next one half of that before,
/// the last one has one tile. `info.json` says how large they are. Of each level, no more is held than a row of tiles.
pub(super) struct PyramidWriter<'t> {
    zip: ZipWriter<StreamWriter<&'t mut dyn Write>>,
    levels: Vec<Level>,
}

struct Level {
    height: u32,
    /// Rows that came.
    received: u32,
    /// Rows of tiles that are written.
    written: u32,
    /// Rows that are not written yet.
    held: Option<SrgbPicture>,
}

impl<'t> PyramidWriter<'t> {
    /// For a picture of that size.
    ///
    /// # Errors
    /// The target fails.
    pub fn new(
        (width, height): (u32, u32),
        target: &'t mut dyn Write,
    ) -> Result<PyramidWriter<'t>, DeriveError> {
        let mut pyramid = PyramidWriter {
            zip: ZipWriter::new_stream(target),
            levels: levels(width, height),
        };
        pyramid.begin("info.json")?;
        let info = json!({"width": width, "height": height, "side": SIDE});
        write!(pyramid.zip, "{info}").map_err(DeriveError::not_written)?;
        Ok(pyramid)
    }

    /// The next rows, without alpha: as many as a tile has, or those that are left.
    ///
    /// # Errors
    /// The target fails.
    pub fn push(&mut self, strip: SrgbPicture) -> Result<(), DeriveError> {
        let mut next = Some(strip);
        for number in 0..self.levels.len() {
            let full = next.and_then(|strip| self.levels[number].take(strip));
            next = match full {
                None => break,
                Some(full) => {
                    self.write_row(number, &full)?;
                    Some(halved(&full))
                }
            };
        }
        Ok(())
    }

    /// Ends the zip.
    ///
    /// # Errors
    /// Rows are missing, or the target fails.
    pub fn finish(self) -> Result<(), DeriveError> {
        if self
            .levels
            .iter()
            .any(|level| level.received < level.height)
        {
            return Err(DeriveError::truncated("picture"));
        }
        self.zip.finish().map_err(DeriveError::not_written)?;
        Ok(())
    }

    fn begin(&mut self, name: &str) -> Result<(), DeriveError> {
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        self.zip
            .start_file(name, stored)
            .map_err(DeriveError::not_written)
    }

    fn write_row(&mut self, number: usize, strip: &SrgbPicture) -> Result<(), DeriveError> {
        let row = self.levels[number].written;
        self.levels[number].written += 1;
        for column in 0..strip.width.div_ceil(SIDE) {
            self.begin(&format!("{number}/{column}_{row}.jpg"))?;
            encode::jpeg_of_quality(&cut(strip, column), QUALITY, &mut self.zip)?;
        }
        Ok(())
    }
}

impl Level {
    /// Takes rows, and gives those that a row of tiles has.
    fn take(&mut self, strip: SrgbPicture) -> Option<SrgbPicture> {
        self.received += strip.height;
        let held = match self.held.take() {
            None => strip,
            Some(mut held) => {
                held.height += strip.height;
                held.bytes.extend(strip.bytes);
                held
            }
        };
        if held.height == SIDE || self.received == self.height {
            return Some(held);
        }
        self.held = Some(held);
        None
    }
}

fn levels(width: u32, height: u32) -> Vec<Level> {
    let level = |(_, height)| Level {
        height,
        received: 0,
        written: 0,
        held: None,
    };
    let half = |(width, height): &(u32, u32)| {
        let is_last = *width.max(height) <= SIDE;
        (!is_last).then(|| (width.div_ceil(2), height.div_ceil(2)))
    };
    std::iter::successors(Some((width, height)), half)
        .map(level)
        .collect()
}

fn cut(strip: &SrgbPicture, column: u32) -> SrgbPicture {
    let left = column * SIDE;
    let width = SIDE.min(strip.width - left);
    let channels = strip.channels;
    let lines = strip.bytes.chunks_exact(strip.width as usize * channels);
    let from = left as usize * channels;
    let cut = lines.flat_map(|line| &line[from..from + width as usize * channels]);
    SrgbPicture {
        width,
        height: strip.height,
        channels,
        bytes: cut.copied().collect(),
    }
}

/// The picture at half its size: each pixel is the mean of up to four.
fn halved(picture: &SrgbPicture) -> SrgbPicture {
    let (width, height) = (picture.width.div_ceil(2), picture.height.div_ceil(2));
    let channels = picture.channels;
    let line = picture.width as usize * channels;
    let mut bytes = Vec::with_capacity(width as usize * height as usize * channels);
    for lines in picture.bytes.chunks(2 * line) {
        let (upper, lower) = lines.split_at(line);
        let lower = if lower.is_empty() { upper } else { lower };
        let pairs = upper.chunks(2 * channels).zip(lower.chunks(2 * channels));
        for (upper, lower) in pairs {
            for channel in 0..channels {
                let right = if upper.len() > channels { channels } else { 0 };
                let four = [
                    upper[channel],
                    upper[channel + right],
                    lower[channel],
                    lower[channel + right],
                ];
                let sum: u16 = four.into_iter().map(u16::from).sum();
                bytes.push(((sum + 2) / 4) as u8);
            }
        }
    }
    SrgbPicture {
        width,
        height,
        channels,
        bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_has_the_mean_of_four_pixels_and_of_what_is_left_at_the_edges() {
        let picture = SrgbPicture {
            width: 3,
            height: 3,
            channels: 1,
            bytes: vec![0, 100, 7, 100, 0, 9, 20, 40, 5],
        };
        let half = halved(&picture);
        assert_eq!((half.width, half.height), (2, 2));
        assert_eq!(half.bytes, [50, 8, 30, 5]);
    }
}
