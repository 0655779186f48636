//! What is made of an original that is cropped and rotated, and what becomes of it when the original changes.

use std::io::{Cursor, Read};

use image::{Rgb, RgbImage};
use serde_json::{Value, json};

use super::{Desk, SMALL};

const RED: [u8; 3] = [220, 30, 30];
const BLUE: [u8; 3] = [30, 30, 220];

/// A scan with a black border of 10 pixels around a page of 60 x 40 that is red at the left and blue at the right.
fn scan() -> Vec<u8> {
    let page = RgbImage::from_fn(80, 60, |x, y| match (x, y) {
        (10..40, 10..50) => Rgb(RED),
        (40..70, 10..50) => Rgb(BLUE),
        _ => Rgb([0; 3]),
    });
    let mut png = Cursor::new(Vec::new());
    let written = page.write_to(&mut png, image::ImageFormat::Png);
    written.expect("a picture");
    png.into_inner()
}

impl Desk {
    fn adjust(&self, mid: &Value, adjustment: &Value) -> Value {
        let path = format!("/api/v1/media/{mid}/picture-adjustment");
        let headers = "Content-Type: application/json\r\n";
        let (status, answer) = self
            .client
            .send("PUT", &path, headers, &adjustment.to_string());
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(&answer).expect("JSON")
    }

    /// The body of a GET that has to succeed.
    fn bytes(&self, path: &str) -> Vec<u8> {
        let mut answer = Vec::new();
        let mut stream = self.client.begin("GET", path, "");
        stream.read_to_end(&mut answer).expect("an answer");
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{path}");
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        answer.split_off(end.expect("a head") + 4)
    }

    /// The picture in a media.
    fn picture(&self, media: &Value) -> RgbImage {
        let path = format!("/api/v1/files/{}/versions", media["file"]["fid"]);
        let version = self.versions(media);
        let bytes = self.bytes(&format!("{path}/{version}/content"));
        image::load_from_memory(&bytes)
            .expect("a picture")
            .to_rgb8()
    }
}

fn is_near(picture: &RgbImage, (x, y): (u32, u32), colour: [u8; 3]) -> bool {
    let pixel = picture.get_pixel(x, y).0;
    let mut pairs = pixel.iter().zip(colour);
    pairs.all(|(one, other)| one.abs_diff(other) < 40)
}

#[test]
fn a_page_is_cropped_out_of_its_border_and_turned() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://scan.png", &scan());
    let first = desk.made(nid, "Thumbnail Image", 1);
    desk.made(nid, "Service File", 1);
    let original = desk.media_as(nid, "Original File").remove(0);
    let page = json!({"x": 10, "y": 10, "width": 60, "height": 40});
    desk.adjust(&original["mid"], &json!({"rotation": 90, "crop": page}));
    for media_use in ["Thumbnail Image", "Service File"] {
        let media = desk.made(nid, media_use, 2);
        let picture = desk.picture(&media);
        assert_eq!(picture.dimensions(), (40, 60));
        assert!(is_near(&picture, (20, 5), RED), "what was left is above");
        assert!(is_near(&picture, (20, 55), BLUE), "what was right is below");
        assert!(is_near(&picture, (1, 1), RED), "the border is gone");
    }
    let second = desk.media_as(nid, "Thumbnail Image").remove(0);
    assert_eq!(first["mid"], second["mid"], "the same media");
    let now = desk.media_as(nid, "Original File").remove(0);
    assert_eq!(now["file"]["sha512"], original["file"]["sha512"]);
    assert_eq!(desk.versions(&now), 1, "the original is as it was");
    desk.adjust(&original["mid"], &json!({}));
    let third = desk.made(nid, "Thumbnail Image", 3);
    assert_eq!(desk.picture(&third).dimensions(), (80, 60));
}

#[test]
fn other_bytes_are_shown_as_they_are() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://scan.png", &scan());
    let mid = desk.media_as(nid, "Original File")[0]["mid"].clone();
    desk.made(nid, "Thumbnail Image", 1);
    desk.adjust(&mid, &json!({"rotation": 90}));
    desk.made(nid, "Thumbnail Image", 2);
    desk.original(nid, "public://scan.png", SMALL);
    let made = desk.made(nid, "Thumbnail Image", 3);
    assert_eq!((&made["width"], &made["height"]), (&json!(7), &json!(5)));
}

#[test]
fn a_crop_is_measured_on_the_upright_picture() {
    let desk = Desk::new();
    let nid = desk.item();
    let bytes = include_bytes!("../../samples/pictures/turned-6-piexif.jpg");
    desk.put(
        nid,
        "Original File",
        ("public://turned.jpg", "image/jpeg"),
        bytes,
    );
    desk.made(nid, "Thumbnail Image", 1);
    let original = desk.media_as(nid, "Original File").remove(0);
    let facts = &original["file"]["facts"];
    assert_eq!(
        (&facts["width"], &facts["orientation"]),
        (&json!(120), &json!(6))
    );
    // As it is stored, this would lie outside.
    let right = json!({"x": 120, "y": 0, "width": 40, "height": 120});
    desk.adjust(&original["mid"], &json!({ "crop": right }));
    let made = desk.made(nid, "Thumbnail Image", 2);
    assert_eq!((&made["width"], &made["height"]), (&json!(40), &json!(120)));
}

#[test]
fn tiles_are_those_of_the_media_or_of_the_file() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://scan.png", &scan());
    let original = desk.media_as(nid, "Original File").remove(0);
    let page = json!({"x": 10, "y": 10, "width": 60, "height": 40});
    desk.adjust(&original["mid"], &json!({"rotation": 270, "crop": page}));
    let (fid, mid) = (&original["file"]["fid"], &original["mid"]);
    let tiles = |query: &str| {
        desk.wait_for("tiles", || {
            let tiles = desk.get(&format!("/api/v1/files/{fid}/tiles{query}"));
            (tiles["state"] == "made").then_some(tiles)
        })
    };
    let adjusted = tiles(&format!("?media={mid}"));
    assert_eq!(
        (&adjusted["width"], &adjusted["height"]),
        (&json!(40), &json!(60))
    );
    let whole = tiles("");
    assert_eq!(
        (&whole["width"], &whole["height"]),
        (&json!(80), &json!(60))
    );
    let shown = |tiles: &Value| {
        let path = super::tiles::path_of(tiles, ["0", "0", "0"]);
        let picture = image::load_from_memory(&desk.bytes(&path));
        picture.expect("a JPEG").to_rgb8()
    };
    assert!(
        is_near(&shown(&adjusted), (20, 5), BLUE),
        "what was right is above"
    );
    assert!(
        is_near(&shown(&whole), (2, 2), [0; 3]),
        "the border is there"
    );
}
