//! Exif as cameras and other programs write it: in four formats, each way up, and broken in many ways.

use image::imageops::{flip_horizontal, flip_vertical, rotate90, rotate180, rotate270};
use isolario_derive::{Kind, Source, derive as derive_here};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::hostile::chunk;
use super::likeness::{distance, read};
use super::{derive, derive_within_bounds, made, sample, with_bytes};

/// A field: its tag, its type, how many values, and their bytes.
type Field<'a> = (u16, u16, u32, &'a [u8]);

const DATE: Field = (0x9003, 2, 20, b"1999:05:17 10:11:12\0");
const ARTIST: Field = (0x013b, 2, 10, b"Ann Smith\0");

/// A directory at a place of a structure, most significant byte first. As some programs do, it does not say where the
/// next one is: in its place the values begin.
fn directory(at: u32, fields: &[Field]) -> Vec<u8> {
    let mut table = (fields.len() as u16).to_be_bytes().to_vec();
    let mut values = Vec::new();
    for (tag, kind, count, bytes) in fields {
        table.extend([tag.to_be_bytes(), kind.to_be_bytes()].concat());
        table.extend(count.to_be_bytes());
        let place = at as usize + 2 + 12 * fields.len() + values.len();
        match bytes.len() {
            0..=4 => table.extend([bytes, &[0; 4][bytes.len()..]].concat()),
            _ => table.extend((place as u32).to_be_bytes()),
        }
        values.extend(if bytes.len() > 4 { bytes } else { &[][..] });
    }
    [table, values].concat()
}

/// A structure with an orientation, a date, an artist, and more fields beside them.
fn structure(orientation: u8, more: &[Field]) -> Vec<u8> {
    let turn = [0, orientation];
    let pointer = 8_u32.to_be_bytes();
    let mut fields = vec![(0x0112, 3, 1, &turn[..]), ARTIST];
    fields.extend(more);
    let own = 8 + directory(0, &[DATE]).len() as u32;
    fields.push((0x8769, 4, 1, &pointer));
    let head = [b"MM\0*", &own.to_be_bytes()[..]].concat();
    [head, directory(8, &[DATE]), directory(own, &fields)].concat()
}

