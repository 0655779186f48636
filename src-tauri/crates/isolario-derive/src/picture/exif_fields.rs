//! The fields of Exif (Exif 2.32, 4.5 and 4.6), which lie in directories like those of a TIFF. What is broken costs its
//! own field alone, as in browsers and in ExifTool: many programs end a directory without the place of the next one.

use std::io::{BufRead, Cursor, Seek};

use exif::{Exif, Reader};

use super::orientation::UPRIGHT;
use super::tiff_directory::{Directory, Pages};

/// What stands before the fields where a whole segment of a JPEG was copied into another format.
const SEGMENT_NAME: &[u8] = b"Exif\0\0";
const ORIENTATION: u16 = 274;
const EXIF: u16 = 34665;
const GPS: u16 = 34853;
const INTEROPERABILITY: u16 = 40965;
/// Fields that say where a directory is.
const POINTERS: [u16; 3] = [EXIF, GPS, INTEROPERABILITY];
/// Bytes of all fields that are kept. A segment of a JPEG has at most 64 KB.
const LARGEST: usize = 1 << 20;

/// The fields of a picture, of its camera and of its place.
#[derive(Debug)]
pub(in super::super) struct ExifFields {
    orientation: u16,
    /// A TIFF of these fields alone, which is sound.
    structure: Vec<u8>,
}

impl ExifFields {
    /// What a JPEG, PNG or WebP carries; `None` where no field can be read.
    pub fn of(carried: &[u8]) -> Option<ExifFields> {
        let structure = carried.strip_prefix(SEGMENT_NAME).unwrap_or(carried);
        if !matches!(structure.get(..2), Some(b"II" | b"MM")) {
            return None;
        }
        let mut file = Cursor::new(structure);
        let own = Pages::of(&mut file).ok()?.readable_page(&mut file);
        (!own.is_empty()).then(|| ExifFields::of_page(&own, &mut file))
    }

    /// The fields of a page of a TIFF.
    pub(super) fn of_page(page: &Directory, file: &mut (impl BufRead + Seek)) -> ExifFields {
        let mut sound = SoundTiff::new(page.is_little_endian());
        let mut pointers = Vec::new();
        if let Some(camera) = page.child(EXIF, file) {
            let interoperability = camera.child(INTEROPERABILITY, file);
            let own = interoperability.map(|own| (INTEROPERABILITY, sound.push(&own, &[])));
            pointers.push((EXIF, sound.push(&camera, own.as_slice())));
        }
        if let Some(place) = page.child(GPS, file) {
            pointers.push((GPS, sound.push(&place, &[])));
        }
        let first = sound.push(page, &pointers);
        ExifFields {
            orientation: orientation_of(page),
            structure: sound.finish(first),
        }
    }

    /// Which way up the picture is.
    pub fn orientation(&self) -> u16 {
        self.orientation
    }

    /// The fields with their names and units.
    pub fn parsed(&self) -> Option<Exif> {
        let mut reader = Reader::new();
        reader.continue_on_error(true);
        let fields = reader.read_raw(self.structure.clone());
        let fields = fields.or_else(|error| error.distill_partial_result(|_| ()));
        fields.ok()
    }
}

/// The orientation of a page; upright where nothing is said, or what Exif does not know.
pub(super) fn orientation_of(page: &Directory) -> u16 {
    let said = page.number(ORIENTATION);
    let said = said.and_then(|said| u16::try_from(said).ok());
    said.filter(|said| (1..=8).contains(said))
        .unwrap_or(UPRIGHT)
}

/// A TIFF that is written anew, in the byte order of its values.
struct SoundTiff {
    little: bool,
    bytes: Vec<u8>,
}

impl SoundTiff {
    fn new(little: bool) -> SoundTiff {
        let mut sound = SoundTiff {
            little,
            bytes: if little { b"II" } else { b"MM" }.to_vec(),
        };
        sound.bytes.extend(sound.number(42, 2));
        sound.bytes.extend([0; 4]);
        sound
    }

    /// Adds a directory with what it points to, and answers its place.
    fn push(&mut self, directory: &Directory, pointers: &[(u16, u32)]) -> u32 {
        let mut left = LARGEST.saturating_sub(self.bytes.len());
        let fields = directory.fields().filter(|field| {
            let fits = !POINTERS.contains(&field.tag) && field.bytes.len() <= left;
            left -= if fits { field.bytes.len() } else { 0 };
            fits
        });
        let fields: Vec<_> = fields.collect();
        let place = self.bytes.len();
        let values_at = place + 2 + 12 * (fields.len() + pointers.len()) + 4;
        let mut values = Vec::new();
        self.bytes
            .extend(self.number(fields.len() + pointers.len(), 2));
        for field in fields {
            let mut value = field.bytes.to_vec();
            if value.len() > 4 {
                let at = self.number(values_at + values.len(), 4);
                values.append(&mut value);
                value = at;
            }
            value.resize(4, 0);
            self.entry(field.tag, field.kind, field.count, &value);
        }
        for (tag, at) in pointers {
            let at = self.number(*at as usize, 4);
            self.entry(*tag, 4, 1, &at);
        }
        self.bytes.extend([0; 4]);
        self.bytes.append(&mut values);
        place as u32
    }

    fn entry(&mut self, tag: u16, kind: u16, count: usize, value: &[u8]) {
        let parts = [(usize::from(tag), 2), (usize::from(kind), 2), (count, 4)];
        for (number, size) in parts {
            self.bytes.extend(self.number(number, size));
        }
        self.bytes.extend(value);
    }

    fn number(&self, number: usize, size: usize) -> Vec<u8> {
        let number = number as u64;
        match self.little {
            true => number.to_le_bytes()[..size].to_vec(),
            false => number.to_be_bytes()[8 - size..].to_vec(),
        }
    }

    fn finish(mut self, first: u32) -> Vec<u8> {
        let first = self.number(first as usize, 4);
        self.bytes[4..8].copy_from_slice(&first);
        self.bytes
    }
}
