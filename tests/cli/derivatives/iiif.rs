//! The IIIF Image API, as viewers at other sites use it.

use std::io::{Cursor, Read, Write};
use std::process::Command;

use image::{GenericImageView, Rgb, RgbImage};
use serde_json::{Value, json};

use super::{Desk, LARGE};
use crate::program::in_sources;

const PAGES: &[u8] = include_bytes!("../../samples/pictures/pages.tif");
const PDF: &[u8] = include_bytes!("../../samples/documents/two-pages.pdf");

const MAP: (&str, &str, &str) = ("image", "public://map.png", "image/png");

/// An answer to somebody without credentials.
struct Answer {
    head: String,
    body: Vec<u8>,
}

impl Answer {
    #[track_caller]
    fn picture(&self) -> image::DynamicImage {
        assert!(self.head.starts_with("HTTP/1.1 200"), "{}", self.head);
        image::load_from_memory(&self.body).expect("a picture")
    }
}

impl Desk {
    /// A file that everybody may view; its number.
    fn shown(&self, place: (&str, &str, &str), bytes: &[u8]) -> i64 {
        let nid = self.book(place, bytes);
        let media = self.media_as(nid, "Original File");
        media[0]["file"]["fid"].as_i64().expect("a number")
    }

    /// Asks at an address of the Image API, while its tiles are made again and again.
    fn iiif(&self, path: &str, headers: &str) -> Answer {
        self.wait_for("the tiles", || {
            let host = self.client.serving.address;
            let mut stream = self.client.serving.connect();
            let request =
                format!("GET /iiif/image/{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n");
            stream.write_all(request.as_bytes()).expect("sent");
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).expect("an answer");
            let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
            let body = bytes.split_off(end.expect("a head") + 4);
            let head = String::from_utf8(bytes).expect("a head");
            (!head.starts_with("HTTP/1.1 503")).then_some(Answer { head, body })
        })
    }

    fn information(&self, path: &str) -> Value {
        let answer = self.iiif(&format!("{path}/info.json"), "");
        serde_json::from_slice(&answer.body).expect("JSON")
    }
}

/// The picture that the validator knows: a hundred squares, each in a colour of its own.
fn squares() -> Vec<u8> {
    let python = in_sources(".tools/iiif-validator/bin/python");
    let program = "import json; from iiif_validator.validator import ValidationInfo as I; print(json.dumps(I().colorInfo))";
    let output = Command::new(python).args(["-c", program]).output();
    let colours = output.expect("`make install-test-rust` installs it").stdout;
    let colours = String::from_utf8(colours).expect("text");
    let colours = colours.lines().last().expect("a line");
    let colours: Vec<Vec<[u8; 3]>> = serde_json::from_str(colours).expect("colours");
    let picture = RgbImage::from_fn(1000, 1000, |x, y| {
        Rgb(colours[x as usize / 100][y as usize / 100])
    });
    let mut png = Cursor::new(Vec::new());
    let written = picture.write_to(&mut png, image::ImageFormat::Png);
    written.expect("a picture");
    png.into_inner()
}

#[test]
fn the_validator_of_iiif_passes_in_both_versions() {
    let desk = Desk::new();
    let fid = desk.shown(MAP, &squares()).to_string();
    desk.iiif(&format!("3/{fid}/info.json"), "");
    for (version, prefix) in [("3.0", "iiif/image/3"), ("2.0", "iiif/image/2")] {
        let output = Command::new(in_sources(".tools/iiif-validator/bin/python"))
            .arg(in_sources(".tools/iiif-validator/bin/iiif-validate.py"))
            .args(["--server", &desk.client.serving.address.to_string()])
            .args(["--prefix", prefix, "--identifier", &fid])
            .args(["--version", version, "--level", "2"])
            .output()
            .expect("`make install-test-rust` installs it");
        let words = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(
            output.status.success() && words.contains(" 0 failures)"),
            "{words}"
        );
    }
}

#[test]
fn an_image_says_how_large_it_is_and_gives_parts_of_itself() {
    let desk = Desk::new();
    let fid = desk.shown(MAP, LARGE);
    let three = desk.information(&format!("3/{fid}"));
    assert_eq!([&three["width"], &three["height"]], [20, 10]);
    assert_eq!(three["tiles"], json!([{"width": 512, "scaleFactors": [1]}]));
    let two = desk.information(&format!("2/{fid}"));
    assert_eq!(two["@context"], "http://iiif.io/api/image/2/context.json");
    for (parameters, size, canonical) in [
        ("full/max/0/default.jpg", (20, 10), "full/max/0/default.jpg"),
        (
            "square/5,/0/color.png",
            (5, 5),
            "5,0,10,10/5,5/0/default.png",
        ),
        (
            "15,5,900,900/max/90/gray.png",
            (5, 5),
            "15,5,5,5/max/90/gray.png",
        ),
        (
            "pct:0,0,50,100/^40,/!360.0/bitonal.webp",
            (40, 40),
            "0,0,10,10/^40,40/!0/bitonal.webp",
        ),
        (
            "full/10,10/45/default.png",
            (15, 15),
            "full/10,10/45/default.png",
        ),
        (
            "full/max/270/default.jpg",
            (10, 20),
            "full/max/270/default.jpg",
        ),
    ] {
        let answer = desk.iiif(&format!("3/{fid}/{parameters}"), "");
        let link = format!("/iiif/image/3/{fid}/{canonical}>; rel=\"canonical\"");
        assert!(answer.head.contains(&link), "{parameters}: {}", answer.head);
        match parameters.ends_with("webp") {
            true => assert_eq!(&answer.body[8..12], b"WEBP"),
            false => assert_eq!(answer.picture().dimensions(), size, "{parameters}"),
        }
    }
}

