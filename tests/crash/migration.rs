//! A migration that is cut short.

use rusqlite::Connection;

use crate::program::isolario;
use crate::running::{assert_clean, found, start};

const FIRST_SCHEMA: &str =
    include_str!("../../src-tauri/crates/isolario-db/src/migrations/01_first.sql");

#[test]
fn a_migration_that_was_cut_short_is_made_by_the_next_start() {
    let data = tempfile::tempdir().expect("a directory");
    let path = data.path().join("isolario.db");
    let old = Connection::open(&path).expect("a database");
    old.execute_batch(FIRST_SCHEMA).expect("the first schema");
    old.pragma_update(None, "user_version", 1).expect("set");
    drop(old);

    let mut command = isolario(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let ended = command.env("ISOLARIO_KILL_AT", "migrating").output();
    let ended = ended.expect("the program starts");
    assert_eq!(ended.status.code(), None, "killed: {ended:?}");
    let old = Connection::open(&path).expect("a database");
    let schema: i64 = old
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .expect("a number");
    assert_eq!(schema, 1, "nothing of the migration is there");
    drop(old);

    let authorization = found(data.path());
    let running = start(data.path(), &authorization, None);
    assert_eq!(running.server.get("/api/v1/fixity").status, 200);
    assert_clean(data.path());
}
