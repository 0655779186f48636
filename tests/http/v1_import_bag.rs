//! `/api/v1/import/bag`: the items of a bag come as one change.

use std::io::{Cursor, Write};

use aws_lc_rs::digest::{SHA256, digest};
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::{ADMIN, DEPOSITOR, PLAIN, Request, TestServer, outcome};

fn import<'s>(server: &'s TestServer, query: &str, bag: Vec<u8>) -> Request<'s> {
    let path = format!("/api/v1/import/bag?{query}");
    server.post(&path).as_admin().body("application/zip", bag)
}

/// Imports a bag, and waits until that has ended.
pub fn imported(server: &TestServer, query: &str, bag: Vec<u8>) -> Value {
    let begun = import(server, query, bag).send().expect(202).json();
    server.batch_ended(&begun)
}

pub fn undone(server: &TestServer, batch: &Value) -> Value {
    let path = format!("/api/v1/batches/{}/undo", batch["id"]);
    let begun = server.post(&path).as_admin().send().expect(202).json();
    server.batch_ended(&begun)
}

/// A ZIP with these entries.
fn packed(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        let options = SimpleFileOptions::default();
        zip.start_file(name.as_str(), options).expect("a name");
        zip.write_all(bytes).expect("written");
    }
    zip.finish().expect("a ZIP").into_inner()
}

/// The entries of a bag of another program, with these files.
fn strange(files: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    let mut manifest = String::new();
    let mut entries = vec![
        (
            "box/bagit.txt".to_owned(),
            b"BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n".to_vec(),
        ),
        (
            "box/bag-info.txt".to_owned(),
            b"Source-Organization: City\n  archive\nExternal-Description: Letters\nExternal-Identifier: B 7\n".to_vec(),
        ),
    ];
    for (path, text) in files {
        let sum = hex::encode(digest(&SHA256, text.as_bytes()));
        manifest.push_str(&format!("{sum}  data/{path}\n"));
        entries.push((format!("box/data/{path}"), text.as_bytes().to_vec()));
    }
    entries.push(("box/manifest-sha256.txt".to_owned(), manifest.into_bytes()));
    entries
}

pub fn titles(server: &TestServer) -> Vec<String> {
    let list = server.get("/api/v1/items?sort=nid").as_admin().send();
    let list = list.expect(200).json();
    let items = list["items"].as_array().expect("a list").iter();
    let mut titles: Vec<String> = items
        .map(|item| item["title"].as_str().expect("a title").to_owned())
        .collect();
    titles.sort();
    titles
}

/// A collection with an item that has a picture and a subject, as a bag.
pub fn harbour(server: &TestServer) -> Vec<u8> {
    let subject = server.create_term("subject", "Ships of this test");
    let collection = server.create_object("Harbour");
    let fields = json!({"field_member_of": [{"target_id": collection}], "field_subject": [{"target_id": subject}]});
    let map = server.create_object_with("Map", fields);
    server.upload_image(map, "fedora://2026/map.png");
    let bag = server.get(&format!("/api/v1/items/{collection}/bag"));
    bag.as_admin().send().expect(200).body
}

#[test]
fn a_bag_comes_as_one_change_that_is_taken_back_and_made_again() {
    let bag = harbour(&TestServer::start_apart());
    let server = TestServer::start();
    let report = import(&server, "check=true", bag.clone())
        .send()
        .expect(200);
    let report = report.json();
    let counts: Vec<_> = report["counts"].as_array().expect("counts").clone();
    let new = |kind: &str| {
        counts
            .iter()
            .find(|count| count["kind"] == kind)
            .map(|count| count["new"].clone())
    };
    assert_eq!(
        [new("node"), new("media"), new("file")],
        [Some(json!(2)), Some(json!(1)), Some(json!(1))]
    );
    assert!(titles(&server).is_empty());
    let batch = imported(&server, "name=harbour.zip", bag.clone());
    // Two items and a term; the media goes with its item.
    assert_eq!(outcome(&batch), [Some(3), Some(0)]);
    assert_eq!(
        (batch["change"]["act"].as_str(), batch["total"].as_i64()),
        (Some("import_bag"), Some(3))
    );
    assert_eq!(titles(&server), ["Harbour", "Map"]);
    let again = imported(&server, "", bag);
    assert_eq!(outcome(&again), [Some(0), Some(0)]);
    let undo = undone(&server, &batch);
    assert_eq!(outcome(&undo), [Some(3), Some(0)]);
    assert!(titles(&server).is_empty());
    let media = server.get("/media/1?_format=json").as_admin().send();
    media.expect(404);
    assert_eq!(outcome(&undone(&server, &undo)), [Some(3), Some(0)]);
    assert_eq!(titles(&server), ["Harbour", "Map"]);
    let media = server.get("/media/1?_format=json").as_admin().send();
    media.expect(200);
}

