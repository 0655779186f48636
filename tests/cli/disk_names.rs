//! Names of files on disk that every system can hold, so that a data directory can move between systems.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;

use crate::client::Client;
use crate::program::{Serving, isolario_of_this_system, path_in_program, run, said};
use crate::validators::valid_objects;

/// Addresses with what they give. Systems cannot hold some of their names, or take several of them for one.
const ADDRESSES: [(&str, &str); 12] = [
    ("public://Up/A.TXT", "/sites/default/files/Up/A.TXT"),
    ("public://up/a.txt", "/sites/default/files/up/a.txt"),
    ("public://e\u{301}.txt", "/sites/default/files/e%CC%81.txt"),
    ("public://\u{e9}.txt", "/sites/default/files/%C3%A9.txt"),
    ("public://UP", "/sites/default/files/UP"),
    ("public://one/a.txt", "/sites/default/files/one/a.txt"),
    ("public://two", "/sites/default/files/two"),
    ("public://TWO/a.txt", "/sites/default/files/TWO/a.txt"),
    ("public://a:b?\".txt", "/sites/default/files/a:b%3F%22.txt"),
    (
        "public://a%3Ab%3f%22.txt",
        "/sites/default/files/a%253Ab%253f%2522.txt",
    ),
    ("public://CON /tail.", "/sites/default/files/CON%20/tail."),
    ("fedora://NUL.<|>*x.", "/_flysystem/fedora/NUL.%3C%7C%3E*x."),
];

/// Adds the paths below a directory, in lower case, and looks at each name.
fn collect(directory: &Path, paths: &mut BTreeSet<String>) {
    for entry in directory.read_dir().expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_str().expect("Unicode");
        assert!(
            !name.contains([':', '*', '?', '"', '<', '>', '|']),
            "{name}"
        );
        assert!(!name.ends_with([' ', '.']), "{name}");
        assert!(
            !["con", "nul"].contains(&name.split('.').next().unwrap_or_default()),
            "{name}"
        );
        let is_new = paths.insert(path.to_str().expect("Unicode").to_lowercase());
        assert!(is_new, "{name} has a twin");
        if path.is_dir() {
            collect(&path, paths);
        }
    }
}

fn assert_served(client: &Client) {
    for (uri, address) in ADDRESSES {
        assert_eq!(client.get(address), (200, format!("bytes of {uri}")));
    }
}

#[test]
fn every_system_can_hold_the_names_on_disk_and_addresses_stay() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    for (uri, _) in ADDRESSES {
        let (status, answer) = client.put(&client.place(), uri, &format!("bytes of {uri}"));
        assert_eq!(status, 201, "{uri}: {answer}");
    }
    assert_served(&client);
    for directory in ["files", "ocfl", "records"] {
        collect(&data.path().join(directory), &mut BTreeSet::new());
    }
    assert_eq!(valid_objects(data.path()), 1);
    said(run(data.path(), &["check"]));
}

#[test]
fn what_one_system_wrote_another_reads() {
    let data = tempfile::tempdir().expect("a directory");
    let place = tempfile::tempdir().expect("a directory");
    let [kept, restored] = ["kept", "restored"].map(|name| place.path().join(name));
    let client = Client::start(data.path());
    for (uri, _) in ADDRESSES {
        let put = client.put(&client.place(), uri, &format!("bytes of {uri}"));
        assert_eq!(put.0, 201, "{uri}");
    }
    let path = path_in_program(&kept);
    said(run(
        data.path(),
        &["backup", path.to_str().expect("Unicode")],
    ));
    let here = |data: &Path, arguments: &[&str]| {
        let output = isolario_of_this_system(data, arguments).output();
        said(output.expect("the program starts"));
    };
    here(&restored, &["restore", kept.to_str().expect("Unicode")]);
    here(&restored, &["check"]);
    let serve = |data: &Path| {
        let arguments = ["serve", "--listen", "127.0.0.1:0"];
        Serving::spawn(isolario_of_this_system(data, &arguments))
    };
    let client = client.restart_by(|| serve(data.path()));
    assert_served(&client);
    let client = client.restart_by(|| serve(&restored));
    assert_served(&client);
}

#[test]
fn long_addresses_are_no_obstacle() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let path = vec!["n".repeat(200); 4].join("/") + "/a.txt";
    for scheme in ["public", "fedora"] {
        let (status, answer) = client.put(&client.place(), &format!("{scheme}://{path}"), scheme);
        assert_eq!(status, 201, "{answer}");
    }
    let served = client.get(&format!("/sites/default/files/{path}"));
    assert_eq!(served, (200, "public".into()));
    let served = client.get(&format!("/_flysystem/fedora/{path}"));
    assert_eq!(served, (200, "fedora".into()));
    said(run(data.path(), &["check"]));
}

#[test]
fn files_of_older_versions_stay_where_they_are() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let place = client.place();
    assert_eq!(client.put(&place, "public://Up/A.TXT", "old").0, 201);
    let client = client.restart_by(|| {
        let files = data.path().join("files/public");
        std::fs::create_dir(files.join("Up")).expect("made");
        std::fs::rename(files.join("up/a.txt"), files.join("Up/A.TXT")).expect("moved");
        let database = Connection::open(data.path().join("isolario.db")).expect("a database");
        let renamed = database.execute("UPDATE file_version SET blob = 'public/Up/A.TXT'", []);
        assert_eq!(renamed.expect("renamed"), 1);
        Serving::start(data.path())
    });
    assert_eq!(
        client.get("/sites/default/files/Up/A.TXT"),
        (200, "old".into())
    );
    assert_eq!(client.put(&place, "public://Up/A.TXT", "new").0, 204);
    assert_eq!(
        client.get("/sites/default/files/Up/A.TXT"),
        (200, "new".into())
    );
    said(run(data.path(), &["check"]));
}
