//! A database that is put back beside records that are newer, or those of another repository.

use std::path::Path;

use serde_json::Value;

use crate::check::report;
use crate::client::Client;
use crate::holdings::{fill, make_node, upload};
use crate::lost_database::kept;
use crate::program::{Serving, complained, run, run_with_password, said};
use crate::recorded::until_recorded;

const ENDINGS: [&str; 3] = ["", "-wal", "-shm"];

/// Puts the database of one directory into another, without what was beside it.
pub fn put_back(from: &Path, to: &Path) {
    for ending in ENDINGS {
        let name = format!("isolario.db{ending}");
        let _ = std::fs::remove_file(to.join(&name));
        if from.join(&name).exists() {
            std::fs::copy(from.join(&name), to.join(&name)).expect("there is room");
        }
    }
}

/// A stopped repository whose database is older than its records: these know of a seventh and an eighth node,
/// and of another title of the first.
fn rolled_back(data: &Path) -> (i64, i64) {
    let former = tempfile::tempdir().expect("a directory");
    let client = Client::start(data);
    fill(&client, data);
    until_recorded(data);
    let stopped = client.stop();
    put_back(data, former.path());
    let client = stopped.start_again(data);
    let new = make_node(&client, "Made later", "Digital Document", None);
    upload(&client, new, "public://later.txt", "later bytes");
    let last = make_node(&client, "Made last", "Digital Document", None);
    let body = r#"{"type":[{"target_id":"islandora_object"}],"title":[{"value":"Named later"}]}"#;
    let headers = "Content-Type: application/json\r\n";
    let (status, answer) = client.send("PATCH", "/node/1?_format=json", headers, body);
    assert_eq!(status, 200, "{answer}");
    until_recorded(data);
    client.stop();
    put_back(former.path(), data);
    (new, last)
}

/// Serves to the administrator with a new password.
fn serve(data: &Path) -> Client {
    let account = ["user", "password", "admin"];
    said(run_with_password(data, &account, "once again"));
    Client::with_password(Serving::start(data), "once again")
}

fn title(client: &Client, node: i64) -> Option<String> {
    let (status, body) = client.get(&format!("/node/{node}?_format=json"));
    let node: Value = serde_json::from_str(&body).expect("JSON");
    (status == 200).then(|| node["title"][0]["value"].as_str().expect("text").to_owned())
}

#[track_caller]
fn assert_refused(data: &Path) {
    let before = kept(data);
    let words = complained(&run(data, &["user", "list"]), 1);
    assert!(words.contains("`isolario rebuild`"), "{words}");
    assert!(words.contains("`isolario rebuild --records`"), "{words}");
    assert_eq!(words.trim().lines().count(), 1, "{words}");
    assert!(kept(data) == before, "something was changed");
}

#[test]
fn records_that_are_newer_than_the_database_are_never_written_over() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let (new, last) = rolled_back(&data);
    assert_refused(&data);
    let found = report(&data);
    let problems = found["problems"].as_array().expect("a list").iter();
    let of_records = problems.filter(|problem| problem["aspect"] == "records");
    assert_eq!(of_records.count(), 1, "{found}");

    let words = said(run(&data, &["rebuild"]));
    assert!(words.contains("8 nodes, 6 media"), "{words}");
    assert!(words.contains("isolario.db.damaged-1"), "{words}");
    let client = serve(&data);
    assert_eq!(title(&client, 1).as_deref(), Some("Named later"));
    assert_eq!(title(&client, new).as_deref(), Some("Made later"));
    let bytes = client.get("/sites/default/files/later.txt");
    assert_eq!(bytes, (200, "later bytes".into()));
    assert!(make_node(&client, "Next", "Digital Document", None) > last);
}

#[test]
fn records_that_do_not_tell_their_numbers_are_never_written_over() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let (_, last) = rolled_back(&data);
    let numbers = data.join("records/numbers.json");
    std::fs::remove_file(&numbers).expect("there");
    assert_refused(&data);
    std::fs::write(&numbers, "{\"format\": 1").expect("written");
    assert_refused(&data);
    // The database can be kept all the same, and gives no number again.
    said(run(&data, &["rebuild", "--records"]));
    let client = serve(&data);
    assert!(make_node(&client, "Next", "Digital Document", None) > last);
}

#[test]
fn an_older_database_is_gone_on_with_when_that_is_said() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    let (new, last) = rolled_back(&data);
    let newer = kept(&data);
    let words = said(run(&data, &["rebuild", "--records"]));
    assert!(words.contains("isolario-records-1"), "{words}");
    let client = serve(&data);
    assert_eq!(title(&client, 1).as_deref(), Some("Atlas"));
    assert_eq!(title(&client, new), None);
    let next = make_node(&client, "Next", "Digital Document", None);
    assert!(next > last, "{next} has been given before");
    until_recorded(&data);
    client.stop();
    // The newer records are where the words say.
    for (path, bytes) in newer {
        if let Ok(name) = path.strip_prefix(data.join("records")) {
            let aside = std::fs::read(data.join("isolario-records-1").join(name));
            assert!(aside.expect("kept") == bytes, "{}", path.display());
        }
    }
    // And the others tell of everything again.
    let words = said(run(&data, &["rebuild", "--force"]));
    assert!(words.contains("7 nodes, 5 media"), "{words}");
    assert!(words.contains("2 accounts"), "{words}");
}

#[test]
fn a_database_of_another_repository_is_refused() {
    let place = tempfile::tempdir().expect("a directory");
    let [data, other] = ["data", "other"].map(|name| place.path().join(name));
    for (path, nodes) in [(&data, 1), (&other, 5)] {
        let client = Client::start_apart(path);
        for _ in 0..nodes {
            make_node(&client, "A node", "Digital Document", None);
        }
        until_recorded(path);
        client.stop();
    }
    put_back(&other, &data);
    assert_refused(&data);
    let words = said(run(&data, &["rebuild"]));
    assert!(words.contains("1 nodes"), "{words}");
}

#[test]
fn lost_records_are_made_again() {
    let data = tempfile::tempdir().expect("a directory");
    let data = data.path();
    let client = Client::start(data);
    fill(&client, data);
    until_recorded(data);
    let in_use = complained(&run(data, &["rebuild", "--records"]), 1);
    assert!(in_use.contains("in use"), "{in_use}");
    let stopped = client.stop();
    let before = kept(data);
    std::fs::remove_dir_all(data.join("records")).expect("removed");
    said(run(data, &["rebuild", "--records"]));
    let client = stopped.start_again(data);
    until_recorded(data);
    client.stop();
    let after = kept(data);
    for (path, bytes) in before {
        assert!(after.get(&path) == Some(&bytes), "{}", path.display());
    }
}
