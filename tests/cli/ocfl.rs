//! The storage root of the repository scheme, judged by two programs that know nothing of ours: rocfl
//! and ocfl-py (`make install-test-rust` installs both).

use aws_lc_rs::digest;
use std::path::Path;
use std::thread;

use serde_json::Value;

use crate::client::Client;
use crate::validators::{judged, objects, valid_objects};

fn inventory(object: &Path) -> Value {
    let text = std::fs::read_to_string(object.join("inventory.json")).expect("there");
    serde_json::from_str(&text).expect("JSON")
}

fn put(client: &Client, place: &str, path: &str, body: &str) -> u16 {
    client.put(place, &format!("fedora://{path}"), body).0
}

#[test]
fn the_root_is_valid_whatever_happens_to_its_files() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    assert_eq!(valid_objects(data.path()), 0);

    let place = client.place();
    assert_eq!(put(&client, &place, "a dir/é 1.txt", "one"), 201);
    assert_eq!(put(&client, &client.place(), "other.txt", "other"), 201);
    assert_eq!(valid_objects(data.path()), 2);

    let address = "/_flysystem/fedora/a%20dir/%C3%A9%201.txt";
    assert_eq!(client.get(address), (200, "one".into()));
    for body in ["two", "one", "three"] {
        assert_eq!(put(&client, &place, "a dir/é 1.txt", body), 204);
        assert_eq!(client.get(address), (200, body.into()));
    }
    assert_eq!(valid_objects(data.path()), 2);

    let (_, files) = client.get("/entity/file/1?_format=json");
    let file: Value = serde_json::from_str(&files).expect("JSON");
    let uuid = file["uuid"][0]["value"].as_str().expect("a UUID");
    let object = objects(&data.path().join("ocfl"))
        .into_iter()
        .map(|object| inventory(&object))
        .find(|inventory| inventory["id"] == format!("urn:uuid:{uuid}"))
        .expect("the object of the file");
    assert_eq!(object["head"], "v4");
    assert_eq!(object["versions"]["v1"]["user"]["name"], "admin");
    let manifest = object["manifest"].as_object().expect("an object");
    assert_eq!(manifest.len(), 3, "the same bytes are kept once");
    assert_eq!(
        object["versions"]["v1"]["state"],
        object["versions"]["v3"]["state"]
    );

    assert_eq!(client.send("DELETE", "/entity/file/2", "", "").0, 204);
    assert_eq!(client.get("/_flysystem/fedora/other.txt").0, 404);
    assert_eq!(valid_objects(data.path()), 2);

    let client = client.restart(data.path());
    assert_eq!(client.get(address), (200, "three".into()));
    assert_eq!(valid_objects(data.path()), 2);
}

#[test]
fn the_judges_see_a_changed_byte() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    assert_eq!(put(&client, &client.place(), "a.txt", "one"), 201);
    assert_eq!(valid_objects(data.path()), 1);
    let object = objects(&data.path().join("ocfl")).remove(0);
    std::fs::write(object.join("v1/content/a.txt"), "One").expect("written");
    assert!(judged(data.path()).iter().all(Option::is_some));
}

#[test]
fn uploads_that_meet_leave_each_file_one_object() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let shared = client.place();
    let own: Vec<String> = (0..6).map(|_| client.place()).collect();
    let answers: Vec<u16> = thread::scope(|scope| {
        let (client, shared) = (&client, &shared);
        let uploads: Vec<_> = own
            .iter()
            .map(|place| scope.spawn(move || put(client, place, "name.txt", place)))
            .chain((0..6).map(|number| {
                let body = number.to_string();
                scope.spawn(move || put(client, shared, "shared.txt", &body))
            }))
            .collect();
        let ends = uploads.into_iter();
        ends.map(|upload| upload.join().expect("an answer"))
            .collect()
    });
    assert_eq!(answers[..6], [201; 6]);
    let created = answers[6..].iter().filter(|status| **status == 201).count();
    assert_eq!(created, 1, "{answers:?}");
    assert_eq!(valid_objects(data.path()), 7);

    let mut stored = 0;
    for fid in 1..=7 {
        let (_, file) = client.get(&format!("/entity/file/{fid}?_format=json"));
        let file: Value = serde_json::from_str(&file).expect("JSON");
        let uuid = file["uuid"][0]["value"].as_str().expect("a UUID");
        let uri = file["uri"][0]["value"].as_str().expect("an address");
        let object = objects(&data.path().join("ocfl"))
            .into_iter()
            .map(|object| inventory(&object))
            .find(|inventory| inventory["id"] == format!("urn:uuid:{uuid}"))
            .expect("an object of its own");
        let head = object["head"].as_str().expect("a version");
        let state = object["versions"][head]["state"]
            .as_object()
            .expect("a state");
        let path = uri.strip_prefix("fedora://").expect("the scheme");
        assert!(state.values().all(|paths| paths[0] == path), "{object}");
        stored += object["versions"].as_object().expect("versions").len();
    }
    assert_eq!(stored, 12, "every upload that was acknowledged");
}

#[test]
fn an_object_cut_short_between_its_renames_is_mended_before_serving() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let place = client.place();
    assert_eq!(put(&client, &place, "a.txt", "one"), 201);
    assert_eq!(put(&client, &place, "a.txt", "two"), 204);
    let object = objects(&data.path().join("ocfl")).remove(0);
    let uuid = inventory(&object)["id"]
        .as_str()
        .and_then(|id| id.strip_prefix("urn:uuid:"))
        .expect("a UUID")
        .to_owned();

    // As a crash leaves it: a third version without the inventories of the object, and the note of it.
    let third = object.join("v3");
    std::fs::create_dir_all(third.join("content")).expect("made");
    std::fs::write(third.join("content/a.txt"), "three").expect("written");
    let blob = format!("ocfl/{uuid}/v3/v3/content/a.txt");
    let sum = digest::digest(&digest::SHA256, blob.as_bytes());
    let note = format!("+{} {blob}\n", hex::encode(&sum.as_ref()[..16]));
    std::fs::write(data.path().join("unsettled"), note).expect("written");

    let client = client.restart(data.path());
    assert!(!third.exists());
    assert_eq!(valid_objects(data.path()), 1);
    assert_eq!(client.get("/_flysystem/fedora/a.txt"), (200, "two".into()));
    assert_eq!(put(&client, &place, "a.txt", "three"), 204);
    assert_eq!(valid_objects(data.path()), 1);
}