#[test]
fn what_somebody_has_changed_since_stays_when_an_import_is_taken_back() {
    let bag = harbour(&TestServer::start_apart());
    let server = TestServer::start();
    let batch = imported(&server, "", bag);
    let map = server
        .get("/api/v1/items?sort=title")
        .as_admin()
        .send()
        .expect(200)
        .json();
    let map = map["items"][1]["nid"].as_i64().expect("an item");
    let body = json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "Chart"}]});
    let path = format!("/node/{map}?_format=json");
    server.patch(&path).as_admin().json(body).send().expect(200);
    let undo = undone(&server, &batch);
    assert_eq!(outcome(&undo), [Some(2), Some(1)]);
    assert_eq!(titles(&server), ["Chart"]);
}

#[test]
fn new_items_come_beside_those_that_are_here() {
    let server = TestServer::start();
    let bag = harbour(&server);
    let report = import(&server, "check=true", bag.clone())
        .send()
        .expect(200);
    assert_eq!(
        report.json()["losses"],
        json!([]),
        "what is here is the same"
    );
    let batch = imported(&server, "new=true", bag.clone());
    assert_eq!(outcome(&batch), [Some(2), Some(0)]);
    assert_eq!(titles(&server), ["Harbour", "Harbour", "Map", "Map"]);
    let copy = server.node(4);
    assert_eq!(copy["title"][0]["value"], "Map");
    assert_eq!(copy["field_member_of"][0]["target_id"], 3);
    assert_eq!(
        copy["field_subject"][0]["target_id"],
        server.node(2)["field_subject"][0]["target_id"]
    );
    let media = server.get("/node/4/media?_format=json").as_admin().send();
    assert_eq!(
        media.expect(200).json()[0]["field_media_of"][0]["target_id"],
        4
    );
    imported(&server, "new=true", bag);
    assert_eq!(titles(&server).len(), 6);
}

#[test]
fn the_files_of_another_bag_become_items_in_collections() {
    let server = TestServer::start();
    let shelf = server.create_object("Shelf");
    let files = [
        ("a.txt", "one"),
        ("deep/b_c.txt", "two"),
        ("deep/.DS_Store", "junk"),
    ];
    let bag = packed(&strange(&files));
    let query = format!("name=box.zip&collection={shelf}");
    let batch = imported(&server, &query, bag.clone());
    assert_eq!(outcome(&batch), [Some(4), Some(1)]);
    assert_eq!(titles(&server), ["Shelf", "a", "b c", "box", "deep"]);
    let collection = server.node(shelf + 1);
    assert_eq!(
        collection["field_description"][0]["value"],
        "Letters\nSource-Organization: City archive"
    );
    assert_eq!(collection["field_identifier"][0]["value"], "B 7");
    assert_eq!(collection["field_member_of"][0]["target_id"], shelf);
    let letter = server.node(shelf + 4);
    assert_eq!(letter["field_member_of"][0]["target_id"], shelf + 3);
    let media = format!("/node/{}/media?_format=json", shelf + 4);
    let media = server.get(&media).as_admin().send().expect(200).json();
    assert_eq!(media.as_array().map(Vec::len), Some(1), "{media}");
    let again = imported(&server, &query, bag);
    assert_eq!(outcome(&again), [Some(0), Some(1)]);
    assert_eq!(outcome(&undone(&server, &batch)), [Some(4), Some(0)]);
    assert_eq!(titles(&server), ["Shelf"]);
}

