//! `isolario bag`: an item with everything below it as a bag, which bagit-python finds valid.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::client::Client;
use crate::program::{complained, in_sources, isolario, said};

const JSON: &str = "Content-Type: application/json\r\n";

/// Runs the command.
pub fn bag(data: &Path, item: i64, target: &Path) -> Output {
    let mut command = isolario(data, &["bag", &item.to_string()]);
    command.arg(target).output().expect("it starts")
}

/// What bagit-python says of a folder, which has to be valid or not.
#[track_caller]
fn judged(folder: &Path, is_valid: bool) -> String {
    let python = in_sources(".tools/bagit/bin/python");
    let output = Command::new(&python)
        .arg(in_sources(".tools/bagit/bin/bagit.py"))
        .arg("--validate")
        .arg(folder)
        .output();
    let output = output.expect("`make install-test-rust` installs it");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert_eq!(output.status.success(), is_valid, "{text}");
    text
}

fn post(client: &Client, path: &str, body: &Value) -> Value {
    let (status, body) = client.send("POST", path, JSON, &body.to_string());
    assert_eq!(status, 201, "{body}");
    serde_json::from_str(&body).expect("JSON")
}

pub fn create(client: &Client, title: &str, more: &Value) -> i64 {
    let mut node = json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": title}],
        "field_model": [{"target_id": client.term("islandora_models", "Digital Document")}]});
    for (name, items) in more.as_object().expect("fields") {
        node[name] = items.clone();
    }
    let node = post(client, "/node?_format=json", &node);
    node["nid"][0]["value"].as_i64().expect("an id")
}

pub fn upload(client: &Client, nid: i64, name: &str, text: &str) {
    let original = client.term("islandora_media_use", "Original File");
    let place = format!("/node/{nid}/media/file/{original}");
    let (status, body) = client.put(&place, &format!("fedora://deep/{name}"), text);
    assert_eq!(status, 201, "{body}");
}

/// A collection with two items, one of them with a file and an agent.
pub fn harbour(client: &Client) -> i64 {
    let term = json!({"vid": [{"target_id": "person"}], "name": [{"value": "Doe & Sons"}]});
    let person = post(client, "/taxonomy/term?_format=json", &term);
    let collection = create(client, "The Harbour", &json!({}));
    let inside = json!([{"target_id": collection}]);
    let map = json!({"field_member_of": inside, "field_edtf_date_issued": [{"value": "1571~"}],
        "field_linked_agent": [{"target_id": person["tid"][0]["value"], "rel_type": "relators:aut"}]});
    let map = create(client, "Map: <quay>", &map);
    upload(client, map, "50%25 off.txt", "the bytes of the map");
    create(client, "Letter", &json!({"field_member_of": inside}));
    collection
}

/// The files of a folder with their paths in it.
pub fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(at) = waiting.pop() {
        // A run may move folders meanwhile.
        for entry in at.read_dir().into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => waiting.push(path),
                path => found.push(
                    path.strip_prefix(folder)
                        .expect("inside")
                        .display()
                        .to_string(),
                ),
            }
        }
    }
    found.sort();
    found
}

