//! `isolario rebuild`: the database again, from the records and the bytes.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use crate::client::Client;
use crate::holdings::{assert_same, delete, everything, fill, make_node, save_search};
use crate::program::{Serving, complained, read_answer, run, run_with_password, said};
use crate::recorded::until_recorded;
use crate::resumable_upload::{append, begin};

/// A stopped repository, all of whose records are written, and its answers.
fn stopped(data: &Path) -> std::collections::BTreeMap<String, (u16, String)> {
    let client = Client::start(data);
    fill(&client, data);
    until_recorded(data);
    let answers = everything(&client);
    drop(client);
    answers
}

/// Serves what was rebuilt, to the administrator with a new password.
fn serve(data: &Path) -> Client {
    said(run_with_password(
        data,
        &["user", "password", "admin"],
        "once again",
    ));
    Client::with_password(Serving::start(data), "once again")
}

fn remove_database(data: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(data.join(format!("isolario.db{ending}")));
    }
}

#[test]
fn a_lost_database_is_made_again() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let mut before = stopped(&data);
    remove_database(&data);
    let refused = run(&data, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(complained(&refused, 1).contains("isolario rebuild"));
    let words = said(run(&data, &["rebuild"]));
    assert!(words.contains("6 nodes, 5 media"), "{words}");
    assert!(words.contains("2 saved searches"), "{words}");
    assert!(
        words.contains("passwords") && words.contains("mail addresses"),
        "{words}"
    );

    let client = serve(&data);
    // Accounts are known but for their mail addresses and the time of their new password.
    before.retain(|path, _| !path.starts_with("/user/"));
    assert_same(&before, &everything(&client));
    let users = said(run(&data, &["user", "list"]));
    assert!(
        users.contains("mira") && users.contains("reader"),
        "{users}"
    );
    let (_, mira) = client.get("/api/v1/users/2");
    assert!(
        mira.contains("collection_roles\":[{\"collection\":"),
        "{mira}"
    );
    // What was deleted can still be restored, and numbers go on.
    let (status, restored) = client.send("POST", "/api/v1/saved-searches/2/restore", "", "");
    assert!(status == 200 && restored.contains("Mistake"), "{restored}");
    assert!(save_search(&client, "New", "") > 2);
    let fresh = make_node(&client, "New", "Digital Document", None);
    assert!(fresh > 6, "{fresh} has been given before");
    let (_, found) = client.get(&format!("/node/{fresh}?_format=json"));
    assert!(found.contains("New"));
}

/// What lies in the trash, the latest first, as (kind, id, who, when, origin, media and files with it).
fn trash(client: &Client) -> Vec<[String; 7]> {
    let (status, body) = client.get("/api/v1/trash");
    assert_eq!(status, 200, "{body}");
    let list: Value = serde_json::from_str(&body).expect("JSON");
    let entries = list["entries"].as_array().expect("a list").iter();
    let told = |entry: &Value| {
        let who = &entry["user"]["name"];
        [
            &entry["kind"],
            &entry["id"],
            who,
            &entry["deleted"],
            &entry["origin"],
            &entry["media"],
            &entry["files"],
        ]
        .map(Value::to_string)
    };
    entries.map(told).collect()
}

/// A stopped repository in which one has made what another deleted, and its trash.
fn with_trash(data: &Path) -> Vec<[String; 7]> {
    let client = Client::start(data);
    fill(&client, data);
    let warden = ["user", "add", "warden", "--role", "administrator"];
    said(run_with_password(data, &warden, "many keys"));
    let client = client.signed_in("warden", "many keys");
    // Later than they were made, and not in the order of their numbers.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    for path in ["/node/3", "/entity/file/2", "/node/2", "/media/3"] {
        delete(&client, &format!("{path}?_format=json"));
    }
    let (status, with_it) = client.send("DELETE", "/api/v1/items/5", "", "");
    assert_eq!(
        (status, with_it.as_str()),
        (200, r#"{"media":1,"files":1}"#)
    );
    let before = trash(&client);
    assert_eq!(before.len(), 6);
    let by_warden = before.iter().filter(|entry| entry[2].contains("warden"));
    assert_eq!(by_warden.count(), 5);
    assert_eq!(before[0][5..], ["1", "1"]);
    until_recorded(data);
    remove_database(data);
    before
}

#[test]
fn who_deleted_what_and_when_is_known_again() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let before = with_trash(&data);
    said(run(&data, &["rebuild"]));
    assert_eq!(trash(&serve(&data)), before);
}

