//! Cuts a large picture into tiles, so that a viewer shows each of its pixels and loads but those in view.

use std::io::Write;

use serde_json::json;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::super::Derivative;
use super::super::refused::DeriveError;
use super::super::source::Source;
use super::colour::SrgbPicture;
use super::format::Format;
use super::{encode, made, picture};

/// Side of a tile, in pixels. Those at the right and at the bottom are smaller.
const SIDE: u32 = 512;
/// Of 100: what is viewed pixel by pixel shows more than what is viewed as a whole.
const QUALITY: u8 = 92;
/// Longer than any side: the picture keeps its size.
const ANY_SIZE: u32 = 1 << 30;

/// Makes a zip with the JPEGs `LEVEL/COLUMN_ROW.jpg`, on white where the picture is transparent. Level 0 has the size of
/// the picture, each next one half of that before, the last one has one tile. `info.json` says how large they are.
pub(in super::super) fn tiles(
    source: &mut Source,
    target: &mut dyn Write,
) -> Result<Derivative, DeriveError> {
    let format = Format::of(source)?;
    if !format.is_picture() && format != Format::Pdf {
        let words = "Only pictures and pages are cut into tiles.";
        return Err(DeriveError::unreadable(words));
    }
    let mut level = picture(source, ANY_SIZE)?.on_white();
    let made = made(&level, "application/zip", "zip");
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut zip = ZipWriter::new_stream(target);
    let info = json!({"width": level.width, "height": level.height, "side": SIDE});
    let begun = zip.start_file("info.json", stored);
    begun.map_err(DeriveError::not_written)?;
    write!(zip, "{info}").map_err(DeriveError::not_written)?;
    for number in 0.. {
        for row in 0..level.height.div_ceil(SIDE) {
            for column in 0..level.width.div_ceil(SIDE) {
                let begun = zip.start_file(format!("{number}/{column}_{row}.jpg"), stored);
                begun.map_err(DeriveError::not_written)?;
                encode::jpeg_of_quality(&cut(&level, column, row), QUALITY, &mut zip)?;
            }
        }
        if level.width.max(level.height) <= SIDE {
            break;
        }
        level = halved(&level);
    }
    zip.finish().map_err(DeriveError::not_written)?;
    Ok(made)
}

fn cut(picture: &SrgbPicture, column: u32, row: u32) -> SrgbPicture {
    let (left, top) = (column * SIDE, row * SIDE);
    let (width, height) = (
        SIDE.min(picture.width - left),
        SIDE.min(picture.height - top),
    );
    let channels = picture.channels;
    let line = picture.width as usize * channels;
    let lines = picture.bytes.chunks_exact(line);
    let lines = lines.skip(top as usize).take(height as usize);
    let from = left as usize * channels;
    let cut = lines.flat_map(|line| &line[from..from + width as usize * channels]);
    SrgbPicture {
        width,
        height,
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
