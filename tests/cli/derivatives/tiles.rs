//! The tiles of a picture, which are made when somebody views it closely.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::{Desk, LARGE, SMALL, program};
use crate::program::Serving;

impl Desk {
    /// The tiles of the original of an item, once it is decided whether there are any.
    fn tiles(&self, nid: i64) -> Value {
        let fid = self.media_as(nid, "Original File")[0]["file"]["fid"].clone();
        self.wait_for("tiles", || {
            let tiles = self.get(&format!("/api/v1/files/{fid}/tiles"));
            (tiles["state"] != "waiting").then_some(tiles)
        })
    }

    /// The head of the answer to a request without credentials.
    fn head(&self, path: &str) -> String {
        let mut stream = self.client.serving.connect();
        let host = self.client.serving.address;
        write!(
            stream,
            "HEAD {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        )
        .expect("sent");
        let mut head = String::new();
        stream.read_to_string(&mut head).expect("an answer");
        head
    }
}

/// The path of a tile, with the ticket of who asked for the tiles.
pub fn path_of(tiles: &Value, place: [&str; 3]) -> String {
    let url = tiles["url"].as_str().expect("an address");
    let path = url.find("/api/").map(|at| &url[at..]).expect("a path");
    let names = ["{level}", "{column}", "{row}"].iter().zip(place);
    names.fold(path.to_owned(), |path, (name, number)| {
        path.replace(name, number)
    })
}

#[test]
fn a_picture_is_viewed_in_tiles_and_another_one_in_others() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://map.png", LARGE);
    let tiles = desk.tiles(nid);
    let layout = [
        &tiles["state"],
        &tiles["width"],
        &tiles["height"],
        &tiles["side"],
    ];
    assert_eq!(
        layout,
        [&json!("made"), &json!(20), &json!(10), &json!(512)]
    );
    let head = desk.head(&path_of(&tiles, ["0", "0", "0"]));
    assert!(
        head.starts_with("HTTP/1.1 200") && head.contains("content-type: image/jpeg"),
        "{head}"
    );
    let policy =
        "content-security-policy: sandbox; default-src 'none'; base-uri 'none'; form-action 'none'";
    assert!(head.contains(policy), "{head}");
    for beyond in [
        ["1", "0", "0"],
        ["0", "1", "0"],
        ["x", "0", "0"],
        ["0", "-1", "99999999999"],
    ] {
        let head = desk.head(&path_of(&tiles, beyond));
        assert!(head.starts_with("HTTP/1.1 404"), "{beyond:?} {head}");
    }
    desk.original(nid, "public://map.png", SMALL);
    assert_eq!(desk.tiles(nid)["width"], 7);
    let made = desk.data.path().join("tiles").read_dir().expect("a cache");
    assert_eq!(made.count(), 2);
}

#[test]
fn tiles_of_a_hidden_picture_take_a_ticket() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://map.png", LARGE);
    let (headers, body) = (
        "Content-Type: application/json\r\n",
        json!({"type": [{"target_id": "islandora_object"}], "status": [{"value": false}]}),
    );
    let hidden = desk
        .client
        .send("PATCH", &format!("/node/{nid}"), headers, &body.to_string());
    assert_eq!(hidden.0, 200, "{}", hidden.1);
    let path = path_of(&desk.tiles(nid), ["0", "0", "0"]);
    assert!(desk.head(&path).starts_with("HTTP/1.1 200"));
    let (path, _) = path.split_once('?').expect("a ticket");
    assert!(desk.head(path).starts_with("HTTP/1.1 404"));
}

#[test]
fn why_there_are_no_tiles_is_said() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://half.png", &LARGE[..40]);
    let tiles = desk.tiles(nid);
    assert_eq!(tiles["state"], "refused");
    let reason = tiles["reason"].as_str().expect("words");
    assert!(
        reason.starts_with("The ") && reason.ends_with('.'),
        "{reason}"
    );
    assert_eq!(tiles["url"], Value::Null);
}

