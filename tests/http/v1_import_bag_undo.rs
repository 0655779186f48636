//! Bytes that the import of a bag has replaced come back when it is taken back.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{TestServer, outcome, png};
use crate::v1_import_bag::{harbour, imported, titles, undone};

/// Imports a bag, and then the same one with another title and other bytes. Returns the second batch, and the id of the
/// file.
fn replaced(server: &TestServer) -> (Value, i64) {
    let there = TestServer::start_apart();
    imported(server, "", harbour(&there));
    let source = there.put("/media/1/source").as_admin();
    source.body("image/png", png(20, 10)).send().expect(204);
    let body = json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "Port"}]});
    let title = there.patch("/node/1?_format=json").as_admin();
    title.json(body).send().expect(200);
    let bag = there.get("/api/v1/items/1/bag").as_admin().send();
    let batch = imported(server, "", bag.expect(200).body);
    assert_eq!(outcome(&batch), [Some(2), Some(0)], "{batch}");
    let fid = server.media(1)["field_media_image"][0]["target_id"].as_i64();
    (batch, fid.expect("a file"))
}

/// The newest bytes of a file.
fn content(server: &TestServer, fid: i64) -> Vec<u8> {
    let versions = server.get(&format!("/api/v1/files/{fid}/versions"));
    let versions = versions.as_admin().send().expect(200).json();
    let newest = versions["versions"][0]["version"].as_i64();
    let version = newest.expect("a version");
    let path = format!("/api/v1/files/{fid}/versions/{version}/content");
    server.get(&path).as_admin().send().expect(200).body
}

fn refused_items(server: &TestServer, batch: &Value) -> String {
    let path = format!("/api/v1/batches/{}/items?state=refused", batch["id"]);
    let items = server.get(&path).as_admin().send().expect(200);
    items.json().to_string()
}

#[test]
fn bytes_that_a_bag_has_replaced_come_back_when_it_is_taken_back() {
    let server = TestServer::start();
    let (batch, fid) = replaced(&server);
    assert_eq!(content(&server, fid), png(20, 10));
    let undo = undone(&server, &batch);
    assert_eq!(outcome(&undo), [Some(2), Some(0)], "{undo}");
    assert_eq!(content(&server, fid), png(7, 5));
    assert_eq!(server.media(1)["field_media_image"][0]["width"], 7);
    let again = undone(&server, &undo);
    assert_eq!(outcome(&again), [Some(2), Some(0)], "{again}");
    assert_eq!(content(&server, fid), png(20, 10));
    assert_eq!(titles(&server), ["Map", "Port"]);
}

#[test]
fn bytes_that_somebody_has_replaced_since_stay_when_an_import_is_taken_back() {
    let server = TestServer::start();
    let (batch, fid) = replaced(&server);
    let source = server.put("/media/1/source").as_admin();
    let body = source.body("image/png", b"a third picture");
    body.send().expect(204);
    let undo = undone(&server, &batch);
    assert_eq!(outcome(&undo), [Some(1), Some(1)], "{undo}");
    assert_eq!(content(&server, fid), b"a third picture");
    let items = refused_items(&server, &undo);
    assert!(items.contains("replaced its file since"), "{items}");
    assert_eq!(titles(&server), ["Harbour", "Map"]);
}

#[test]
fn an_import_is_taken_back_also_where_former_bytes_are_lost() {
    let server = TestServer::start();
    let (batch, fid) = replaced(&server);
    for path in files_below(&server.directory()) {
        if std::fs::read(&path).is_ok_and(|bytes| bytes == png(7, 5)) {
            std::fs::remove_file(path).expect("removed");
        }
    }
    let undo = undone(&server, &batch);
    assert_eq!(outcome(&undo), [Some(1), Some(1)], "{undo}");
    assert_eq!(content(&server, fid), png(20, 10));
    let items = refused_items(&server, &undo);
    assert!(
        items.contains("former bytes of its file are gone"),
        "{items}"
    );
    assert_eq!(titles(&server), ["Harbour", "Map"]);
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let below = paths.map(|path| match path.is_dir() {
        true => files_below(&path),
        false => vec![path],
    });
    below.flatten().collect()
}
