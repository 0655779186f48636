//! Every sample of a picture becomes what it shows. All but a few show the same, so that what is expected is
//! the picture that they were made of (tests/samples/make-pictures).

use std::fs::File;

use super::likeness::{distance, read};
use super::{derive, made, sample};

/// A pair is expected to be nearer than this (`likeness::distance`): what JPEG loses at quality 82.
const NEAR: f64 = 1.5;
/// And this where the sample itself has lost something: JPEG again, a palette, inks.
const LOSSY: f64 = 4.0;

pub const RGB: [(&str, f64); 28] = [
    ("rgb.png", NEAR),
    ("rgb-16.png", NEAR),
    ("interlaced.png", NEAR),
    ("palette.png", LOSSY),
    ("rgb.jpg", LOSSY),
    ("progressive.jpg", LOSSY),
    ("cmyk.jpg", LOSSY),
    ("rgb.gif", LOSSY),
    ("interlaced.gif", LOSSY),
    ("rgb.bmp", NEAR),
    ("palette.bmp", 9.0),
    ("rgb.webp", LOSSY),
    ("rgb.jp2", LOSSY),
    ("plain.tif", NEAR),
    ("lzw.tif", NEAR),
    ("deflate.tif", NEAR),
    ("jpeg.tif", LOSSY),
    ("rgb-16.tif", NEAR),
    ("big-endian-16.tif", NEAR),
    ("cmyk.tif", LOSSY),
    ("lab.tif", LOSSY),
    ("palette.tif", LOSSY),
    ("planar.tif", NEAR),
    ("pages.tif", NEAR),
    ("tiled.tif", NEAR),
    ("tiled-jpeg.tif", LOSSY),
    ("pyramid.tif", NEAR),
    ("bigtiff.tif", NEAR),
];

#[track_caller]
fn looks_like(name: &str, kind: &str, expected: &str, bound: f64) {
    let output = derive(kind, "application/octet-stream", open(name));
    made(&output);
    let expected = std::fs::read(sample(&format!("pictures/{expected}"))).expect("a sample");
    let distance = distance(&read(&output.stdout), &read(&expected));
    assert!(
        distance < bound,
        "{name} is {distance:.2} away, {bound} are allowed"
    );
}

fn open(name: &str) -> File {
    File::open(sample(&format!("pictures/{name}"))).expect("a sample")
}

#[test]
fn every_format_shows_what_it_holds() {
    for (name, bound) in RGB {
        looks_like(name, "thumbnail", "rgb.png", bound);
    }
}

#[test]
fn a_profile_is_followed_as_another_program_follows_it() {
    for name in ["wide.png", "wide.tif", "wide-16.tif"] {
        looks_like(name, "service", "wide-expected.png", NEAR);
    }
    looks_like("wide.jpg", "thumbnail", "wide-expected.png", LOSSY);
}

#[test]
fn greys_stay_greys() {
    for name in ["gray.png", "gray.jpg", "gray.j2k", "packbits.tif"] {
        looks_like(name, "thumbnail", "gray.png", LOSSY);
    }
}

#[test]
fn black_is_black_however_it_is_written() {
    for name in [
        "bilevel.png",
        "group3.tif",
        "group4.tif",
        "white-is-zero.tif",
    ] {
        looks_like(name, "thumbnail", "bilevel.png", NEAR);
    }
}

#[test]
fn every_orientation_is_upright() {
    for turn in 2..=8 {
        looks_like(&format!("turned-{turn}.jpg"), "thumbnail", "rgb.png", LOSSY);
    }
}

#[test]
fn what_is_transparent_stays_so_in_a_thumbnail_and_is_white_in_a_service_image() {
    for name in ["alpha.png", "alpha.tif", "alpha.webp"] {
        looks_like(name, "service", "alpha.png", LOSSY);
        let thumbnail = derive("thumbnail", "image/x", open(name));
        assert_eq!(made(&thumbnail)["mime"], "image/png", "{name}");
        looks_like(name, "thumbnail", "alpha.png", LOSSY);
    }
    let clear = derive("thumbnail", "image/gif", open("alpha.gif"));
    assert_eq!(made(&clear)["mime"], "image/png");
}

#[test]
fn what_is_large_is_made_smaller() {
    looks_like(
        "large-group4.tif",
        "thumbnail",
        "large-group4-expected.png",
        LOSSY,
    );
    let thumbnail = derive("thumbnail", "image/jpeg", open("large.jpg"));
    assert_eq!(made(&thumbnail)["facts"]["width"], 512);
    let service = derive("service", "image/jpeg", open("large.jpg"));
    assert_eq!(made(&service)["facts"]["width"], 1280);
}
