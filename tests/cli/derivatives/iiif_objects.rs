//! Manifests and collections, as iiif-prezi3 of PyPI reads them (`make install-test-rust` installs it).

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::Desk;
use crate::program::in_sources;

const PAGES: &[u8] = include_bytes!("../../samples/pictures/pages.tif");
const PICTURE: &[u8] = include_bytes!("../../samples/pictures/rgb.jpg");
const PDF: &[u8] = include_bytes!("../../samples/documents/two-pages.pdf");
const TONE: &[u8] = include_bytes!("../../samples/recordings/tone.wav");
const FILM: &[u8] = include_bytes!("../../samples/recordings/pictures.mp4");

/// Fails where a document is none of the Presentation API 3.0.
const READER: &str = "
import json, sys
import iiif_prezi3
document = json.load(sys.stdin)
getattr(iiif_prezi3, document['type'])(**document)
";

#[track_caller]
fn assert_is_read(document: &Value) {
    let python = in_sources(".tools/iiif-prezi3/bin/python");
    let mut child = Command::new(python)
        .args(["-c", READER])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("`make install-test-rust` installs it");
    let mut stdin = child.stdin.take().expect("piped");
    stdin
        .write_all(document.to_string().as_bytes())
        .expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}\n{document}");
}

impl Desk {
    /// The manifest of an item, once its first canvas has these members.
    #[track_caller]
    fn manifest(&self, nid: i64, members: &[&str]) -> Value {
        self.wait_for("the measures of a file", || {
            let path = format!("/iiif/presentation/3/node/{nid}/manifest.json");
            let (status, body) = self.client.serving.get(&path, None);
            assert_eq!(status, 200, "{body}");
            let manifest: Value = serde_json::from_str(&body).expect("JSON");
            let canvas = &manifest["items"][0];
            let has = |member: &&str| canvas.get(*member).is_some();
            members.iter().all(has).then_some(manifest)
        })
    }
}

#[test]
fn every_kind_of_item_is_a_manifest() {
    let desk = Desk::new();
    let kinds: [(_, &[u8], &[&str], usize); 5] = [
        (
            ("image", "public://rgb.jpg", "image/jpeg"),
            PICTURE,
            &["width"],
            1,
        ),
        (
            ("file", "public://pages.tif", "image/tiff"),
            PAGES,
            &["width"],
            3,
        ),
        (
            ("document", "public://two.pdf", "application/pdf"),
            PDF,
            &["items"],
            2,
        ),
        (
            ("audio", "public://tone.wav", "audio/x-wav"),
            TONE,
            &["duration"],
            1,
        ),
        (
            ("video", "public://film.mp4", "video/mp4"),
            FILM,
            &["duration", "width"],
            1,
        ),
    ];
    for (place, bytes, members, canvases) in kinds {
        let nid = desk.book(place, bytes);
        let manifest = desk.wait_for("all canvases", || {
            let manifest = desk.manifest(nid, members);
            let has = manifest["items"].as_array().expect("a list").len();
            (has == canvases).then_some(manifest)
        });
        assert_is_read(&manifest);
        let body = &manifest["items"][0]["items"][0]["items"][0]["body"];
        let kind = match place.0 {
            "audio" => "Sound",
            "video" => "Video",
            _ => "Image",
        };
        assert_eq!(body["type"], kind, "{manifest}");
    }
}
