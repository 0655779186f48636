//! The pixels of an answer, from the tiles of the level that is next larger.

use std::io;

use image::codecs::jpeg::JpegDecoder;
use image::{DynamicImage, ImageDecoder};
use isolario_resize::{Channel, FilterType, Target, resize_8};

use crate::encode::encode;
use crate::image_request::Quality;
use crate::planes::{Planes, RenderError};
use crate::pyramid::{Pyramid, ReadTile};
use crate::rendition::Rendition;
use crate::rotate::rotate;

/// The bytes of an answer. It takes about nine bytes of memory for each of its pixels.
///
/// # Errors
/// Tiles are missing or damaged, or the disk fails.
pub fn render(
    image: &Pyramid,
    read_tile: &mut ReadTile<'_>,
    rendition: &Rendition,
) -> Result<Vec<u8>, RenderError> {
    if let Some((level, column, row)) = same_tile(image, rendition) {
        return Ok(read_tile(level, column, row)?);
    }
    let mut planes = resized(image, read_tile, rendition)?;
    if rendition.quality != Quality::Default {
        planes = gray(planes);
    }
    if rendition.quality == Quality::Bitonal {
        for sample in planes.channels.iter_mut().flatten() {
            *sample = if *sample < 128 { 0 } else { 255 };
        }
    }
    encode(rotate(planes, rendition.rotation), rendition.format)
}

/// The tile that is the answer as it is.
fn same_tile(image: &Pyramid, rendition: &Rendition) -> Option<(u32, u32, u32)> {
    let unchanged = rendition.quality == Quality::Default
        && rendition.format.as_str() == "jpg"
        && !rendition.rotation.mirrored
        && rendition.rotation.degrees == 0.0;
    let [left, top, width, height] = rendition.region.map(u64::from);
    let (right, bottom) = (left + width, top + height);
    let whole = (u64::from(image.width), u64::from(image.height));
    let found = (0..image.levels()).find(|level| {
        let side = u64::from(image.side) << level;
        let scaled = |from: u64, to: u64| (to - from).div_ceil(1 << level);
        let (wide, high) = (scaled(left, right), scaled(top, bottom));
        left % side == 0
            && top % side == 0
            && right == (left + side).min(whole.0)
            && bottom == (top + side).min(whole.1)
            && (wide, high) == (u64::from(rendition.size.0), u64::from(rendition.size.1))
    })?;
    let side = u64::from(image.side) << found;
    unchanged.then_some((found, (left / side) as u32, (top / side) as u32))
}

/// The region at its size: each row of tiles is made as wide as the answer, and all of them together as high.
fn resized(
    image: &Pyramid,
    read_tile: &mut ReadTile<'_>,
    rendition: &Rendition,
) -> Result<Planes, RenderError> {
    let (width, height) = rendition.size;
    let [left, top, wide, high] = rendition.region;
    let level = (0..image.levels())
        .rev()
        .find(|level| wide >> level >= width && high >> level >= height)
        .unwrap_or(0);
    let (level_width, level_height) = image.at(level);
    let columns = Span::of(left, wide, level, level_width);
    let rows = Span::of(top, high, level, level_height);
    let side = image.side;
    let mut strips = Planes::empty(width);
    for row in rows.first / side..=rows.last / side {
        let mut strip = Planes::empty(columns.len());
        for column in columns.first / side..=columns.last / side {
            let tile = decode(&read_tile(level, column, row)?)?;
            strip.beside(&tile, &columns, column * side, &rows, row * side)?;
        }
        let high = strip.height;
        let across = columns.within(columns.first);
        strips.below(strip.resized((width, high), (across.0, 0.0, across.1, f64::from(high)))?);
    }
    let along = rows.within(rows.first);
    strips.resized((width, height), (0.0, along.0, f64::from(width), along.1))
}

/// A part of a side of a level: where it begins and ends, which may be within pixels, and which pixels it touches.
struct Span {
    from: f64,
    to: f64,
    first: u32,
    last: u32,
}

impl Span {
    fn of(from: u32, length: u32, level: u32, limit: u32) -> Span {
        let scale = f64::from(1_u32 << level);
        let limit_exact = f64::from(limit);
        let from = (f64::from(from) / scale).min(limit_exact - 1.0);
        let to = (from + f64::from(length) / scale).min(limit_exact);
        let last = (to.ceil() as u32).clamp(1, limit) - 1;
        Span {
            from,
            to,
            first: (from.floor() as u32).min(last),
            last,
        }
    }

