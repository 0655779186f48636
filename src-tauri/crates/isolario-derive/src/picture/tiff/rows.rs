//! The rows of a page, from the top, put together from its strips or tiles.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use flate2::bufread::ZlibDecoder;
use jpeg_decoder::{ColorTransform, Decoder};

use super::super::super::refused::DeriveError;
use super::super::super::source::Input;
use super::super::raster::check_memory;
use super::super::tiff_directory::Directory;
use super::fax_rows::FaxRows;
use super::layout::{Compression, Layout, Photometric};
use super::lzw::Lzw;
use super::packbits::PackBits;

const JPEG_TABLES: u16 = 347;

/// Rows of a page: the samples of all its pixels, as many bits as the page has, each row on a byte of its own; with
/// 16 bits a sample, in the order of this machine. Planes of a planar page follow each other within a row.
pub(super) struct Rows<'a> {
    layout: &'a Layout,
    tables: Option<&'a [u8]>,
    file: &'a mut Input,
    swaps: bool,
    /// The next row.
    y: u32,
    /// Of the strips or tiles that it goes through, plane by plane.
    open: Vec<Box<dyn Read>>,
    chunk_row: Vec<u8>,
    row: Vec<u8>,
}

impl<'a> Rows<'a> {
    /// Before the first row.
    pub fn new(layout: &'a Layout, page: &'a Directory, file: &'a mut Input) -> Rows<'a> {
        let native = page.is_little_endian() == cfg!(target_endian = "little");
        Rows {
            tables: page.bytes(JPEG_TABLES),
            file,
            swaps: layout.bits == 16 && !native && layout.compression != Compression::Jpeg,
            y: 0,
            open: Vec::new(),
            chunk_row: vec![0; bytes(layout, layout.chunk_width)],
            row: vec![0; bytes(layout, layout.width) * planes(layout) as usize],
            layout,
        }
    }

    /// The next row, if there is one.
    ///
    /// # Errors
    /// A strip or tile is missing, damaged or too short.
    pub fn next_row(&mut self) -> Result<Option<&[u8]>, DeriveError> {
        if self.y == self.layout.height {
            return Ok(None);
        }
        if self.y.is_multiple_of(self.layout.chunk_height) {
            self.open_band()?;
        }
        let whole = bytes(self.layout, self.layout.width);
        let across = self.across() as usize;
        let step = bytes(self.layout, self.layout.chunk_width);
        for (number, chunk) in self.open.iter_mut().enumerate() {
            let read = chunk.read_exact(&mut self.chunk_row);
            read.map_err(|error| DeriveError::not_read("picture", &error))?;
            put_right(&mut self.chunk_row, self.layout, self.swaps);
            let (plane, column) = (number / across, number % across);
            let from = column * step;
            let length = step.min(whole.saturating_sub(from));
            let at = plane * whole + from;
            self.row[at..at + length].copy_from_slice(&self.chunk_row[..length]);
        }
        self.y += 1;
        Ok(Some(&self.row))
    }

    /// Strips or tiles beside each other.
    fn across(&self) -> u32 {
        self.layout.width.div_ceil(self.layout.chunk_width)
    }

    fn open_band(&mut self) -> Result<(), DeriveError> {
        self.open.clear();
        let across = u64::from(self.across());
        let down = u64::from(self.layout.height.div_ceil(self.layout.chunk_height));
        let band = u64::from(self.y / self.layout.chunk_height);
        let mut held = 0;
        for plane in 0..u64::from(planes(self.layout)) {
            for column in 0..across {
                let number = (plane * down + band) * across + column;
                let packed = self.packed(number as usize)?;
                held += packed.len() as u64;
                check_memory(held)?;
                let chunk = self.unpacked(packed);
                self.open
                    .push(chunk.map_err(|error| DeriveError::not_read("picture", &error))?);
            }
        }
        Ok(())
    }

    fn packed(&mut self, number: usize) -> Result<Vec<u8>, DeriveError> {
        let missing = || DeriveError::damaged("TIFF", "it does not say where all its pixels are");
        let offset = *self.layout.offsets.get(number).ok_or_else(missing)?;
        let rows = u64::from(self.layout.chunk_height);
        let plain = rows * bytes(self.layout, self.layout.chunk_width) as u64;
        let length = match (self.layout.compression, self.layout.lengths.get(number)) {
            (Compression::None, _) => plain,
            (_, Some(length)) => *length,
            (_, None) => plain.saturating_mul(2),
        };
        check_memory(length)?;
        let mut packed = Vec::new();
        let read = self.file.seek(SeekFrom::Start(offset));
        let read = read.and_then(|_| self.file.take(length).read_to_end(&mut packed));
        read.map_err(|error| DeriveError::not_read("picture", &error))?;
        if self.layout.reversed_bits && self.layout.bits == 1 {
            packed
                .iter_mut()
                .for_each(|byte| *byte = byte.reverse_bits());
        }
        Ok(packed)
    }

    fn unpacked(&self, packed: Vec<u8>) -> io::Result<Box<dyn Read>> {
        let width = self.layout.chunk_width;
        let packed = Cursor::new(packed);
        Ok(match self.layout.compression {
            Compression::None => Box::new(packed),
            Compression::PackBits => Box::new(PackBits::new(packed)),
            Compression::Lzw => Box::new(Lzw::new(packed)),
            Compression::Deflate => Box::new(ZlibDecoder::new(packed)),
            Compression::Group3 => Box::new(FaxRows::group_3(packed, width)?),
            Compression::Group4 => Box::new(FaxRows::group_4(packed, width)?),
            Compression::Jpeg => Box::new(Cursor::new(self.decoded(&packed.into_inner())?)),
        })
    }

    /// The pixels of a JPEG, its tables perhaps kept once for all (TIFF Technical Note 2).
    fn decoded(&self, packed: &[u8]) -> io::Result<Vec<u8>> {
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        let (tables, rest) = match (self.tables, packed) {
            (Some([tables @ .., 0xff, 0xd9]), [0xff, 0xd8, rest @ ..]) => (tables, rest),
            _ => (&[][..], packed),
        };
        let mut decoder = Decoder::new(Cursor::new(tables).chain(Cursor::new(rest)));
        decoder.set_color_transform(match self.layout.photometric {
            Photometric::YCbCr => ColorTransform::YCbCr,
            Photometric::Cmyk => ColorTransform::CMYK,
            _ if self.layout.samples == 1 => ColorTransform::Grayscale,
            _ => ColorTransform::RGB,
        });
        decoder.read_info().map_err(invalid)?;
        let found = decoder.info().map(|info| {
            let samples = info.pixel_format.pixel_bytes() as u32;
            (u32::from(info.width), samples)
        });
        if found != Some((self.layout.chunk_width, self.layout.samples)) {
            let words = "a JPEG in it has another size than it should have";
            return Err(io::Error::new(io::ErrorKind::InvalidData, words));
        }
        let mut pixels = decoder.decode().map_err(invalid)?;
        if self.layout.photometric == Photometric::Cmyk {
            // The decoder takes inks to be kept as Adobe's JPEGs do; in a TIFF they are not.
            pixels
                .iter_mut()
                .for_each(|colour_model| *colour_model = 255 - *colour_model);
        }
        Ok(pixels)
    }
}

fn planes(layout: &Layout) -> u32 {
    if layout.planar { layout.samples } else { 1 }
}

/// Bytes of a row of that many pixels, of one plane.
fn bytes(layout: &Layout, width: u32) -> usize {
    let samples = if layout.planar { 1 } else { layout.samples };
    let bits = u64::from(width) * u64::from(samples) * u64::from(layout.bits);
    bits.div_ceil(8) as usize
}

/// Brings samples of 16 bits to this machine's order, and adds up differences (TIFF 6.0, Section 14).
fn put_right(row: &mut [u8], layout: &Layout, swaps: bool) {
    if swaps {
        row.chunks_exact_mut(2).for_each(|two| two.swap(0, 1));
    }
    let samples = if layout.planar {
        1
    } else {
        layout.samples as usize
    };
    match (layout.predictor, layout.bits) {
        (true, 8) => {
            for at in samples..row.len() {
                row[at] = row[at].wrapping_add(row[at - samples]);
            }
        }
        (true, 16) => {
            for at in (2 * samples..row.len()).step_by(2) {
                let before = at - 2 * samples;
                let left = u16::from_ne_bytes([row[before], row[before + 1]]);
                let here = u16::from_ne_bytes([row[at], row[at + 1]]);
                row[at..at + 2].copy_from_slice(&here.wrapping_add(left).to_ne_bytes());
            }
        }
        _ => {}
    }
}
