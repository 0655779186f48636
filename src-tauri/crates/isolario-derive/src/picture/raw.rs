//! Camera raw: the finished picture that the camera has put beside its measurements, as a JPEG. Most of these files are
//! a TIFF with other tags. The measurements themselves are not read.

use std::io::{BufRead, Read, Seek, SeekFrom};

use super::super::refused::DeriveError;
use super::super::source::Source;
use super::exif_fields::ExifFields;
use super::orientation::UPRIGHT;
use super::properties::PictureProperties;
use super::segments::Segments;
use super::tiff_directory::{Directory, Pages};
use super::{Picture, jpeg};

/// MIME types of such files, as assets/signatures.csv names them.
pub(in super::super) const RAW: [&str; 13] = [
    "image/x-adobe-dng",
    "image/x-canon-cr2",
    "image/x-nikon-nef",
    "image/x-nikon-nrw",
    "image/x-sony-arw",
    "image/x-sony-sr2",
    "image/x-fuji-raf",
    "image/x-olympus-orf",
    "image/x-panasonic-rw2",
    "image/x-pentax-pef",
    "image/x-samsung-srw",
    "image/x-hasselblad-3fr",
    "image/x-phaseone-iiq",
];

/// Largest preview that is read, bytes.
const PREVIEW: u64 = 64 << 20;
/// Directories that are looked at; real files have less than a dozen.
const DIRECTORIES: usize = 64;
const FUJI: &[u8] = b"FUJIFILMCCD-RAW";
/// Where a file of Fuji names its preview: place and length, each of four bytes.
const FUJI_PREVIEW: u64 = 84;

const WIDTH: u16 = 256;
const HEIGHT: u16 = 257;
const STRIP_PLACES: u16 = 273;
const ORIENTATION: u16 = 274;
const STRIP_LENGTHS: u16 = 279;
const SUB_DIRECTORIES: u16 = 330;
const JPEG_PLACE: u16 = 513;
const JPEG_LENGTH: u16 = 514;
/// Panasonic keeps the whole preview in a tag.
const PANASONIC_PREVIEW: u16 = 46;

/// Reads the largest preview.
///
/// # Errors
/// There is none that can be read, or the file is damaged.
pub(super) fn read(source: &mut Source, longest: u32) -> Result<Picture, DeriveError> {
    let directories = directories(source)?;
    let orientation = directories.iter().find_map(|one| one.number(ORIENTATION));
    let mut previews = previews(source, &directories)?;
    previews.sort_by_key(|preview| std::cmp::Reverse(preview.len()));
    let finished = previews.into_iter().find(|preview| is_finished(preview));
    let preview = finished.ok_or_else(|| {
        DeriveError::unreadable("The camera has put no preview that can be read into the file.")
    })?;
    let mut picture = jpeg::read(&mut Source::of_memory(preview, "image/jpeg"), longest)?;
    if picture.orientation == UPRIGHT {
        let known = orientation.and_then(|value| u16::try_from(value).ok());
        picture.orientation = known.unwrap_or(UPRIGHT);
    }
    Ok(picture)
}

/// The size of the largest picture that it names, and its Exif fields; `None` where it names none.
///
/// # Errors
/// The file is damaged.
pub(super) fn read_properties(
    source: &mut Source,
) -> Result<Option<PictureProperties>, DeriveError> {
    let directories = directories(source)?;
    let sizes = directories.iter().filter_map(|one| {
        let (width, height) = (one.number(WIDTH)?, one.number(HEIGHT)?);
        Some((u32::try_from(width).ok()?, u32::try_from(height).ok()?))
    });
    let area = |(width, height): &(u32, u32)| u64::from(*width) * u64::from(*height);
    let Some((width, height)) = sizes.max_by_key(area) else {
        return Ok(None);
    };
    let exif = match directories.first() {
        Some(own) => Some(ExifFields::of_page(own, source.rewound()?)),
        None => None,
    };
    Ok(Some(PictureProperties {
        width,
        height,
        exif,
        ..PictureProperties::default()
    }))
}

/// All directories; none of a file that is no TIFF.
fn directories(source: &mut Source) -> Result<Vec<Directory>, DeriveError> {
    if source.head(FUJI.len() as u64)? == FUJI {
        return Ok(Vec::new());
    }
    let file = source.rewound()?;
    let mut pages = Pages::of(file)?;
    let mut found: Vec<Directory> = Vec::new();
    while found.len() < DIRECTORIES {
        let Some(page) = pages.next_page(file)? else {
            break;
        };
        found.push(page);
    }
    let mut at = 0;
    while at < found.len() {
        for place in found[at].numbers(SUB_DIRECTORIES) {
            if found.len() == DIRECTORIES {
                return Ok(found);
            }
            // One that is damaged takes no other's preview away.
            let child = found[at].at(place, file);
            found.extend(child.ok());
        }
        at += 1;
    }
    Ok(found)
}