fn text(path: PathBuf) -> String {
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_collection_becomes_a_valid_bag_while_the_program_runs_and_when_it_does_not() {
    let (data, disk) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let client = Client::start(data.path());
    let collection = harbour(&client);
    let [running, stopped] = ["running", "stopped"].map(|name| disk.path().join(name));
    let words = said(bag(data.path(), collection, &running));
    assert!(words.contains("a bag of 3 items"), "{words}");
    client.stop();
    said(bag(data.path(), collection, &stopped));
    judged(&running, true);
    judged(&stopped, true);
    let names = files(&running);
    assert_eq!(names, files(&stopped));
    assert_eq!(
        files(disk.path()).len(),
        2 * names.len(),
        "nothing is left beside"
    );
    let map = running.join("data/1-the-harbour/2-map-quay");
    assert_eq!(
        text(map.join("files/1-50_25 off.txt")),
        "the bytes of the map"
    );
    let item: Value = serde_json::from_str(&text(map.join("item.json"))).unwrap();
    assert_eq!(item["title"][0]["value"], "Map: <quay>");
    assert!(text(map.join("item.jsonld")).contains("@graph"));
    let core = text(map.join("dublin-core.xml"));
    for line in [
        "<dc:title>Map: &lt;quay&gt;</dc:title>",
        "<dc:creator>Doe &amp; Sons</dc:creator>",
        "<dc:date>1571~</dc:date>",
    ] {
        assert!(core.contains(line), "{core}");
    }
    assert!(!core.contains("contributor"), "{core}");
    let history = text(map.join("premis.xml"));
    for line in [
        "<eventType>ingestion<",
        "<agentName>admin<",
        "<size>20</size>",
    ] {
        assert!(history.contains(line), "{history}");
    }
    assert_eq!(text(running.join("data/items.csv")).lines().count(), 4);
    assert!(
        names.iter().any(|name| name.ends_with("-doe-sons.json")),
        "{names:?}"
    );
    let information = text(running.join("bag-info.txt"));
    assert!(
        information.contains("Source-Organization: Isolario\n"),
        "{information}"
    );
    // The validator looks: one more byte is seen.
    std::fs::write(map.join("files/1-50_25 off.txt"), "the bytes of the map!").unwrap();
    judged(&running, false);
}

#[test]
fn a_zip_holds_the_same_bag_in_a_folder() {
    let (data, disk) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let client = Client::start(data.path());
    let collection = harbour(&client);
    client.stop();
    let zip = disk.path().join("harbour.zip");
    said(bag(data.path(), collection, &zip));
    let python = "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nz.extractall(sys.argv[2])";
    let out = disk.path().join("out");
    let done = Command::new("/usr/bin/python3")
        .args(["-c", python])
        .arg(&zip)
        .arg(&out)
        .status();
    assert!(done.expect("python").success());
    judged(&out.join("harbour"), true);
    let folder = disk.path().join("folder");
    said(bag(data.path(), collection, &folder));
    assert_eq!(files(&out.join("harbour")), files(&folder));
}

#[test]
fn a_damaged_file_is_named_and_there_is_no_bag_until_it_is_whole_again() {
    let (data, disk) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let client = Client::start(data.path());
    let collection = harbour(&client);
    client.stop();
    let stored = files(&data.path().join("ocfl"));
    let blob = stored
        .iter()
        .find(|name| name.contains("content/"))
        .expect("a blob");
    let blob = data.path().join("ocfl").join(blob);
    let bytes = std::fs::read(&blob).unwrap();
    std::fs::write(&blob, "THE bytes of the map").unwrap();
    for name in ["bag", "bag.zip"] {
        let target = disk.path().join(name);
        let complaint = complained(&bag(data.path(), collection, &target), 1);
        assert!(
            complaint.contains("files/1-50_25 off.txt: Its SHA-512 is"),
            "{complaint}"
        );
        assert!(!target.exists());
    }
    std::fs::write(&blob, bytes).unwrap();
    let target = disk.path().join("bag");
    said(bag(data.path(), collection, &target));
    judged(&target, true);
    let names = files(disk.path());
    assert!(
        names.iter().all(|name| name.starts_with("bag/")),
        "{names:?}"
    );
}

#[test]
fn what_is_there_already_stays_as_it_is() {
    let (data, disk) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let client = Client::start(data.path());
    let item = client.object();
    client.stop();
    for name in ["mine", "yours.unfinished"] {
        std::fs::create_dir(disk.path().join(name)).unwrap();
        std::fs::write(disk.path().join(name).join("a.txt"), "mine").unwrap();
    }
    for (item, name, words) in [
        (item, "mine", "mine is there already"),
        (item, "yours", "yours.unfinished is there already"),
        (item, "no/where", "No such file or directory"),
        (77, "new", "there is no node 77"),
    ] {
        let complaint = complained(&bag(data.path(), item, &disk.path().join(name)), 1);
        assert!(complaint.contains(words), "{complaint}");
    }
    assert_eq!(files(disk.path()), ["mine/a.txt", "yours.unfinished/a.txt"]);
}

#[test]
fn a_killed_run_leaves_no_bag_and_the_next_one_copies_only_the_rest() {
    let (data, disk) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let client = Client::start(data.path());
    let collection = create(&client, "Many", &json!({}));
    let inside = json!({"field_member_of": [{"target_id": collection}]});
    let bytes = "0123456789abcdef".repeat(1 << 18);
    for number in 0..12 {
        let item = create(&client, &format!("Item {number}"), &inside);
        upload(&client, item, &format!("{number}.txt"), &bytes);
    }
    let gone = create(&client, "Gone soon", &inside);
    let (target, unfinished) = (disk.path().join("bag"), disk.path().join("bag.unfinished"));
    let stopped = client.stop();
    for copied in [3, 7] {
        let mut command = isolario(data.path(), &["bag", &collection.to_string()]);
        let point = format!("stored file:{}", copied + 1);
        let output = command.arg(&target).env("ISOLARIO_KILL_AT", point).output();
        assert_eq!(output.expect("it starts").status.code(), None, "killed");
        assert!(!target.exists());
        let names = files(&unfinished.join("bag"));
        let names = names.iter().filter(|name| name.contains("files/"));
        assert_eq!(names.count(), copied);
    }
    let client = stopped.start_again(data.path());
    let (status, _) = client.send("DELETE", &format!("/node/{gone}?_format=json"), "", "");
    assert_eq!(status, 204);
    client.stop();
    let former = files(&unfinished);
    // The last one may be cut, which no former run has moved.
    let is_kept = |name: &&String| name.starts_with("bag/") && name.contains("files/");
    let kept = former.iter().find(is_kept).expect("a file");
    let before = inode(&unfinished.join(kept));
    said(bag(data.path(), collection, &target));
    judged(&target, true);
    assert!(!unfinished.exists());
    let kept = kept.split_once('/').expect("in a folder").1;
    assert_eq!(
        inode(&target.join(kept)),
        before,
        "it was moved, not copied"
    );
    assert!(
        files(&target)
            .iter()
            .all(|name| !name.contains("gone-soon"))
    );
}

fn inode(path: &Path) -> u64 {
    std::os::unix::fs::MetadataExt::ino(&path.metadata().expect("there"))
}