/// A sample that carries Exif, as its format does.
fn carrying(name: &str, exif: &[u8]) -> Vec<u8> {
    let plain = std::fs::read(sample(&format!("pictures/{name}"))).expect("a sample");
    if name.ends_with(".jpg") {
        let body = [b"Exif\0\0", exif].concat();
        let length = (body.len() as u16 + 2).to_be_bytes();
        return [&plain[..2], b"\xff\xe1", &length, &body, &plain[2..]].concat();
    }
    if name.ends_with(".png") {
        let header = 8 + 25;
        return [&plain[..header], &chunk(b"eXIf", exif), &plain[header..]].concat();
    }
    let even = [exif, &[0; 1][..exif.len() % 2]].concat();
    let extended = b"VP8X\x0a\0\0\0\x08\0\0\0\x9f\0\0\x77\0\0";
    let carried = [b"EXIF", &(exif.len() as u32).to_le_bytes()[..], &even].concat();
    let body = [b"WEBP", &extended[..], &plain[12..], &carried].concat();
    [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
}

fn facts(bytes: &[u8]) -> Value {
    made(&derive("facts", "image/x", with_bytes(bytes)))["facts"].clone()
}

/// The picture of the samples, as a reader shows it that has this orientation from its file.
pub fn shown(orientation: u8) -> image::RgbImage {
    let plain = read(&std::fs::read(sample("pictures/rgb.png")).expect("a sample"));
    match orientation {
        2 => flip_horizontal(&plain),
        3 => rotate180(&plain),
        4 => flip_vertical(&plain),
        5 => flip_horizontal(&rotate90(&plain)),
        6 => rotate90(&plain),
        7 => flip_horizontal(&rotate270(&plain)),
        8 => rotate270(&plain),
        _ => plain,
    }
}

/// The picture of the samples with this orientation, in each format that can say one.
pub fn turned(orientation: u8) -> [Vec<u8>; 4] {
    let mut tiff = std::fs::read(sample("pictures/plain.tif")).expect("a sample");
    let said = [0x12, 1, 3, 0, 1, 0, 0, 0, 1];
    let place = tiff
        .windows(9)
        .position(|nine| nine == said)
        .expect("a tag");
    tiff[place + 8] = orientation;
    let exif = structure(orientation, &[]);
    let [jpeg, png, webp] = ["rgb.jpg", "rgb.png", "rgb.webp"].map(|name| carrying(name, &exif));
    [jpeg, png, webp, tiff]
}

#[test]
fn each_format_is_upright_with_each_orientation() {
    for orientation in 1..=8 {
        for bytes in turned(orientation) {
            assert_eq!(facts(&bytes)["orientation"], orientation);
            for kind in ["thumbnail", "service"] {
                let output = derive(kind, "image/x", with_bytes(&bytes));
                made(&output);
                let distance = distance(&read(&output.stdout), &shown(orientation));
                assert!(distance < 4.0, "{orientation}: {distance:.2}");
            }
        }
    }
}

#[test]
fn exif_of_another_program_is_read_whole() {
    let facts = facts(&std::fs::read(sample("pictures/turned-6-piexif.jpg")).expect("a sample"));
    let offered = json!({
        "creators": ["Ann Smith"],
        "date": "1999-05-17",
        "coordinates": {"latitude": -12.5, "longitude": 45.26},
    });
    assert_eq!(
        (&facts["offered"], &facts["orientation"]),
        (&offered, &json!(6))
    );
    assert_eq!(facts["exif"]["DateTimeOriginal"], "1999-05-17 10:11:12");
}

#[test]
fn a_broken_field_costs_that_field_alone() {
    let far = [0x7f; 5];
    let broken: [&[Field]; 6] = [
        &[(0x010e, 2, 0xffff_ffff, &far)],
        &[(0x010e, 2, 5000, &far)],
        &[(0x010e, 99, 7, &far)],
        &[(0x8825, 4, 1, &[0, 0, 0, 8])],
        &[(0x8825, 4, 1, &[0xff; 4])],
        &[(0x8825, 2, 5, &far), (0xa005, 4, 1, &[0, 0, 0, 8])],
    ];
    for fields in broken {
        let bytes = carrying("rgb.jpg", &structure(6, fields));
        let facts = facts(&bytes);
        let offered = json!({"creators": ["Ann Smith"], "date": "1999-05-17"});
        assert_eq!(facts["offered"], offered, "{fields:?}");
        assert_eq!(facts["orientation"], 6, "{fields:?}");
    }
}

#[test]
fn exif_that_ends_early_says_what_is_whole() {
    let whole = structure(6, &[]);
    let ends = facts(&carrying("rgb.jpg", &whole[..whole.len() - 4]));
    assert_eq!(ends["orientation"], 6, "the last value is the artist's");
    assert_eq!(ends["offered"], json!({"date": "1999-05-17"}));
    for length in 0..whole.len() {
        let facts = facts(&carrying("rgb.jpg", &whole[..length]));
        assert!(facts.get("damage").is_none(), "{length}: {facts}");
    }
}

#[test]
fn a_second_segment_is_read_where_the_first_is_empty() {
    let bytes = carrying("rgb.jpg", &structure(6, &[]));
    let bytes = [&bytes[..2], b"\xff\xe1\0\x08Exif\0\0", &bytes[2..]].concat();
    assert_eq!(facts(&bytes)["orientation"], 6);
}

#[test]
fn whatever_exif_says_the_picture_is_measured() {
    let whole = structure(
        6,
        &[(0x8825, 4, 1, &[0, 0, 0, 8]), (0x010e, 2, 9, b"A harbour")],
    );
    let changes = prop::collection::vec((0..whole.len(), any::<u8>()), 1..12);
    let mut runner = TestRunner::new(Config::with_cases(500));
    let outcome = runner.run(&changes, |changes| {
        let mut exif = whole.clone();
        for (at, byte) in changes {
            exif[at] = byte;
        }
        let bytes = with_bytes(&carrying("rgb.jpg", &exif));
        let mut source = Source::new(bytes, "image/jpeg", None).expect("a file");
        let made = derive_here(Kind::Facts, &mut source, &mut std::io::sink());
        let facts = made.expect("facts").facts;
        prop_assert_eq!((&facts["width"], facts.get("damage")), (&json!(160), None));
        prop_assert!(
            (1..=8).contains(
                &facts
                    .get("orientation")
                    .map_or(1, |turn| turn.as_u64().unwrap_or(0))
            )
        );
        Ok(())
    });
    outcome.expect("facts");
}

#[test]
fn directories_within_directories_end_within_bounds() {
    // Each field points to a directory two bytes further on, whose fields do so again.
    let mut exif = b"MM\0*\0\0\0\x08\xff\xff".to_vec();
    for place in 0..600_000_u32 {
        let at = [0x87, 0x69, 0, 4, 0, 0, 0, 1];
        exif.extend(at);
        exif.extend((10 + place * 2).to_be_bytes());
    }
    let output = derive_within_bounds("facts", with_bytes(&carrying("rgb.png", &exif)));
    assert_eq!(made(&output)["facts"]["width"], 160);
}