/// Everything that may be a preview.
fn previews(source: &mut Source, directories: &[Directory]) -> Result<Vec<Vec<u8>>, DeriveError> {
    let mut places = Vec::new();
    let mut found = Vec::new();
    for directory in directories {
        found.extend(directory.bytes(PANASONIC_PREVIEW).map(<[u8]>::to_vec));
        places.extend(
            directory
                .number(JPEG_PLACE)
                .zip(directory.number(JPEG_LENGTH)),
        );
        let strips = directory.numbers(STRIP_PLACES);
        let lengths = directory.numbers(STRIP_LENGTHS);
        if let ([place], [length]) = (strips.as_slice(), lengths.as_slice()) {
            places.push((*place, *length));
        }
    }
    if directories.is_empty() {
        places.extend(fuji_preview(source)?);
    }
    places.sort_by_key(|(_, length)| std::cmp::Reverse(*length));
    let mut left = PREVIEW;
    for (place, length) in places {
        let Some(bytes) = jpeg_at(source.rewound()?, place, length.min(left))? else {
            continue;
        };
        left -= bytes.len() as u64;
        found.push(bytes);
    }
    Ok(found)
}

fn fuji_preview(source: &mut Source) -> Result<Option<(u64, u64)>, DeriveError> {
    let head = source.head(FUJI_PREVIEW + 8)?;
    let number = |at: usize| {
        let bytes = head.get(at..at + 4)?.try_into().ok()?;
        Some(u64::from(u32::from_be_bytes(bytes)))
    };
    let at = FUJI_PREVIEW as usize;
    Ok(number(at).zip(number(at + 4)))
}

/// The bytes at a place if they begin as a JPEG does. No more is read of others.
fn jpeg_at(
    file: &mut (impl BufRead + Seek),
    place: u64,
    length: u64,
) -> Result<Option<Vec<u8>>, DeriveError> {
    let failed = |error| DeriveError::not_read("picture", &error);
    if length < 4 || file.seek(SeekFrom::Start(place)).is_err() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.by_ref()
        .take(3)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes != [0xff, 0xd8, 0xff] {
        return Ok(None);
    }
    file.by_ref()
        .take(length - 3)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(Some(bytes))
}

/// Whether a JPEG is a picture to look at. Measurements are kept as lossless JPEGs of more bits.
fn is_finished(bytes: &[u8]) -> bool {
    let segments = Segments::read(&mut &*bytes).ok();
    let frame = segments.and_then(|segments| segments.frame);
    frame
        .is_some_and(|frame| !frame.lossless && frame.bits == 8 && [1, 3].contains(&frame.channels))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A TIFF of one directory that names a JPEG behind it.
    fn file(jpeg: &[u8]) -> Source {
        let mut bytes = b"II*\0\x08\0\0\0\x02\0".to_vec();
        for (tag, value) in [(JPEG_PLACE, 38), (JPEG_LENGTH, jpeg.len() as u32)] {
            bytes.extend(tag.to_le_bytes());
            bytes.extend([4, 0, 1, 0, 0, 0]);
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend([0; 4]);
        bytes.extend(jpeg);
        Source::of_memory(bytes, "image/x-nikon-nef")
    }

    fn jpeg_of(marker: u8, bits: u8) -> Vec<u8> {
        let mut bytes = vec![
            0xff, 0xd8, 0xff, marker, 0, 11, bits, 0, 2, 0, 3, 1, 1, 0x11, 0,
        ];
        bytes.extend([0xff, 0xd9]);
        bytes
    }

    #[test]
    fn measurements_are_no_preview() {
        assert!(is_finished(&jpeg_of(0xc0, 8)));
        assert!(!is_finished(&jpeg_of(0xc3, 8)));
        assert!(!is_finished(&jpeg_of(0xc1, 12)));
        let mut source = file(&jpeg_of(0xc3, 14));
        let words = read(&mut source, 512).err().unwrap().to_string();
        assert!(words.contains("no preview"), "{words}");
    }

    #[test]
    fn a_directory_that_names_itself_ends() {
        let mut bytes = b"II*\0\x08\0\0\0\x01\0".to_vec();
        bytes.extend(SUB_DIRECTORIES.to_le_bytes());
        bytes.extend([4, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]);
        let mut source = Source::of_memory(bytes, "image/x-adobe-dng");
        assert_eq!(directories(&mut source).unwrap().len(), DIRECTORIES);
    }
}
