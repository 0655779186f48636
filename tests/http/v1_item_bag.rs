//! `/api/v1/items/{nid}/bag`: an item with everything below it as a bag in a ZIP.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use aws_lc_rs::digest::{SHA512, digest};
use serde_json::{Value, json};

use crate::support::{Request, Response, TestServer};

/// The files of a bag by their paths in its folder, after all of them were compared with the manifests.
#[track_caller]
fn files(answer: &Response) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(&answer.body)).expect("a ZIP");
    let mut files = BTreeMap::new();
    for place in 0..archive.len() {
        let mut file = archive.by_index(place).expect("a file");
        let name = file.name().expect("UTF-8").into_owned();
        let (_, path) = name.split_once('/').expect("in a folder");
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).expect("bytes as said");
        files.insert(path.to_owned(), bytes);
    }
    let mut listed = vec!["tagmanifest-sha512.txt".to_owned()];
    for manifest in ["manifest-sha512.txt", "tagmanifest-sha512.txt"] {
        let text = String::from_utf8(files[manifest].clone()).expect("text");
        for line in text.lines() {
            let (sum, path) = line.split_once("  ").expect("a line");
            let found = hex::encode(digest(&SHA512, &files[path]));
            assert_eq!(found, sum, "{path}");
            listed.push(path.to_owned());
        }
    }
    listed.sort();
    assert_eq!(files.keys().cloned().collect::<Vec<_>>(), listed);
    files
}

fn bag(server: &TestServer, nid: i64) -> Request<'_> {
    server.get(&format!("/api/v1/items/{nid}/bag"))
}

fn paths(files: &BTreeMap<String, Vec<u8>>, words: &str) -> Vec<String> {
    let paths = files.keys().filter(|path| path.contains(words));
    paths.cloned().collect()
}

#[test]
fn a_bag_has_what_the_reader_sees() {
    let server = TestServer::start();
    let secret = json!({"status": [{"value": false}]});
    let secret = server.create_term_with("subject", "Secret", secret);
    let known = server.create_term("subject", "Known");
    let subjects = json!([{"target_id": secret}, {"target_id": known}]);
    let collection = server.create_object_with("Box", json!({"field_subject": subjects}));
    let inside = |parents: &[i64], status: bool| {
        let parents = parents.iter().map(|nid| json!({"target_id": nid}));
        json!({"field_member_of": parents.collect::<Value>(), "status": [{"value": status}]})
    };
    let folder = server.create_object_with("Hidden folder", inside(&[collection], false));
    let letter = server.create_object_with("Letter", inside(&[folder, collection], true));
    let mid = server.upload_image(letter, "fedora://2026/letter.png");
    let answer = bag(&server, collection).as_admin().send().expect(200);
    assert_eq!(answer.header("content-type"), Some("application/zip"));
    let name = format!("attachment; filename=\"{collection}-box.zip\"");
    assert_eq!(answer.header("content-disposition"), Some(&*name));
    let all = files(&answer);
    let place = format!("data/{collection}-box/{folder}-hidden-folder/{letter}-letter");
    assert_eq!(
        paths(&all, "letter.png"),
        [format!("{place}/files/{mid}-letter.png")]
    );
    assert_eq!(paths(&all, "data/terms/subject/").len(), 2);
    let item: Value = serde_json::from_slice(&all[&format!("{place}/item.json")]).expect("JSON");
    assert_eq!(item, server.node(letter));

    let seen = files(&bag(&server, collection).as_plain().send().expect(200));
    assert_eq!(paths(&seen, "hidden-folder"), [""; 0]);
    let place = format!("data/{collection}-box/{letter}-letter/item.json");
    assert!(seen.contains_key(&place), "{:?}", seen.keys());
    let terms = paths(&seen, "data/terms/subject/");
    assert_eq!(terms, [format!("data/terms/subject/{known}-known.json")]);
    for (path, bytes) in &seen {
        let text = String::from_utf8_lossy(bytes);
        assert!(
            !text.contains("Secret") && !text.contains("Hidden"),
            "{path}: {text}"
        );
    }
}