#[test]
fn bags_are_for_those_who_may_create_items_and_those_of_isolario_for_administrators() {
    let server = TestServer::start();
    let shelf = server.create_object("Shelf");
    let other = packed(&strange(&[("a.txt", "one")]));
    let send = |person, query: &str, bag: &[u8]| {
        let path = format!("/api/v1/import/bag?{query}");
        let request = server.post(&path).signed_in(person);
        request.body("application/zip", bag.to_vec()).send()
    };
    let nobody = server.post("/api/v1/import/bag");
    let nobody = nobody.body("application/zip", other.clone()).send();
    nobody.expect(401);
    send(PLAIN, "", &other).expect(403);
    let query = format!("collection={shelf}");
    let checked = send(DEPOSITOR, "check=true", &other).expect(200).json();
    assert_eq!(checked["files_become_items"], true, "{checked}");
    let begun = send(DEPOSITOR, &query, &other).expect(202).json();
    let batch = server.batch_ended(&begun);
    assert_eq!(outcome(&batch), [Some(2), Some(0)], "{batch}");
    assert_eq!(
        server.node(shelf + 1)["field_member_of"][0]["target_id"],
        shelf
    );
    assert_eq!(server.node(shelf + 2)["title"][0]["value"], "a");
    send(DEPOSITOR, "collection=999999", &other).expect(404);
    let body = json!({"type": [{"target_id": "islandora_object"}], "status": [{"value": false}]});
    let path = format!("/node/{shelf}?_format=json");
    server.patch(&path).as_admin().json(body).send().expect(200);
    send(DEPOSITOR, &query, &other).expect(404);
    let own = harbour(&TestServer::start_apart());
    let refused = send(DEPOSITOR, "check=true", &own).expect(403);
    assert!(refused.message().contains("Isolario has made this bag"));
    let checked = send(ADMIN, "check=true", &own).expect(200).json();
    assert_eq!(checked["files_become_items"], false, "{checked}");
}

/// Sets bytes behind a signature, wherever it is.
fn patched(mut zip: Vec<u8>, signature: &[u8], offset: usize, bytes: &[u8]) -> Vec<u8> {
    let places: Vec<usize> = (0..zip.len())
        .filter(|at| zip[*at..].starts_with(signature))
        .collect();
    for at in places {
        zip[at + offset..at + offset + bytes.len()].copy_from_slice(bytes);
    }
    zip
}

#[test]
fn hostile_zips_end_in_a_sentence() {
    let server = TestServer::shared();
    let whole = strange(&[("a.txt", "one")]);
    let with = |name: &str| {
        let mut entries = whole.clone();
        entries.push((name.to_owned(), b"x".to_vec()));
        packed(&entries)
    };
    let zip = packed(&whole);
    let mut cut = zip.clone();
    cut.truncate(zip.len() - 30);
    let (local, central): (&[u8], &[u8]) = (b"PK\x03\x04", b"PK\x01\x02");
    for (bag, words) in [
        (Vec::new(), "It is no whole ZIP"),
        (b"no ZIP at all".to_vec(), "It is no whole ZIP"),
        (cut, "It is no whole ZIP"),
        (packed(&[]), "it has no bagit.txt"),
        (with("../evil.txt"), "may not contain \"..\""),
        (with("/etc/evil.txt"), "may not be empty"),
        (with("box/data/a\\b.txt"), "may not contain a backslash"),
        (with("evil.txt"), "lies beside the folder of the bag"),
        (with("other/bagit.txt"), "It has several bags."),
        (
            with("box/data/new.txt"),
            "data/new.txt: No manifest lists it.",
        ),
        (with("box/fetch.txt"), "Fetch them first."),
        (
            patched(patched(zip.clone(), local, 6, &[1]), central, 8, &[1]),
            "it is encrypted",
        ),
        (
            patched(patched(zip.clone(), local, 8, &[14]), central, 10, &[14]),
            "a method other than Deflate",
        ),
        (
            patched(zip.clone(), central, 24, &[0xff, 0xff, 0xff, 0x7f]),
            "far more than it has itself",
        ),
        (
            patched(zip.clone(), central, 42, &[0, 0, 0, 0]),
            "lie in the same bytes",
        ),
        (
            patched(zip.clone(), b"PK\x05\x06", 8, &[0xfe, 0xff, 0xfe, 0xff]),
            "It is no whole ZIP",
        ),
    ] {
        let answer = import(server, "check=true", bag).send().expect(422);
        assert!(
            answer.message().contains(words),
            "{words}: {}",
            answer.message()
        );
    }
    let damaged = strange(&[("a.txt", "one"), ("b.txt", "two")]);
    let damaged: Vec<_> = damaged
        .into_iter()
        .map(
            |(name, bytes)| match name.ends_with(".txt") && name.contains("data/") {
                true => (name, b"eno".to_vec()),
                false => (name, bytes),
            },
        )
        .collect();
    let answer = import(server, "", packed(&damaged)).send().expect(422);
    for file in ["data/a.txt", "data/b.txt"] {
        let words = format!("{file}: Its bytes have changed.");
        assert!(answer.message().contains(&words), "{}", answer.message());
    }
    assert!(
        import(server, "check=perhaps", zip)
            .send()
            .expect(400)
            .message()
            .contains("check")
    );
}
