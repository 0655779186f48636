//! Pictures that are cropped and rotated: what comes out is the region of the upright picture, then turned.

use std::fs::File;
use std::io::Cursor;

use image::RgbImage;
use image::imageops::{crop_imm, rotate90, rotate180, rotate270};

use super::exif::{shown, turned};
use super::hostile::refuses;
use super::likeness::{distance, read};
use super::pictures::RGB;
use super::{derive_adjusted, made, sample, with_bytes};

/// A region of the picture of the samples, which has 160 x 120 pixels.
const REGION: [u32; 4] = [24, 12, 96, 64];

fn region(picture: &RgbImage, [x, y, width, height]: [u32; 4]) -> RgbImage {
    crop_imm(picture, x, y, width, height).to_image()
}

/// With degrees clockwise.
fn rotated(picture: &RgbImage, rotation: u32) -> RgbImage {
    match rotation {
        90 => rotate90(picture),
        180 => rotate180(picture),
        270 => rotate270(picture),
        _ => picture.clone(),
    }
}

fn adjustment([x, y, width, height]: [u32; 4], rotation: u32) -> String {
    format!("{x},{y},{width},{height}/{rotation}")
}

/// A picture in which each place has a colour of its own.
fn gradient(width: u32, height: u32) -> (RgbImage, Vec<u8>) {
    let colour =
        |x: u32, y: u32| image::Rgb([(x * 255 / width) as u8, (y * 255 / height) as u8, 90]);
    let picture = RgbImage::from_fn(width, height, colour);
    let mut png = Cursor::new(Vec::new());
    let written = picture.write_to(&mut png, image::ImageFormat::Png);
    written.expect("a picture");
    (picture, png.into_inner())
}

#[test]
fn each_format_is_cropped_and_rotated() {
    let whole = read(&std::fs::read(sample("pictures/rgb.png")).expect("a sample"));
    let expected = rotated(&region(&whole, REGION), 270);
    for (name, bound) in RGB {
        let source = File::open(sample(&format!("pictures/{name}"))).expect("a sample");
        let output = derive_adjusted("thumbnail", &adjustment(REGION, 270), source);
        made(&output);
        let distance = distance(&read(&output.stdout), &expected);
        assert!(distance < bound, "{name} is {distance:.2} away");
    }
}

#[test]
fn a_region_is_one_of_the_upright_picture_and_turned_from_there() {
    for orientation in 1..=8 {
        // Half of the pictures lie on their side: the region fits both.
        let upright = shown(orientation);
        let small = [8, 16, 64, 48];
        for (number, bytes) in turned(orientation).iter().enumerate() {
            for rotation in [0, 90, 180, 270] {
                let text = adjustment(small, rotation);
                let output = derive_adjusted("service", &text, with_bytes(bytes));
                made(&output);
                let expected = rotated(&region(&upright, small), rotation);
                let distance = distance(&read(&output.stdout), &expected);
                assert!(
                    distance < 4.0,
                    "{number} {orientation} {rotation}: {distance:.2}"
                );
            }
        }
    }
}

#[test]
fn a_picture_is_rotated_as_a_whole() {
    let picture = shown(6);
    for rotation in [90, 180, 270] {
        let text = format!("full/{rotation}");
        let output = derive_adjusted("thumbnail", &text, with_bytes(&turned(6)[1]));
        made(&output);
        let distance = distance(&read(&output.stdout), &rotated(&picture, rotation));
        assert!(distance < 4.0, "{rotation}: {distance:.2}");
    }
}

#[test]
fn a_small_region_of_a_large_picture_has_all_its_pixels() {
    let (picture, png) = gradient(3000, 2000);
    let kept = [1700, 900, 480, 320];
    let output = derive_adjusted("thumbnail", &adjustment(kept, 0), with_bytes(&png));
    assert_eq!(made(&output)["facts"]["width"], 480);
    let distance = distance(&read(&output.stdout), &region(&picture, kept));
    assert!(distance < 1.5, "{distance:.2}");
}

#[test]
fn tiles_are_those_of_the_region() {
    let (_, png) = gradient(1400, 900);
    let text = adjustment([100, 100, 1100, 700], 90);
    let tiles = derive_adjusted("tiles", &text, with_bytes(&png));
    let facts = made(&tiles)["facts"].clone();
    assert_eq!(
        (&facts["width"], &facts["height"]),
        (&700.into(), &1100.into())
    );
}

#[test]
fn what_lies_outside_or_is_no_picture_is_refused() {
    let (_, png) = gradient(40, 30);
    for beyond in [
        "30,0,11,10/0",
        "0,0,40,31/0",
        "0,0,0,10/0",
        "4294967295,0,2,2/0",
    ] {
        let output = derive_adjusted("thumbnail", beyond, with_bytes(&png));
        let words = refuses(beyond, &output);
        assert!(words.contains("40 x 30 pixels"), "{words}");
    }
    let pdf = File::open(sample("documents/two-pages.pdf")).expect("a sample");
    let words = refuses("a PDF", &derive_adjusted("thumbnail", "full/90", pdf));
    assert!(words.contains("Only pictures"), "{words}");
}
