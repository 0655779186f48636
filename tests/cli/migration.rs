//! Databases of an older and of a newer program.

use std::path::Path;

use rusqlite::Connection;

use crate::client::Client;
use crate::holdings::{ADDRESSES, assert_same, everything, fill, save_search};
use crate::program::{complained, run};
use crate::recorded::until_recorded;

const FIRST_SCHEMA: &str =
    include_str!("../../src-tauri/crates/isolario-db/src/migrations/01_first.sql");

/// Names that a query gives.
fn names(database: &Connection, sql: &str) -> Vec<String> {
    let mut statement = database.prepare(sql).expect("a query");
    let rows = statement.query_map([], |row| row.get(0)).expect("rows");
    rows.collect::<Result<_, _>>().expect("text")
}

/// Puts what a database holds into one of the first schema, as the program of that time left it.
fn age(data: &Path) {
    let [new, old] = ["isolario.db", "old.db"].map(|name| data.join(name));
    let database = Connection::open(&old).expect("made");
    database
        .pragma_update(None, "foreign_keys", false)
        .expect("set");
    database.execute_batch(FIRST_SCHEMA).expect("the schema");
    // The words of items stood in the database then. Nothing is lost without them.
    let tables =
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'item_text%'
      ORDER BY name = 'listing_count', name LIKE 'sqlite_%', name";
    database
        .execute("ATTACH ?1 AS new", [new.to_str()])
        .expect("attached");
    for table in names(&database, tables) {
        let columns = names(
            &database,
            &format!("SELECT name FROM pragma_table_info('{table}')"),
        )
        .join(", ");
        // The first schema has another name for the origin of a change.
        let read = columns.replace("door", "origin AS door");
        let known = match table.as_str() {
            "sqlite_sequence" => "WHERE name IN (SELECT name FROM main.sqlite_schema)",
            // An index of the table found the types of nodes then.
            "field_text" => "WHERE field <> 'type'",
            _ => "",
        };
        let copy = format!(
            "DELETE FROM main.{table}; INSERT INTO main.{table} ({columns}) SELECT {read} FROM new.{table} {known}"
        );
        database.execute_batch(&copy).expect("copied");
    }
    database
        .pragma_update(None, "user_version", 1)
        .expect("set");
    database.execute_batch("DETACH new").expect("detached");
    drop(database);
    for ending in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(data.join(format!("isolario.db{ending}")));
    }
    std::fs::rename(old, new).expect("renamed");
    std::fs::remove_dir_all(data.join("records")).expect("there were none then");
}

#[test]
fn a_repository_of_the_first_schema_is_brought_up_to_date() {
    let data = tempfile::tempdir().expect("a directory");
    let data = data.path();
    let client = Client::start(data);
    fill(&client, data);
    until_recorded(data);
    let mut before = everything(&client);
    // Repositories had no name of their own then, no saved searches, and no addresses that people gave.
    before.remove("/api/v1/repository");
    before.remove("/api/v1/saved-searches");
    for address in ADDRESSES {
        before.remove(address);
    }
    let stopped = client.stop();
    age(data);
    let client = stopped.start_again(data);
    assert_same(&before, &everything(&client));
    let copy = Connection::open(data.join("isolario-before-26.db")).expect("kept");
    let version: i64 = copy
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .expect("a version");
    let nodes: i64 = copy
        .query_row("SELECT count(*) FROM node", [], |row| row.get(0))
        .expect("a count");
    assert_eq!((version, nodes), (1, 6));
    assert_eq!(save_search(&client, "Maps", "q=map"), 1);
    until_recorded(data);
    assert!(data.join("records/node/000/000/1.json").exists());
    assert!(data.join("records/file/000/000/1.json").exists());
    assert!(data.join("records/saved_search/000/000/1.json").exists());
}

#[test]
fn a_repository_of_a_newer_program_is_refused_and_left_alone() {
    let data = tempfile::tempdir().expect("a directory");
    let data = data.path();
    drop(Client::start(data).stop());
    let path = data.join("isolario.db");
    let database = Connection::open(&path).expect("there");
    database
        .pragma_update(None, "user_version", 99)
        .expect("set");
    drop(database);
    let before = std::fs::read(&path).expect("there");
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["user", "list"]] {
        let words = complained(&run(data, arguments), 1);
        assert!(
            words.contains("made by a newer Isolario") && words.contains("update the program"),
            "{words}"
        );
        assert_eq!(words.trim().lines().count(), 1, "{words}");
    }
    assert!(std::fs::read(&path).expect("there") == before);
    assert!(!data.join("isolario-before-26.db").exists());
}
