//! What follows an upload by itself, as REST shows it: what is made of original files, once, and never over what
//! somebody has put there.

mod adjusted;
mod bounds;
mod crashes;
mod iiif;
mod iiif_objects;
mod lacking;
mod looked_at;
mod pages;
mod products;
mod tiles;

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Client;
use crate::program::{Serving, isolario};

/// A test that waits longer than this is stuck, not slow.
const STUCK: Duration = Duration::from_secs(90);

const SMALL: &[u8] = include_bytes!("../../samples/7x5.png");
const LARGE: &[u8] = include_bytes!("../../samples/20x10.png");

/// A repository that makes what follows.
struct Desk {
    client: Client,
    data: tempfile::TempDir,
}

/// The program, which makes what follows.
fn program(data: &Path) -> Command {
    let mut command = isolario(data, &["serve", "--listen", "127.0.0.1:0"]);
    command.env_remove("ISOLARIO_NO_DERIVATIVES");
    command
}

impl Desk {
    fn new() -> Desk {
        let data = directory();
        Desk {
            client: Client::of(Serving::spawn(program(data.path()))),
            data,
        }
    }

    /// A new item; its number.
    fn item(&self) -> i64 {
        self.client.object()
    }

    /// Puts bytes where a use of an item has its file; status of the answer.
    #[track_caller]
    fn put(&self, nid: i64, media_use: &str, (uri, mime): (&str, &str), bytes: &[u8]) -> u16 {
        let tid = self.client.term("islandora_media_use", media_use);
        let headers = format!(
            "Content-Type: {mime}\r\nContent-Location: {uri}\r\nContent-Length: {}\r\n",
            bytes.len()
        );
        let place = format!("/node/{nid}/media/image/{tid}");
        let mut stream = self.client.begin("PUT", &place, &headers);
        stream.write_all(bytes).expect("sent");
        let (status, answer) = crate::program::read_answer(stream);
        assert!(status < 300, "{status} {answer}");
        status
    }

    /// Puts the original of an item; status of the answer.
    #[track_caller]
    fn original(&self, nid: i64, uri: &str, bytes: &[u8]) -> u16 {
        self.put(nid, "Original File", (uri, "image/png"), bytes)
    }

    /// JSON of a GET that has to succeed.
    #[track_caller]
    fn get(&self, path: &str) -> Value {
        let (status, text) = self.client.get(path);
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).expect("JSON")
    }

    /// The media of an item. Whether a picture has text depends on what else is on the machine.
    fn media(&self, nid: i64) -> Vec<Value> {
        let answer = self.get(&format!("/api/v1/items/{nid}/media"));
        let mut media = answer["media"].as_array().expect("a list").clone();
        media.retain(|one| one["uses"][0]["name"] != "Extracted Text");
        media
    }

    /// The media of an item with a use.
    fn media_as(&self, nid: i64, media_use: &str) -> Vec<Value> {
        let mut media = self.media(nid);
        media.retain(|one| one["uses"][0]["name"] == media_use);
        media
    }

    /// Waits until there is something, and gives it.
    #[track_caller]
    fn wait_for<T>(&self, what: &str, look: impl Fn() -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(found) = look() {
                return found;
            }
            assert!(begun.elapsed() < STUCK, "waited in vain for {what}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until an item has a media with a use, at a version of its file; the media as it is then.
    #[track_caller]
    fn made(&self, nid: i64, media_use: &str, version: i64) -> Value {
        self.wait_for(media_use, || {
            let found = self.media_as(nid, media_use).pop()?;
            // The version may have come after this answer.
            let is_made = self.versions(&found) == version;
            is_made
                .then(|| self.media_as(nid, media_use).pop())
                .flatten()
        })
    }

    /// How many versions the file of a media has.
    fn versions(&self, media: &Value) -> i64 {
        let path = format!("/api/v1/files/{}/versions", media["file"]["fid"]);
        let answer = self.get(&path);
        answer["versions"].as_array().expect("a list").len() as i64
    }

    /// The alternative text of the picture of a media.
    fn alternative_text(&self, media: &Value) -> String {
        let media = self.get(&format!("/media/{}?_format=json", media["mid"]));
        let text = &media["field_media_image"][0]["alt"];
        text.as_str().expect("a text").to_owned()
    }

    /// Gives the picture of a media an alternative text.
    #[track_caller]
    fn describe(&self, media: &Value, text: &str) {
        let path = format!("/media/{}?_format=json", media["mid"]);
        let body = json!({
            "bundle": [{"target_id": "image"}],
            "field_media_image": [{"target_id": media["file"]["fid"], "alt": text}],
        });
        let json = "Content-Type: application/json\r\n";
        let (status, answer) = self.client.send("PATCH", &path, json, &body.to_string());
        assert_eq!(status, 200, "{answer}");
    }

    /// The origin of the present state of a media.
    fn origin(&self, media: &Value) -> String {
        let history = self.get(&format!("/api/v1/media/{}/revisions", media["mid"]));
        history["revisions"][0]["origin"]
            .as_str()
            .expect("an origin")
            .to_owned()
    }
}

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}