#[test]
fn pages_have_images_of_their_own() {
    let desk = Desk::new();
    let (tiff, pdf) = (
        desk.shown(("file", "public://pages.tif", "image/tiff"), PAGES),
        desk.shown(("document", "public://letter.pdf", "application/pdf"), PDF),
    );
    for file in [tiff, pdf] {
        let pages =
            [1, 2].map(|page| desk.iiif(&format!("3/{file}:{page}/full/max/0/default.png"), ""));
        assert_ne!(pages[0].picture(), pages[1].picture());
        let whole = desk.iiif(&format!("3/{file}/full/max/0/default.png"), "");
        assert_eq!(whole.picture(), pages[0].picture());
        let beyond = desk.iiif(&format!("3/{file}:99/info.json"), "");
        assert!(beyond.head.starts_with("HTTP/1.1 404"), "{}", beyond.head);
    }
}

#[test]
fn what_no_image_can_be_is_refused_in_words() {
    let desk = Desk::new();
    let fid = desk.shown(MAP, LARGE);
    for parameters in [
        "20,0,5,5/max/0/default.jpg",
        "0,0,0,5/max/0/default.jpg",
        "99999999999999999999,0,5,5/max/0/default.jpg",
        "-1,0,5,5/max/0/default.jpg",
        "1e1,0,5,5/max/0/default.jpg",
        "pct:0,0,NaN,5/max/0/default.jpg",
        "full/21,/0/default.jpg",
        "full/^1000000000,1000000000/0/default.jpg",
        "full/^pct:1000000000/0/default.jpg",
        "full/0,/0/default.jpg",
        "full/,/0/default.jpg",
        "full/full/0/default.jpg",
        "full/max/upside%20down/default.jpg",
        "full/max/361/default.jpg",
        "full/max/!/default.jpg",
        "full/max/0/native.jpg",
        "full/max/0/default.exe",
        "full/max/0/default",
        "%00/max/0/default.jpg",
        "full%2Fmax/max/0/default.jpg",
    ] {
        let answer = desk.iiif(&format!("3/{fid}/{parameters}"), "");
        assert!(
            answer.head.starts_with("HTTP/1.1 400"),
            "{parameters}: {}",
            answer.head
        );
        let words: Value = serde_json::from_slice(&answer.body).expect("words");
        assert!(
            words["message"]
                .as_str()
                .is_some_and(|text| text.ends_with('.'))
        );
    }
    for id in [
        "0",
        "-1",
        "01",
        "x",
        "1%2F2",
        "999",
        "1:0",
        "1:x",
        "1:1:1",
        "1:99999999999999999999",
    ] {
        let answer = desk.iiif(&format!("3/{id}/info.json"), "");
        assert!(
            answer.head.starts_with("HTTP/1.1 404"),
            "{id}: {}",
            answer.head
        );
    }
}

#[test]
fn pages_of_any_site_may_read_what_everybody_may_see_and_nothing_else() {
    let desk = Desk::new();
    let fid = desk.shown(MAP, LARGE);
    let path = format!("3/{fid}/full/max/0/default.jpg");
    let foreign = "Origin: https://viewer.example\r\n";
    let answer = desk.iiif(&path, foreign);
    assert!(
        answer.head.contains("access-control-allow-origin: *"),
        "{}",
        answer.head
    );
    assert!(!answer.head.contains("allow-credentials"));
    let tag = answer
        .head
        .lines()
        .find_map(|line| line.strip_prefix("etag: "))
        .expect("a tag");
    let known = desk.iiif(&path, &format!("If-None-Match: {tag}\r\n"));
    assert!(known.head.starts_with("HTTP/1.1 304") && known.body.is_empty());
    let hidden = json!({"type": [{"target_id": "islandora_object"}], "status": [{"value": false}]});
    let headers = "Content-Type: application/json\r\n";
    let (status, words) = desk
        .client
        .send("PATCH", "/node/1", headers, &hidden.to_string());
    assert_eq!(status, 200, "{words}");
    for path in [&path, &format!("3/{fid}/info.json")] {
        let answer = desk.iiif(path, foreign);
        assert!(answer.head.starts_with("HTTP/1.1 404"), "{}", answer.head);
    }
    let (status, words) =
        desk.client
            .send("GET", &format!("/iiif/image/3/{fid}/info.json"), "", "");
    assert_eq!(status, 200, "{words}");
    let document: Value = serde_json::from_str(&words).expect("JSON");
    let probe = &document["service"][0];
    assert_eq!(probe["type"], "AuthProbeService2", "{words}");
    let address = probe["id"].as_str().expect("an address");
    assert!(address.ends_with(&format!("/iiif/auth/2/probe/{fid}")));
}
