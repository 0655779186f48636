//! `isolario import-bag`: what left as a bag comes back elsewhere.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::bag::{bag, create, files, harbour, upload};
use crate::client::Client;
use crate::program::{complained, isolario, said};

fn import(data: &Path, folder: &Path) -> Output {
    let mut command = isolario(data, &["import-bag"]);
    command.arg(folder).output().expect("it starts")
}

fn json_at(client: &Client, path: &str) -> Value {
    let (status, body) = client.get(path);
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).expect("JSON")
}

/// The items, the oldest first.
fn items(client: &Client) -> Vec<Value> {
    let list = json_at(client, "/api/v1/items?sort=nid");
    let mut nids: Vec<i64> = list["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| item["nid"].as_i64().expect("an id"))
        .collect();
    nids.sort_unstable();
    let nodes = nids
        .iter()
        .map(|nid| json_at(client, &format!("/node/{nid}?_format=json")));
    nodes.collect()
}

/// What an item says, without what is different in every repository: numbers, and terms that were here before.
fn said_by(item: &Value) -> Value {
    let mut item = item.clone();
    let targets = |field: &Value| -> Value {
        let items = field.as_array().into_iter().flatten();
        items.map(|item| item["target_uuid"].clone()).collect()
    };
    for name in ["field_member_of", "field_linked_agent"] {
        item[name] = targets(&item[name]);
    }
    let names = [
        "uuid",
        "title",
        "status",
        "created",
        "field_edtf_date_issued",
        "field_member_of",
        "field_linked_agent",
    ];
    names.iter().map(|name| item[*name].clone()).collect()
}

#[test]
fn items_come_back_with_their_uuids_terms_and_files() {
    let data = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let disk = tempfile::tempdir().unwrap();
    let (here, there) = (
        Client::start(data[0].path()),
        Client::start_apart(data[1].path()),
    );
    let collection = harbour(&here);
    let folder = disk.path().join("bag");
    said(bag(data[0].path(), collection, &folder));
    // So that the numbers there are others.
    there.object();
    let words = said(import(data[1].path(), &folder));
    assert!(words.contains("nodes: 3 new"), "{words}");
    let (sent, came) = (items(&here), items(&there));
    let sent: Vec<Value> = sent.iter().map(said_by).collect();
    let came: Vec<Value> = came[1..].iter().map(said_by).collect();
    assert_eq!(sent, came);
    let media = json_at(&there, "/node/3/media?_format=json");
    let file = json_at(&here, "/entity/file/1?_format=json");
    let fid = &media[0]["field_media_file"][0]["target_id"];
    let came = json_at(&there, &format!("/entity/file/{fid}?_format=json"));
    assert_eq!(came["uuid"], file["uuid"]);
    let (status, bytes) = there.get(came["uri"][0]["url"].as_str().expect("an address"));
    assert_eq!((status, &*bytes), (200, "the bytes of the map"));
    let words = said(import(data[1].path(), &folder));
    assert!(
        words.contains("nodes: 0 new, 0 changed, 3 unchanged, 0 failed"),
        "{words}"
    );
    // A bag of what came has the same files.
    let again = disk.path().join("again");
    said(bag(data[1].path(), 2, &again));
    assert_eq!(files(&again).len(), files(&folder).len());
}

#[test]
fn a_damaged_or_strange_bag_is_refused_before_anything_is_written() {
    let data = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let disk = tempfile::tempdir().unwrap();
    let here = Client::start(data[0].path());
    let item = create(&here, "One", &json!({}));
    upload(&here, item, "one.txt", "one");
    here.stop();
    let there = Client::start_apart(data[1].path());
    let folder = disk.path().join("bag");
    said(bag(data[0].path(), item, &folder));
    fs::write(folder.join("data/1-one/files/1-one.txt"), "eno").unwrap();
    fs::remove_file(folder.join("data/items.csv")).unwrap();
    let output = import(data[1].path(), &folder);
    assert_eq!(output.status.code(), Some(1));
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    for line in [
        "data/1-one/files/1-one.txt: Its bytes have changed.",
        "data/items.csv: It is missing.",
    ] {
        assert!(words.contains(line), "{words}");
    }
    let nothing = disk.path().join("nothing");
    fs::create_dir(&nothing).unwrap();
    let output = import(data[1].path(), &nothing);
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        words.contains("It is no bag: it has no bagit.txt."),
        "{words}"
    );
    assert_eq!(items(&there).len(), 0);
    complained(
        &isolario(data[1].path(), &["import-bag"]).output().unwrap(),
        2,
    );
}
