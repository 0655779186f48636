//! The segments of a JPEG before its picture (ITU-T T.81, Annex B): what is said about it.

use std::io::{self, BufRead, Read};

use super::exif_fields::ExifFields;

/// What stands before the first scan.
#[derive(Debug, Default)]
pub(super) struct Segments {
    /// Of the first Exif segment that can be read.
    pub exif: Option<ExifFields>,
    /// ICC profile, put together from its parts (ICC.1, Annex B.4).
    pub profile: Option<Vec<u8>>,
    /// Whether Adobe's segment is there: inks are kept as the light they leave.
    pub adobe: bool,
    /// XMP packet.
    pub xmp: Option<Vec<u8>>,
    /// Photoshop's resources, IPTC among them.
    pub photoshop: Option<Vec<u8>>,
    /// Pixels per inch, across and down, as JFIF says.
    pub resolution: Option<[f64; 2]>,
    /// The first frame header.
    pub frame: Option<Frame>,
}

/// The frame header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    pub width: u16,
    pub height: u16,
    pub channels: u8,
    /// Bits of a sample.
    pub bits: u8,
    /// Whether the picture comes in several scans, so that all of it is held in memory.
    pub progressive: bool,
    /// Whether its samples are kept as they are.
    pub lossless: bool,
    /// Samples that are kept of all pixels, some channels having fewer.
    pub samples: u64,
}

const EXIF: &[u8] = b"Exif\0";
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const PHOTOSHOP: &[u8] = b"Photoshop 3.0\0";
const ICC: &[u8] = b"ICC_PROFILE\0";

impl Segments {
    /// Reads up to the first scan.
    ///
    /// # Errors
    /// The disk fails, or the file ends before.
    pub fn read(file: &mut impl BufRead) -> io::Result<Segments> {
        let mut segments = Segments::default();
        let mut parts = Vec::new();
        let mut soi = [0; 2];
        file.read_exact(&mut soi)?;
        loop {
            match next_marker(file)? {
                0x01 | 0xd0..=0xd8 => {}
                0xd9 | 0xda => break,
                marker => segments.take(marker, body(file)?, &mut parts),
            }
        }
        parts.sort_by_key(|(number, _)| *number);
        let profile: Vec<u8> = parts.into_iter().flat_map(|(_, part)| part).collect();
        segments.profile = Some(profile).filter(|bytes| !bytes.is_empty());
        Ok(segments)
    }

    fn take(&mut self, marker: u8, body: Vec<u8>, parts: &mut Vec<(u8, Vec<u8>)>) {
        match marker {
            0xe1 if self.exif.is_none() && body.starts_with(EXIF) => {
                // What pads the name is no matter: some programs write another byte than 0.
                self.exif = body.get(EXIF.len() + 1..).and_then(ExifFields::of);
            }
            0xe0 if body.starts_with(b"JFIF\0") && body.len() >= 12 => {
                self.resolution = density(&body);
            }
            0xe1 if body.starts_with(XMP) => self.xmp = Some(body[XMP.len()..].to_vec()),
            0xed if body.starts_with(PHOTOSHOP) => {
                let resources = self.photoshop.get_or_insert_default();
                resources.extend(&body[PHOTOSHOP.len()..]);
            }
            0xe2 if body.starts_with(ICC) && body.len() > ICC.len() + 2 => {
                parts.push((body[ICC.len()], body[ICC.len() + 2..].to_vec()));
            }
            0xee if body.starts_with(b"Adobe") => self.adobe = true,
            0xc0..=0xcf if ![0xc4, 0xc8, 0xcc].contains(&marker) && body.len() >= 6 => {
                self.frame.get_or_insert(Frame {
                    height: u16::from_be_bytes([body[1], body[2]]),
                    width: u16::from_be_bytes([body[3], body[4]]),
                    channels: body[5],
                    bits: body[0],
                    progressive: matches!(marker, 0xc2 | 0xc6 | 0xca | 0xce),
                    lossless: matches!(marker, 0xc3 | 0xc7 | 0xcb | 0xcf),
                    samples: samples(&body),
                });
            }
            _ => {}
        }
    }
}

/// The samples of a frame (T.81, A.1.1 and B.2.2): its pixels, times the share that each channel has of them.
fn samples(body: &[u8]) -> u64 {
    let factors = body.get(6..).unwrap_or_default().chunks_exact(3);
    let factors = factors.map(|channel| (u64::from(channel[1] >> 4), u64::from(channel[1] & 15)));
    let (across, down) = factors.clone().fold((1, 1), |(across, down), (h, v)| {
        (across.max(h), down.max(v))
    });
    let height = u64::from(u16::from_be_bytes([body[1], body[2]]));
    let width = u64::from(u16::from_be_bytes([body[3], body[4]]));
    let blocks: u64 = factors.map(|(h, v)| h * v).sum();
    width * height * blocks / (across * down)
}

/// JFIF 1.02, "JFIF APP0 marker segment": the unit, and pixels in it across and down.
fn density(body: &[u8]) -> Option<[f64; 2]> {
    let at = |place: usize| f64::from(u16::from_be_bytes([body[place], body[place + 1]]));
    match body[7] {
        1 => Some([at(8), at(10)]),
        2 => Some([at(8) * 2.54, at(10) * 2.54]),
        _ => None,
    }
}

/// The next marker; fill bytes before it and strays between segments are passed over.
fn next_marker(file: &mut impl BufRead) -> io::Result<u8> {
    let mut before = 0;
    loop {
        let byte = byte(file)?;
        if before == 0xff && ![0, 0xff].contains(&byte) {
            return Ok(byte);
        }
        before = byte;
    }
}

fn byte(file: &mut impl BufRead) -> io::Result<u8> {
    let mut one = [0];
    file.read_exact(&mut one)?;
    Ok(one[0])
}

fn body(file: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut length = [0; 2];
    file.read_exact(&mut length)?;
    let length = u16::from_be_bytes(length).saturating_sub(2);
    let mut body = Vec::new();
    file.take(u64::from(length)).read_to_end(&mut body)?;
    Ok(body)
}
