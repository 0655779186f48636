//! What is known about a file: the facts, as JSON.

use std::fs::File;

use serde_json::{Value, json};

use super::{derive, made, sample, with_bytes};

#[track_caller]
fn facts(name: &str, mime: &str) -> Value {
    let source = File::open(sample(name)).expect("a sample");
    let output = derive("facts", mime, source);
    let made = made(&output);
    let written: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        made["facts"], written,
        "{name}: the line and the product say the same"
    );
    written
}

/// Each sample with its identifier in PRONOM and its MIME type.
const FORMATS: [(&str, &str, &str); 27] = [
    ("pictures/rgb.jpg", "fmt/43", "image/jpeg"),
    ("pictures/turned-6.jpg", "fmt/41", "image/jpeg"),
    ("pictures/rgb.png", "fmt/11", "image/png"),
    ("pictures/rgb.gif", "fmt/4", "image/gif"),
    ("pictures/plain.tif", "fmt/353", "image/tiff"),
    ("pictures/big-endian-16.tif", "fmt/353", "image/tiff"),
    ("pictures/bigtiff.tif", "fmt/1917", "image/tiff"),
    ("pictures/rgb.jp2", "x-fmt/392", "image/jp2"),
    ("pictures/gray.j2k", "fmt/1794", "image/jp2"),
    ("pictures/rgb.webp", "fmt/566", "image/webp"),
    ("pictures/rgb.bmp", "fmt/116", "image/bmp"),
    ("documents/two-pages.pdf", "fmt/18", "application/pdf"),
    ("documents/page.html", "fmt/471", "text/html"),
    ("documents/western.txt", "x-fmt/111", "text/plain"),
    (
        "documents/letter.docx",
        "fmt/412",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    (
        "documents/table.xlsx",
        "fmt/214",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    (
        "documents/talk.pptx",
        "fmt/215",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
    (
        "documents/text.odt",
        "fmt/291",
        "application/vnd.oasis.opendocument.text",
    ),
    (
        "documents/spreadsheet.ods",
        "fmt/295",
        "application/vnd.oasis.opendocument.spreadsheet",
    ),
    (
        "documents/presentation.odp",
        "fmt/293",
        "application/vnd.oasis.opendocument.presentation",
    ),
    ("recordings/cover.mp3", "fmt/134", "audio/mpeg"),
    ("recordings/cover.flac", "fmt/279", "audio/flac"),
    ("recordings/tone.ogg", "fmt/203", "audio/ogg"),
    ("recordings/tone.m4a", "fmt/199", "audio/mp4"),
    ("recordings/tone.wav", "fmt/141", "audio/x-wav"),
    ("recordings/pictures.mp4", "fmt/199", "video/mp4"),
    ("20x10.png", "fmt/11", "image/png"),
];

#[test]
fn every_sample_is_identified() {
    for (name, puid, mime) in FORMATS {
        let facts = facts(name, mime);
        let said = [&facts["puid"], &facts["mime"], &facts["mime_differs"]];
        assert_eq!(said, [&json!(puid), &json!(mime), &json!(false)], "{name}");
        assert!(facts.get("damage").is_none(), "{name}: {facts}");
    }
}

#[test]
fn a_type_that_is_wrong_is_told() {
    let facts = facts("pictures/rgb.png", "image/jpeg");
    assert_eq!(facts["declared_mime"], "image/jpeg");
    assert_eq!(facts["mime"], "image/png");
    assert_eq!(facts["mime_differs"], true);
}

#[test]
fn pictures_are_measured() {
    for entry in std::fs::read_dir(sample("pictures")).expect("samples") {
        let name = entry.expect("a sample").file_name();
        let name = name.to_string_lossy();
        let facts = facts(&format!("pictures/{name}"), "image/x");
        let turned = ["turned-5", "turned-6", "turned-7", "turned-8"];
        let size = match () {
            () if name == "large-group4.tif" => [2400, 1800],
            () if name == "large.jpg" => [1280, 960],
            () if name == "one-tile.j2k" => [256, 256],
            () if name == "large-group4-expected.png" => [512, 384],
            () if turned.iter().any(|turn| name.starts_with(turn)) => [120, 160],
            () => [160, 120],
        };
        assert_eq!(
            [&facts["width"], &facts["height"]],
            size.map(Value::from).each_ref(),
            "{name}"
        );
        assert!(facts["bit_depth"].is_u64(), "{name}");
    }
    let facts = facts("pictures/rgb-16.tif", "image/tiff");
    assert_eq!(
        [&facts["bit_depth"], &facts["colour_space"]],
        [&json!(16), &json!("RGB")]
    );
}

#[test]
fn pages_and_lengths_are_counted() {
    assert_eq!(facts("pictures/pages.tif", "image/tiff")["pages"], 3);
    assert_eq!(facts("pictures/pyramid.tif", "image/tiff")["pages"], 1);
    let pdf = facts("documents/two-pages.pdf", "application/pdf");
    assert_eq!(pdf["pages"], 2);
    let offered = json!({"title": "Isole", "creators": ["Ann Smith"], "date": "1999-05-17"});
    assert_eq!(pdf["offered"], offered);
    for name in ["cover.mp3", "cover.flac", "tone.ogg", "tone.m4a"] {
        let facts = facts(&format!("recordings/{name}"), "audio/x");
        let duration = facts["duration"].as_f64().expect("a length");
        assert!((0.9..1.2).contains(&duration), "{name}: {duration}");
        assert_eq!(facts["sample_rate"], 22050, "{name}");
        assert_eq!(facts["offered"]["title"], "Salt islands", "{name}");
        assert_eq!(facts["offered"]["date"], "1999-05-17", "{name}");
    }
    let silent = facts("recordings/pictures.mp4", "video/mp4");
    let said = [&silent["duration"], &silent["width"], &silent["height"]];
    assert_eq!(said, [&json!(1.0), &json!(160), &json!(120)]);
    assert_eq!(silent["offered"]["title"], "Salt islands");
}

/// A segment of a JPEG.
fn segment(marker: u8, body: &[u8]) -> Vec<u8> {
    let length = (body.len() as u16 + 2).to_be_bytes();
    [&[0xff, marker], &length[..], body].concat()
}

/// A field of an Exif directory, most significant byte first.
fn field(tag: u16, kind: u16, count: u32, value: [u8; 4]) -> Vec<u8> {
    let (tag, kind, count) = (tag.to_be_bytes(), kind.to_be_bytes(), count.to_be_bytes());
    [&tag[..], &kind, &count, &value].concat()
}

/// Exif with a place south of the equator: 12 degrees 30 minutes S, 45 degrees 15 minutes 36 seconds E.
fn exif() -> Vec<u8> {
    let mut tiff = b"MM\0*\0\0\0\x08\0\x01".to_vec();
    tiff.extend(field(0x8825, 4, 1, 26_u32.to_be_bytes()));
    tiff.extend([0; 4]);
    tiff.extend(b"\0\x04");
    tiff.extend(field(1, 2, 2, *b"S\0\0\0"));
    tiff.extend(field(2, 5, 3, 80_u32.to_be_bytes()));
    tiff.extend(field(3, 2, 2, *b"E\0\0\0"));
    tiff.extend(field(4, 5, 3, 104_u32.to_be_bytes()));
    tiff.extend([0; 4]);
    for part in [12_u32, 30, 0, 45, 15, 36] {
        tiff.extend(part.to_be_bytes());
        tiff.extend(1_u32.to_be_bytes());
    }
    [b"Exif\0\0", &tiff[..]].concat()
}

const XMP: &str = r#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description photoshop:City="Burano">
    <dc:title><rdf:Alt><rdf:li>Salt islands</rdf:li></rdf:Alt></dc:title>
    <dc:creator><rdf:Seq><rdf:li>Ann Smith</rdf:li></rdf:Seq></dc:creator>
    </rdf:Description></rdf:RDF></x:xmpmeta>"#;

#[test]
fn what_a_picture_says_of_itself_is_offered() {
    let plain = std::fs::read(sample("pictures/rgb.jpg")).expect("a sample");
    let iptc = b"\x1c\x02\x05\0\x05Other\x1c\x02\x37\0\x0819990517\x1c\x02\x78\0\x04Lace";
    let resource = [
        &b"Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0"[..],
        &[iptc.len() as u8],
        iptc,
    ]
    .concat();
    let xmp = [&b"http://ns.adobe.com/xap/1.0/\0"[..], XMP.as_bytes()].concat();
    let segments = [
        segment(0xe1, &exif()),
        segment(0xe1, &xmp),
        segment(0xed, &resource),
    ]
    .concat();
    let bytes = [&plain[..2], &segments, &plain[2..]].concat();
    let output = derive("facts", "image/jpeg", with_bytes(&bytes));
    let offered = json!({
        "title": "Salt islands",
        "creators": ["Ann Smith"],
        "place": "Burano",
        "date": "1999-05-17",
        "description": "Lace",
        "coordinates": {"latitude": -12.5, "longitude": 45.26},
    });
    assert_eq!(made(&output)["facts"]["offered"], offered);
}
