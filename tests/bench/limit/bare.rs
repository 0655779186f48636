//! SQLite committing rows of 2 KB with three index entries, in groups, each group synced. No schema of a repository, no
//! HTTP, no JSON, no rules, no queries.

use std::time::{Duration, Instant};

use rusqlite::{Connection, params};

/// Bytes of a row.
const ROW: usize = 2048;
/// Rows that are there before, as many as the repository beside has nodes.
const FORMER: u64 = crate::writes::NODES;
/// Rows of a commit while these are made.
const FILLING: u64 = 1000;

/// Writes for some seconds, in groups, and prints how many rows a second.
pub fn run(database: &str, group: &str, seconds: &str) {
    let mut connection = super::insert::open(database);
    connection
        .execute_batch(
            "CREATE TABLE IF NOT EXISTS bare (
               id INTEGER PRIMARY KEY, uuid TEXT NOT NULL, title TEXT NOT NULL, changed INTEGER NOT NULL, document TEXT NOT NULL
             ) STRICT;
             CREATE UNIQUE INDEX IF NOT EXISTS bare_uuid ON bare (uuid);
             CREATE INDEX IF NOT EXISTS bare_title ON bare (title);
             CREATE INDEX IF NOT EXISTS bare_changed ON bare (changed);",
        )
        .expect("a table");
    let mut next = rows_of(&connection);
    while next < FORMER {
        insert(&mut connection, next, FILLING);
        next += FILLING;
    }
    let (group, span): (u64, _) = (
        super::number(group),
        Duration::from_secs(super::number(seconds)),
    );
    let (first, started) = (next, Instant::now());
    while started.elapsed() < span {
        insert(&mut connection, next, group);
        next += group;
    }
    println!(
        "{}",
        (next - first) as f64 / started.elapsed().as_secs_f64()
    );
}

fn rows_of(connection: &Connection) -> u64 {
    let count = connection.query_row("SELECT count(*) FROM bare", [], |row| row.get::<_, i64>(0));
    count.expect("a count").unsigned_abs()
}

fn insert(connection: &mut Connection, first: u64, rows: u64) {
    let document = "x".repeat(ROW);
    let transaction = connection.transaction().expect("a transaction");
    for number in first..first + rows {
        let sql = "INSERT INTO bare (uuid, title, changed, document) VALUES (?1, ?2, ?3, ?4)";
        let uuid = uuid::Uuid::new_v4().to_string();
        let title = format!("{} chart", crate::load::scattered(number, FORMER));
        let mut statement = transaction.prepare_cached(sql).expect("an insert");
        statement
            .execute(params![uuid, title, number.cast_signed(), document])
            .expect("a row");
    }
    transaction.commit().expect("a commit");
}
