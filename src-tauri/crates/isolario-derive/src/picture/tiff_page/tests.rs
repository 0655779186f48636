//! Each page that is cut out has the fields, the packed bytes and the pixels of the page in the whole file.

use std::io::Cursor;

use super::super::raster::Raster;
use super::super::{tiff, tiff_entry};
use super::*;

macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!("../../../../../../tests/samples/pictures/", $name))
    };
}

const LITTLE: [&[u8]; 12] = [
    sample!("plain.tif"),
    sample!("lzw.tif"),
    sample!("tiled.tif"),
    sample!("group4.tif"),
    sample!("planar.tif"),
    sample!("packbits.tif"),
    sample!("tiled-jpeg.tif"),
    sample!("palette.tif"),
    sample!("alpha.tif"),
    sample!("cmyk.tif"),
    sample!("jpeg.tif"),
    sample!("rgb-16.tif"),
];
const BIG_ENDIAN: &[u8] = sample!("big-endian-16.tif");
const BIG_TIFF: &[u8] = sample!("bigtiff.tif");
/// Of three pages: colours, greys, and black and white.
const PAGES: &[u8] = sample!("pages.tif");

fn cut_page(file: &[u8], number: usize) -> Result<Vec<u8>, DeriveError> {
    let mut source = Source::of_memory(file.to_vec(), "image/tiff").of_page(number);
    let mut page = Vec::new();
    cut(&mut source, &mut page).map(|_| page)
}

fn pixels(file: &[u8], number: usize) -> Raster {
    let mut source = Source::of_memory(file.to_vec(), "image/tiff").of_page(number);
    tiff::read(&mut source, 1 << 20).expect("a picture").raster
}

fn page(file: &[u8], number: usize) -> Directory {
    let mut file = Cursor::new(file);
    let mut pages = Pages::of(&mut file).expect("a TIFF");
    pages.numbered(&mut file, number).expect("a page")
}

/// The packed bytes of strips or tiles.
fn chunks(file: &[u8], number: usize) -> Vec<&[u8]> {
    let page = page(file, number);
    let all = CHUNKS.iter().flat_map(|(places, lengths)| {
        page.numbers(*places)
            .into_iter()
            .zip(page.numbers(*lengths))
    });
    all.map(|(at, length)| &file[at as usize..(at + length) as usize])
        .collect()
}

/// The fields that hold no places.
fn fields(file: &[u8], number: usize) -> Vec<(u16, u16, Vec<u8>)> {
    let places = |tag: u16| CHUNKS.iter().any(|(places, _)| *places == tag);
    let page = page(file, number);
    let own = page.all_fields().filter(|field| !places(field.tag));
    own.map(|field| (field.tag, field.kind, field.bytes.to_vec()))
        .collect()
}

/// One file with the first pages of several, whose numbers are written alike: each file stands in it as a whole.
fn joined(files: &[&[u8]]) -> Vec<u8> {
    let writing = page(files[0], 1).writing();
    let inline = writing.inline();
    let first = if writing.big { 8 } else { 4 };
    let mut all = Vec::new();
    let mut link = first;
    for file in files {
        all.resize(all.len().next_multiple_of(8), 0);
        let base = all.len();
        all.extend(*file);
        let number =
            |all: &[u8], at: usize, size: usize| writing.number(&all[at..at + size]) as usize;
        let shift = |all: &mut Vec<u8>, at: usize| {
            let moved = writing.bytes((number(all, at, inline) + base) as u64, inline);
            all[at..at + inline].copy_from_slice(&moved);
        };
        let table = number(&all, base + first, inline) + base;
        let count = number(&all, table, writing.count_size());
        for index in 0..count {
            let at = table + writing.count_size() + index * writing.entry_size();
            let (tag, values) = (number(&all, at, 2), number(&all, at + 4, inline));
            let kind = number(&all, at + 2, 2) as u16;
            let entry = tiff_entry::Entry {
                kind,
                bytes: Vec::new(),
            };
            let mut slot = at + 4 + inline;
            if values * entry.size() > inline {
                shift(&mut all, slot);
                slot = number(&all, slot, inline);
            }
            if CHUNKS.iter().any(|(places, _)| usize::from(*places) == tag) {
                assert_eq!(entry.size(), inline, "places of another size");
                (0..values).for_each(|value| shift(&mut all, slot + value * inline));
            }
        }
        let place = writing.bytes(table as u64, inline);
        all[link..link + inline].copy_from_slice(&place);
        link = table + writing.count_size() + count * writing.entry_size();
        all[link..link + inline].fill(0);
    }
    all
}

