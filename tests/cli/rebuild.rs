//! `isolario rebuild`: the database again, from the records and the bytes.

use std::path::Path;

use crate::client::Client;
use crate::holdings::{assert_same, everything, fill, make_node, until_recorded};
use crate::program::{Serving, complained, run, run_with_password, said};

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
        "again",
    ));
    Client::with_password(Serving::start(data), "again")
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
    let fresh = make_node(&client, "New", "Digital Document", None);
    assert!(fresh > 6, "{fresh} has been given before");
    let (_, found) = client.get(&format!("/node/{fresh}?_format=json"));
    assert!(found.contains("New"));
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