#[test]
fn tiles_that_were_lost_or_cut_are_made_anew() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://map.png", LARGE);
    let first = path_of(&desk.tiles(nid), ["0", "0", "0"]);
    let path = cached(desk.data.path()).remove(0);
    let whole = std::fs::read(&path).expect("tiles");
    for left in [None, Some(0), Some(whole.len() / 2)] {
        match left {
            None => std::fs::remove_file(&path).expect("removed"),
            Some(left) => std::fs::write(&path, &whole[..left]).expect("cut"),
        }
        let before = desk.head(&first);
        assert!(before.starts_with("HTTP/1.1 404"), "{left:?} {before}");
        assert_eq!(desk.tiles(nid)["state"], "made", "{left:?}");
        assert!(desk.head(&first).starts_with("HTTP/1.1 200"), "{left:?}");
    }
}

#[test]
fn killed_before_its_tiles_are_kept_a_picture_gets_them_afterwards() {
    let Desk { client, data } = Desk::new();
    let mut command = program(data.path());
    command.env("ISOLARIO_KILL_AT", "tiled");
    let client = client.restart_by(|| Serving::spawn(command));
    let desk = Desk { client, data };
    let nid = desk.item();
    desk.original(nid, "public://map.png", LARGE);
    let fid = &desk.media_as(nid, "Original File")[0]["file"]["fid"];
    // No answer comes: the program is killed while it makes one.
    let asking = desk
        .client
        .begin("GET", &format!("/api/v1/files/{fid}/tiles"), "");
    desk.wait_for("its end", || desk.client.serving.has_ended().then_some(()));
    drop(asking);
    let Desk { client, data } = desk;
    assert_eq!(cached(data.path()).len(), 0);
    let client = client.restart_by(|| Serving::spawn(program(data.path())));
    let desk = Desk { client, data };
    assert_eq!(desk.tiles(nid)["state"], "made");
    assert_eq!(cached(desk.data.path()).len(), 1);
    // Other derivatives of the picture may be on their way there.
    let staging = desk.data.path().join("staging");
    let is_empty = || staging.read_dir().is_ok_and(|files| files.count() == 0);
    desk.wait_for("the end of half of the tiles", || is_empty().then_some(()));
}

/// The files that hold tiles, one for each picture.
fn cached(data: &Path) -> Vec<PathBuf> {
    let entries = data.join("tiles").read_dir().expect("a cache");
    entries.map(|one| one.expect("tiles").path()).collect()
}

#[test]
fn sixty_four_viewers_and_an_upload_do_not_hinder_each_other() {
    let desk = Desk::new();
    let nid = desk.item();
    desk.original(nid, "public://map.png", LARGE);
    let path = path_of(&desk.tiles(nid), ["0", "0", "0"]);
    let viewing = AtomicBool::new(true);
    let answers = std::thread::scope(|threads| {
        let view = || {
            let mut answers = 0;
            while answers == 0 || viewing.load(Ordering::Relaxed) {
                let head = desk.head(&path);
                assert!(head.starts_with("HTTP/1.1 200"), "{head}");
                answers += 1;
            }
            answers
        };
        let viewers: Vec<_> = (0..64).map(|_| threads.spawn(view)).collect();
        let recording = ("file", "public://large.zip", "application/zip");
        desk.book(recording, &vec![7; 20 << 20]);
        viewing.store(false, Ordering::Relaxed);
        viewers
            .into_iter()
            .map(|one| one.join().expect("no answer is missing"))
            .collect::<Vec<u32>>()
    });
    assert!(answers.iter().all(|&answers| answers > 0), "{answers:?}");
}

#[test]
fn each_page_of_a_tiff_has_tiles() {
    let desk = Desk::new();
    let pages: &[u8] = include_bytes!("../../samples/pictures/pages.tif");
    let nid = desk.book(("file", "public://pages.tif", "image/tiff"), pages);
    let fid = desk.media_as(nid, "Original File")[0]["file"]["fid"].clone();
    let tiles_of = |page: u64| {
        desk.wait_for("tiles", || {
            let tiles = desk.get(&format!("/api/v1/files/{fid}/tiles?page={page}"));
            (tiles["state"] != "waiting").then_some(tiles)
        })
    };
    let tags: Vec<String> = [1, 3]
        .into_iter()
        .map(|page| {
            let head = desk.head(&path_of(&tiles_of(page), ["0", "0", "0"]));
            assert!(head.starts_with("HTTP/1.1 200"), "{head}");
            let tag = head.lines().find(|line| line.starts_with("etag"));
            tag.expect("a tag").to_owned()
        })
        .collect();
    assert_ne!(tags[0], tags[1]);
    assert_eq!(tiles_of(4)["state"], "refused");
}