#[track_caller]
fn assert_cut(file: &[u8], count: usize) {
    for number in 1..=count {
        let own = cut_page(file, number).expect("a page");
        assert_eq!(fields(&own, 1), fields(file, number), "page {number}");
        assert_eq!(chunks(&own, 1), chunks(file, number), "page {number}");
        assert_eq!(pixels(&own, 1), pixels(file, number), "page {number}");
        assert_eq!(&own[..4], &file[..4], "page {number}");
        assert!(cut_page(&own, 2).is_err(), "one page alone");
    }
    let Err(DeriveError::Unreadable(words)) = cut_page(file, count + 1) else {
        panic!("there are {count} pages");
    };
    assert_eq!(words, format!("The TIFF has no page {}.", count + 1));
}

#[test]
fn a_page_keeps_its_fields_and_its_packed_bytes() {
    assert_cut(PAGES, 3);
    let all = joined(&LITTLE);
    assert_cut(&all, LITTLE.len());
    for (number, file) in LITTLE.iter().enumerate() {
        assert_eq!(pixels(&all, number + 1), pixels(file, 1), "{number}");
    }
}

#[test]
fn numbers_stay_written_as_they_are() {
    assert_cut(&joined(&[BIG_ENDIAN, BIG_ENDIAN]), 2);
    assert_cut(&joined(&[BIG_TIFF, BIG_TIFF, BIG_TIFF]), 3);
}

#[test]
fn smaller_pictures_are_no_pages() {
    assert_cut(sample!("pyramid.tif"), 1);
}

/// A TIFF of one black pixel, whose camera says when it was taken.
fn taken(strip: u32, camera: u32) -> Vec<u8> {
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    let long = |tag: u16, value: u32| {
        let parts = [
            &tag.to_le_bytes()[..],
            &[4, 0, 1, 0, 0, 0],
            &value.to_le_bytes(),
        ];
        parts.concat()
    };
    let entries = [
        (256, 1),
        (257, 1),
        (258, 8),
        (259, 1),
        (262, 1),
        (273, 7),
        (278, 1),
        (279, strip),
        (34665, camera),
    ];
    file.extend((entries.len() as u16).to_le_bytes());
    file.extend(entries.iter().flat_map(|(tag, value)| long(*tag, *value)));
    file.extend([0; 4]);
    assert_eq!(file.len(), 122);
    file.extend([
        1, 0, 0x03, 0x90, 2, 0, 20, 0, 0, 0, 140, 0, 0, 0, 0, 0, 0, 0,
    ]);
    file.extend(b"1999:05:17 10:11:12\0");
    file
}

#[test]
fn what_the_camera_says_goes_along() {
    let own = cut_page(&taken(1, 122), 1).expect("a page");
    let mut file = Cursor::new(&own);
    let camera = page(&own, 1).child(34665, &mut file).expect("a directory");
    assert_eq!(camera.bytes(0x9003), Some(&b"1999:05:17 10:11:12\0"[..]));
    assert_eq!(chunks(&own, 1), [&[0]]);
    let without = cut_page(&taken(1, 100_000), 1).expect("a page");
    assert!(page(&without, 1).bytes(34665).is_none(), "there is nothing");
}

#[test]
fn a_page_that_goes_round_or_says_too_much_is_refused_in_words() {
    let round = cut_page(&taken(1, 8), 1).expect("as deep as directories may lie");
    assert!(round.len() < 2000, "{}", round.len());
    for strip in [1000, u32::MAX] {
        let Err(DeriveError::Unreadable(words)) = cut_page(&taken(strip, 122), 1) else {
            panic!("{strip} bytes are not there");
        };
        assert!(words.ends_with('.') && words.contains("bytes"), "{words}");
    }
}

#[test]
fn a_page_that_ends_early_is_refused() {
    let all = joined(&LITTLE[1..3]);
    for length in (0..all.len()).step_by(211) {
        for number in [1, 2] {
            if let Ok(own) = cut_page(&all[..length], number) {
                assert_eq!(chunks(&own, 1), chunks(&all, number), "{length}");
            }
        }
    }
    assert!(cut_page(&all[..all.len() - 100], 2).is_err());
}