#[test]
fn without_an_account_or_an_item_there_is_no_bag() {
    let server = TestServer::shared();
    let nid = server.create_object("One");
    bag(server, nid).send().expect(401);
    bag(server, nid).as_plain().send().expect(200);
    let missing = bag(server, 999_999).as_plain().send().expect(404);
    assert_eq!(missing.message(), "there is no node 999999");
}

#[test]
fn items_with_every_field_and_hostile_names_are_bagged() {
    let server = TestServer::start();
    let title = "../..\\CON & <b>\u{202e}50% \u{1f5fa}";
    let top = server.create_object_with(title, json!({"field_note": [{"value": "]]> & \"q\""}]}));
    let mut parent = top;
    for level in 0..12 {
        let member = json!({"field_member_of": [{"target_id": parent}]});
        parent = server.create_object_with(&format!("Level {level}"), member);
    }
    let all = files(&bag(&server, top).as_admin().send().expect(200));
    let items = all.keys().filter(|path| path.ends_with("/item.json"));
    assert_eq!(items.count(), 13);
    for path in all.keys() {
        assert!(path.split('/').count() <= 11 && path.is_ascii(), "{path}");
        assert!(
            !path.contains(['\\', '%', ':', '<']) && !path.contains(".."),
            "{path}"
        );
    }
}

/// The children of elements in a document that has one element in each line, by the order that the schema asks for.
#[track_caller]
fn assert_ordered(document: &str, parent: &str, order: &[&str]) {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let indent = document
        .lines()
        .find(|line| line.trim_start().starts_with(&format!("<{parent}")));
    let indent = depth(indent.unwrap_or_else(|| panic!("no {parent}: {document}"))) + 2;
    let mut last = 0;
    for line in document.lines() {
        if line.trim_start().starts_with(&format!("<{parent}")) {
            last = 0;
        } else if depth(line) == indent && !line.trim_start().starts_with("</") {
            let name = line.trim_start().trim_start_matches('<');
            let name = &name[..name.find([' ', '>']).unwrap_or(name.len())];
            let Some(place) = order.iter().position(|one| *one == name) else {
                continue;
            };
            assert!(place >= last, "{name} in {parent}: {document}");
            last = place;
        }
    }
}

#[test]
fn the_history_has_the_structure_of_premis_and_tells_of_deletions() {
    let server = TestServer::start();
    let item = server.create_object("Letter");
    server.upload_image(item, "fedora://2026/letter.png");
    let path = format!("/api/v1/items/{item}");
    server.delete(&path).as_admin().send().expect(200);
    let path = format!("/api/v1/trash/node/{item}/restore");
    server.post(&path).as_admin().send().expect(204);
    let all = files(&bag(&server, item).as_admin().send().expect(200));
    let place = format!("data/{item}-letter/premis.xml");
    let history = String::from_utf8(all[&place].clone()).expect("UTF-8");
    for event in ["creation", "ingestion", "deletion", "restoration"] {
        assert!(
            history.contains(&format!("<eventType>{event}<")),
            "{history}"
        );
    }
    // As premis-v3-0.xsd has them, as far as they are written.
    let object = ["objectIdentifier", "objectCharacteristics", "originalName"];
    let event = [
        "eventIdentifier",
        "eventType",
        "eventDateTime",
        "eventDetailInformation",
        "eventOutcomeInformation",
        "linkingAgentIdentifier",
        "linkingObjectIdentifier",
    ];
    assert_ordered(&history, "premis ", &["object", "event", "agent"]);
    assert_ordered(&history, "object ", &object);
    assert_ordered(&history, "event>", &event);
    assert_ordered(
        &history,
        "agent>",
        &["agentIdentifier", "agentName", "agentType"],
    );
}
