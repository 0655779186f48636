//! A large picture in tiles: each pixel at its place, at each size.

use std::fs::File;
use std::io::{Cursor, Read};

use image::RgbImage;
use serde_json::{Value, json};

use super::hostile::refuses;
use super::{derive, derive_within_bounds, made, sample, told, with_bytes};

/// The entries of a zip with their names, in its order.
fn entries(zip: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut zip = zip::ZipArchive::new(Cursor::new(zip)).expect("a zip");
    let count = zip.len();
    let read = |at: usize| {
        let mut entry = zip.by_index(at).expect("an entry");
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("whole");
        (entry.name().expect("a name").into_owned(), bytes)
    };
    (0..count).map(read).collect()
}

fn decoded(jpeg: &[u8]) -> RgbImage {
    image::load_from_memory(jpeg).expect("a JPEG").to_rgb8()
}

#[test]
fn a_picture_is_cut_at_each_size() {
    let source = File::open(sample("pictures/large-group4.tif")).expect("a sample");
    let output = derive("tiles", "image/tiff", source);
    assert_eq!(made(&output)["mime"], "application/zip");
    let entries = entries(&output.stdout);
    let info: Value = serde_json::from_slice(&entries[0].1).expect("JSON");
    assert_eq!(info, json!({"width": 2400, "height": 1800, "side": 512}));
    let sizes = |name: &str| {
        let tile = entries.iter().find(|(own, _)| own == name);
        tile.map(|(_, jpeg)| decoded(jpeg).dimensions())
    };
    assert_eq!(sizes("0/0_0.jpg"), Some((512, 512)));
    assert_eq!(sizes("0/4_3.jpg"), Some((2400 - 4 * 512, 1800 - 3 * 512)));
    assert_eq!(sizes("1/2_1.jpg"), Some((1200 - 2 * 512, 900 - 512)));
    assert_eq!(sizes("3/0_0.jpg"), Some((300, 225)));
    assert_eq!(entries.len(), 1 + 20 + 6 + 2 + 1);
}

#[test]
fn each_pixel_of_the_original_is_seen() {
    let colour = |x: u32, y: u32| match (x + y) % 2 {
        0 => image::Rgb([20, 20, 60]),
        _ => image::Rgb([240, 230, 200]),
    };
    let board = RgbImage::from_fn(700, 600, colour);
    let mut png = Cursor::new(Vec::new());
    let written = board.write_to(&mut png, image::ImageFormat::Png);
    written.expect("a picture");
    let output = derive("tiles", "image/png", with_bytes(png.get_ref()));
    for (name, jpeg) in entries(&output.stdout) {
        let Some((column, row)) = name
            .strip_prefix("0/")
            .and_then(|name| name.strip_suffix(".jpg"))
            .and_then(|name| name.split_once('_'))
        else {
            continue;
        };
        let corner = |text: &str| text.parse::<u32>().expect("a number") * 512;
        for (x, y, pixel) in decoded(&jpeg).enumerate_pixels() {
            let expected = colour(corner(column) + x, corner(row) + y);
            let off = pixel
                .0
                .iter()
                .zip(expected.0)
                .map(|(one, other)| one.abs_diff(other));
            assert!(off.max() < Some(24), "{name} {x},{y}: {pixel:?}");
        }
    }
}

#[test]
fn tiles_of_jpeg_2000_are_put_together() {
    let tiles = |name: &str| {
        let source = File::open(sample(&format!("pictures/{name}"))).expect("a sample");
        let output = derive("tiles", "image/x", source);
        assert_eq!(made(&output)["facts"]["width"], 160, "{name}");
        entries(&output.stdout)
    };
    // It is packed without loss, so the same pixels become the same JPEGs.
    assert_eq!(tiles("tiled.jp2"), tiles("rgb.png"));
    assert_eq!(tiles("tiled.j2k").len(), 2);
}

#[test]
fn jpeg_2000_with_many_tiles_is_cut_within_bounds() {
    let output = derive_within_bounds("tiles", with_bytes(&jpeg_2000_of_tiles(32)));
    assert_eq!(made(&output)["facts"]["width"], 32 * 256);
    let entries = entries(&output.stdout);
    assert_eq!(entries.len(), 1 + 256 + 64 + 16 + 4 + 1);
    assert_eq!(entries[1], ("0/0_0.jpg".to_owned(), entries[256].1.clone()));
}

/// So many times so many tiles of 256 x 256 pixels, each the same.
fn jpeg_2000_of_tiles(count: u32) -> Vec<u8> {
    let one = std::fs::read(sample("pictures/one-tile.j2k")).expect("a sample");
    // Start of the first tile-part (T.800, A.4.2), after the segment of the size (A.5.1).
    let first = one
        .windows(4)
        .position(|bytes| bytes == [0xff, 0x90, 0, 10]);
    let (header, tile) = one.split_at(first.expect("a tile"));
    let mut whole = header.to_vec();
    whole[8..12].copy_from_slice(&(count * 256).to_be_bytes());
    whole[12..16].copy_from_slice(&(count * 256).to_be_bytes());
    for number in 0..count * count {
        let from = whole.len();
        whole.extend(&tile[..tile.len() - 2]);
        whole[from + 4..from + 6].copy_from_slice(&(number as u16).to_be_bytes());
    }
    whole.extend([0xff, 0xd9]);
    whole
}

#[test]
fn a_hundred_megapixels_are_cut_within_bounds() {
    let whole = super::hostile::black((11_600, 8_700), [8, 2, 0, 0, 0], (1 + 3 * 11_600) * 8_700);
    let output = derive_within_bounds("tiles", with_bytes(&whole));
    assert_eq!(told(&output)["made"]["facts"]["width"], 11_600);
    assert_eq!(
        entries(&output.stdout).len(),
        1 + 23 * 17 + 12 * 9 + 6 * 5 + 3 * 3 + 2 * 2 + 1
    );
}

#[test]
fn what_is_no_picture_or_too_large_is_refused() {
    let text = File::open(sample("documents/page.html")).expect("a sample");
    refuses("a text", &derive_within_bounds("tiles", text));
    // Its rows are missing. It is read row by row, so nobody has to hold all of them.
    let bomb = super::hostile::png(30_000, 30_000, 0);
    refuses("a bomb", &derive_within_bounds("tiles", with_bytes(&bomb)));
    let interlaced = super::hostile::png(30_000, 30_000, 1);
    let words = refuses(
        "an interlaced bomb",
        &derive_within_bounds("tiles", with_bytes(&interlaced)),
    );
    assert!(words.contains("memory"), "{words}");
}