#[test]
fn records_that_do_not_say_who_deleted_are_taken_all_the_same() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let before = with_trash(&data);
    for path in ["node/000/000/2.json", "file/000/000/2.json"] {
        let path = data.join("records").join(path);
        let record = std::fs::read_to_string(&path).expect("a record");
        let mut record: Value = serde_json::from_str(&record).expect("JSON");
        let content = record["content"].as_object_mut().expect("a thing");
        content.remove("trash").expect("said until now");
        std::fs::write(&path, record.to_string()).expect("written");
    }
    said(run(&data, &["rebuild"]));
    let after = trash(&serve(&data));
    let named = |trash: &[[String; 7]]| {
        let mut named: Vec<_> = trash.iter().map(|entry| entry[..2].to_vec()).collect();
        named.sort();
        named
    };
    assert_eq!(named(&after), named(&before));
    let by_warden = after.iter().filter(|entry| entry[2].contains("warden"));
    assert_eq!(by_warden.count(), 3);
}

#[test]
fn a_crop_and_a_rotation_are_known_again() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let client = Client::start(&data);
    let (nid, tid) = (
        client.object(),
        client.term("islandora_media_use", "Original File"),
    );
    let scan = include_bytes!("../samples/7x5.png");
    let headers = format!(
        "Content-Type: image/png\r\nContent-Location: public://scan.png\r\nContent-Length: {}\r\n",
        scan.len()
    );
    let mut stream = client.begin("PUT", &format!("/node/{nid}/media/image/{tid}"), &headers);
    stream.write_all(scan).expect("sent");
    assert_eq!(read_answer(stream).0, 201);
    let adjustment = json!({"rotation": 270, "crop": {"x": 1, "y": 1, "width": 4, "height": 3}});
    let (path, headers) = (
        "/api/v1/media/1/picture-adjustment",
        "Content-Type: application/json\r\n",
    );
    let (status, answer) = client.send("PUT", path, headers, &adjustment.to_string());
    assert_eq!(status, 200, "{answer}");
    until_recorded(&data);
    drop(client);
    remove_database(&data);
    said(run(&data, &["rebuild"]));
    let (_, media) = serve(&data).get("/api/v1/media?mid=1");
    let media: Value = serde_json::from_str(&media).expect("JSON");
    assert_eq!(media["media"][0]["adjustment"], adjustment);
}

#[test]
fn an_upload_in_parts_ends_with_its_database() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let client = Client::start(&data);
    let path = begin(&client, "waits");
    until_recorded(&data);
    drop(client);
    remove_database(&data);
    said(run(&data, &["rebuild"]));
    let left = said(run(&data, &["check"]));
    let file = format!("uploads/{}", path.rsplit('/').next().expect("an id"));
    assert!(left.contains(&format!("{file}: Left behind")), "{left}");

    let client = serve(&data);
    assert_eq!(client.ask("HEAD", &path, "", "").0, 404);
    assert_eq!(append(&client, &path, 6, "?1", "world").0, 404);
    assert!(!data.join(file).exists());
    let clean = said(run(&data, &["check"]));
    assert!(clean.contains("Everything is as it should be."), "{clean}");
}

#[test]
fn a_damaged_database_is_moved_aside() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let mut before = stopped(&data);
    remove_database(&data);
    let garbage = "no database ".repeat(1000);
    std::fs::write(data.join("isolario.db"), &garbage).expect("written");
    let words = said(run(&data, &["rebuild"]));
    assert!(words.contains("isolario.db.damaged-1"), "{words}");
    let aside = std::fs::read_to_string(data.join("isolario.db.damaged-1"));
    assert_eq!(aside.expect("kept"), garbage);
    before.retain(|path, _| !path.starts_with("/user/"));
    assert_same(&before, &everything(&serve(&data)));
}

#[test]
fn a_sound_database_stays_unless_it_is_forced() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let before = stopped(&data);
    let database = std::fs::read(data.join("isolario.db")).expect("there");
    let words = complained(&run(&data, &["rebuild"]), 1);
    assert!(words.contains("--force"), "{words}");
    assert_eq!(
        std::fs::read(data.join("isolario.db")).expect("there"),
        database
    );
    std::fs::remove_file(data.join("files/public/sheets/1.txt")).expect("there");
    let words = complained(&run(&data, &["rebuild", "--force"]), 1);
    assert!(
        words.contains("public://sheets/1.txt") && words.contains("missing"),
        "{words}"
    );
    assert!(data.join("isolario.db.damaged-1").exists());
    let (path, answer) = before
        .iter()
        .find(|(path, _)| path.starts_with("/node/1?"))
        .expect("asked");
    let (status, body) = serve(&data).get(path);
    assert_eq!((status, body.len()), (answer.0, answer.1.len()));
}

#[test]
fn nothing_is_rebuilt_while_it_is_served_or_from_nothing() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let serving = Serving::start(&data);
    assert!(complained(&run(&data, &["rebuild"]), 1).contains("in use"));
    drop(serving);
    let empty = place.path().join("empty");
    std::fs::create_dir(&empty).expect("made");
    assert!(complained(&run(&empty, &["rebuild"]), 1).contains("no records"));
}
