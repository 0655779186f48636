//! What the header of an MP4 or QuickTime file says of the film (ISO/IEC 14496-12), with or without sound.

mod matroska;

use std::io::{Read, Seek, SeekFrom};

use super::refused::DeriveError;
use super::source::{Input, Source};

/// Bytes of a header that are read: that of ten hours has a tenth of it.
const LARGEST: u64 = 64 << 20;
/// Boxes that are passed on the way to the header: a film in pieces has two for each.
const MOST_BOXES: usize = 100_000;
/// Where the width stands in the entry of a picture track (8.5.2, 12.1.3): after its list's head and its own.
const WIDTH: usize = 40;

/// A film; what its header does not say is `None`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Film {
    /// Seconds.
    pub duration: Option<f64>,
    /// Width and height of the first picture track, pixels, as they are kept.
    pub size: Option<(u16, u16)>,
}

impl Film {
    /// Reads the header of an MP4 or a Matroska; nothing is known of other containers.
    ///
    /// # Errors
    /// The disk fails, or the header is too large.
    pub fn read(source: &mut Source) -> Result<Film, DeriveError> {
        let not_read = |error| DeriveError::not_read("recording", &error);
        let length = source.length();
        let matroska = matroska::read(source.rewound()?, length).map_err(not_read)?;
        if let Some(film) = matroska {
            return Ok(film);
        }
        let header = header(source.rewound()?, length).map_err(not_read)?;
        Ok(header.map_or_else(Film::default, |header| Film {
            duration: duration(&header),
            size: boxes(&header)
                .filter(|(name, _)| name == b"trak")
                .find_map(|(_, track)| picture_size(track)),
        }))
    }
}

/// The movie box (8.2.1), wherever it lies.
fn header(input: &mut Input, length: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut at = 0;
    for _ in 0..MOST_BOXES {
        if length.saturating_sub(at) < 8 {
            return Ok(None);
        }
        input.seek(SeekFrom::Start(at))?;
        let mut head = [0; 8];
        input.read_exact(&mut head)?;
        let (size, body) = match number(&head, 0, 4) {
            Some(0) => (length - at, 8),
            Some(1) => {
                let mut large = [0; 8];
                input.read_exact(&mut large)?;
                (u64::from_be_bytes(large), 16)
            }
            size => (size.unwrap_or_default(), 8),
        };
        if size < body || size > length - at {
            return Ok(None);
        }
        if &head[4..] == b"moov" {
            let mut header = Vec::new();
            input
                .take((size - body).min(LARGEST))
                .read_to_end(&mut header)?;
            return Ok(Some(header));
        }
        at += size;
    }
    Ok(None)
}

/// The boxes of a box, up to the first that does not fit, with their names.
fn boxes(bytes: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let name = rest.get(4..8)?.try_into().ok()?;
        let (size, body) = match number(rest, 0, 4)? {
            0 => (rest.len(), 8),
            1 => (usize::try_from(number(rest, 8, 8)?).ok()?, 16),
            size => (usize::try_from(size).ok()?, 8),
        };
        let inside = rest.get(body..size)?;
        rest = rest.get(size..)?;
        Some((name, inside))
    })
}

/// The box at the end of a path of names.
fn find<'a>(bytes: &'a [u8], path: &[&[u8; 4]]) -> Option<&'a [u8]> {
    path.iter().try_fold(bytes, |inside, wanted| {
        let mut found = boxes(inside).filter(|(name, _)| name == *wanted);
        found.next().map(|(_, inside)| inside)
    })
}

/// A number of so many bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    Some(
        bytes
            .iter()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)),
    )
}

/// By the header of the movie (8.2.2); of a film in pieces by the extension of that (8.8.2).
fn duration(header: &[u8]) -> Option<f64> {
    let movie = find(header, &[b"mvhd"])?;
    let (scale, whole) = match movie.first()? {
        0 => (number(movie, 12, 4)?, number(movie, 16, 4)?),
        _ => (number(movie, 20, 4)?, number(movie, 24, 8)?),
    };
    let in_pieces = || {
        let pieces = find(header, &[b"mvex", b"mehd"])?;
        number(pieces, 4, if *pieces.first()? == 0 { 4 } else { 8 })
    };
    let unknown = [0, u64::from(u32::MAX), u64::MAX];
    let known = |length: &u64| !unknown.contains(length);
    let length = Some(whole).filter(known).or_else(in_pieces);
    let length = length.filter(known).filter(|_| scale > 0)?;
    Some(length as f64 / scale as f64)
}

/// The pixels of a track, if it is one of pictures.
fn picture_size(track: &[u8]) -> Option<(u16, u16)> {
    let media = find(track, &[b"mdia"])?;
    if find(media, &[b"hdlr"])?.get(8..12)? != b"vide" {
        return None;
    }
    let entry = find(media, &[b"minf", b"stbl", b"stsd"])?;
    let side = |at| u16::try_from(number(entry, at, 2)?).ok();
    let size = (side(WIDTH)?, side(WIDTH + 2)?);
    (size.0 > 0 && size.1 > 0).then_some(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(name: &[u8; 4], inside: &[u8]) -> Vec<u8> {
        let size = u32::try_from(inside.len() + 8).unwrap();
        [&size.to_be_bytes(), &name[..], inside].concat()
    }

    fn movie(scale: u32, length: u32) -> Vec<u8> {
        let head = [[0; 12].as_slice(), &scale.to_be_bytes()].concat();
        boxed(b"mvhd", &[&head[..], &length.to_be_bytes()].concat())
    }

    fn film(header: &[u8]) -> Film {
        let file = [boxed(b"ftyp", b"isom"), boxed(b"moov", header)].concat();
        Film::read(&mut Source::of_memory(file, "video/mp4")).unwrap()
    }

    #[test]
    fn a_film_says_how_long_it_is() {
        assert_eq!(film(&movie(600, 900)).duration, Some(1.5));
        for (scale, length) in [(0, 900), (600, 0), (600, u32::MAX)] {
            assert_eq!(film(&movie(scale, length)), Film::default());
        }
    }

    #[test]
    fn a_film_in_pieces_says_it_elsewhere() {
        let pieces = boxed(b"mehd", &[[0; 4], 1200_u32.to_be_bytes()].concat());
        let header = [movie(600, 0), boxed(b"mvex", &pieces)].concat();
        assert_eq!(film(&header).duration, Some(2.0));
    }

    #[test]
    fn what_is_no_film_or_half_of_one_says_nothing() {
        let whole = [boxed(b"ftyp", b"isom"), boxed(b"moov", &movie(600, 900))].concat();
        let endless = [1_u32.to_be_bytes().as_slice(), b"free", &[255; 8]].concat();
        let halves = (0..whole.len()).map(|length| whole[..length].to_vec());
        for bytes in halves.chain([endless, vec![0; 9], b"\x1a\x45\xdf\xa3 webm".to_vec()]) {
            let film = Film::read(&mut Source::of_memory(bytes.clone(), "video/mp4"));
            assert_eq!(film.unwrap_or_default(), Film::default(), "{bytes:?}");
        }
    }
}