    fn len(&self) -> u32 {
        self.last - self.first + 1
    }

    /// Its begin and length, counted from a pixel.
    fn within(&self, pixel: u32) -> (f64, f64) {
        (self.from - f64::from(pixel), self.to - self.from)
    }

    /// The pixels of a tile that it touches, counted from the begin of the tile.
    fn in_tile(&self, begin: u32, length: u32) -> (usize, usize) {
        let from = self.first.saturating_sub(begin).min(length);
        let to = (self.last + 1).saturating_sub(begin).min(length);
        (from as usize, to.max(from) as usize)
    }
}

impl Planes {
    fn empty(width: u32) -> Planes {
        Planes {
            width,
            height: 0,
            channels: Vec::new(),
            alpha: None,
        }
    }

    /// Puts the pixels of a tile that both spans touch to the right of what is there.
    fn beside(
        &mut self,
        tile: &Planes,
        columns: &Span,
        left: u32,
        rows: &Span,
        top: u32,
    ) -> Result<(), RenderError> {
        let (from, to) = columns.in_tile(left, tile.width);
        let (first, end) = rows.in_tile(top, tile.height);
        let width = self.width as usize;
        let at = (left.max(columns.first) - columns.first) as usize;
        if self.channels.is_empty() {
            self.height = (end - first) as u32;
            self.channels = vec![vec![0; width * (end - first)]; tile.channels.len()];
        }
        let fits = tile.channels.len() == self.channels.len()
            && end - first == self.height as usize
            && at + (to - from) <= width;
        if !fits {
            return Err(RenderError::image(
                "a tile has another size than its neighbours",
            ));
        }
        for (whole, part) in self.channels.iter_mut().zip(&tile.channels) {
            let lines = part.chunks_exact(tile.width as usize).skip(first);
            for (line, target) in lines.zip(whole.chunks_exact_mut(width)) {
                target[at..at + (to - from)].copy_from_slice(&line[from..to]);
            }
        }
        Ok(())
    }

    /// Puts rows below what is there.
    fn below(&mut self, rows: Planes) {
        self.height += rows.height;
        if self.channels.is_empty() {
            self.channels = rows.channels;
            return;
        }
        for (whole, part) in self.channels.iter_mut().zip(rows.channels) {
            whole.extend(part);
        }
    }

    /// A part, which may begin and end within pixels, at a size.
    fn resized(
        self,
        size: (u32, u32),
        (left, top, width, height): (f64, f64, f64, f64),
    ) -> Result<Planes, RenderError> {
        let same = (self.width, self.height) == size;
        if same && left == 0.0 && top == 0.0 {
            return Ok(self);
        }
        let target = Target {
            width: size.0,
            height: size.1,
            part: Some([left, top, width, height]),
            filter: FilterType::CatmullRom,
        };
        let resize = |samples: Vec<u8>| {
            let channel = Channel {
                width: self.width,
                height: self.height,
                samples: &samples,
            };
            resize_8(channel, &target).map_err(RenderError::image)
        };
        let channels = self.channels.into_iter().map(resize);
        Ok(Planes {
            width: size.0,
            height: size.1,
            channels: channels.collect::<Result<_, RenderError>>()?,
            alpha: None,
        })
    }
}

fn decode(jpeg: &[u8]) -> Result<Planes, RenderError> {
    let decoder = JpegDecoder::new(io::Cursor::new(jpeg)).map_err(RenderError::image)?;
    let (width, height) = decoder.dimensions();
    let image = DynamicImage::from_decoder(decoder).map_err(RenderError::image)?;
    let channels = match image {
        DynamicImage::ImageLuma8(gray) => vec![gray.into_raw()],
        other => {
            let pixels = other.into_rgb8().into_raw();
            let plane = |channel: usize| pixels.iter().skip(channel).step_by(3).copied().collect();
            (0..3).map(plane).collect()
        }
    };
    Ok(Planes {
        width,
        height,
        channels,
        alpha: None,
    })
}

/// Lightness by ITU-R BT.601.
fn gray(planes: Planes) -> Planes {
    let [red, green, blue] = planes.channels.as_slice() else {
        return planes;
    };
    let inks = red.iter().zip(green).zip(blue);
    let light = inks.map(|((red, green), blue)| {
        let sum = 299 * u32::from(*red) + 587 * u32::from(*green) + 114 * u32::from(*blue);
        ((sum + 500) / 1000) as u8
    });
    let light = light.collect();
    Planes {
        channels: vec![light],
        ..planes
    }
}
