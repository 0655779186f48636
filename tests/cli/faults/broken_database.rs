//! A database whose file is damaged: said to be so, and not taken for a full disk.

use std::fs::File;
use std::os::unix::fs::FileExt;

use crate::client::Client;

#[test]
fn a_damaged_database_is_said_to_be_damaged() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let object = client.object();
    let stopped = client.stop();
    let database = data.path().join("isolario.db");
    let connection = rusqlite::Connection::open(&database).expect("the database");
    let page = |name: &str| -> i64 {
        let root = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
        let page = connection.query_row(root, [name], |row| row.get(0));
        page.expect("the page")
    };
    let pages = ["trash", "node_revision"].map(page);
    drop(connection);
    let file = File::options().write(true).open(&database).expect("there");
    for page in pages {
        let at = u64::try_from(page - 1).expect("a page") * 4096;
        file.write_all_at(&[0xff; 4096], at).expect("written");
    }
    let client = stopped.start_again(data.path());
    let node = format!("/node/{object}?_format=json");
    for (status, body) in [
        client.send("DELETE", &node, "", ""),
        client.get("/api/v1/trash"),
    ] {
        assert_eq!(status, 503, "{body}");
        assert!(body.contains("damaged"), "{body}");
        assert!(body.contains("Nothing was changed."), "{body}");
    }
}
