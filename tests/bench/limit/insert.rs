//! SQLite writing the rows and index entries of nodes in groups, each group synced: no HTTP, no JSON,
//! no rules, no questions.

use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction};

use crate::rows::Rows;

/// The settings under which the program writes.
pub fn open(database: &str) -> Connection {
    let connection = Connection::open(database).expect("a database");
    for (name, value) in [
        ("journal_mode", "WAL"),
        ("synchronous", "FULL"),
        ("temp_store", "MEMORY"),
    ] {
        connection
            .pragma_update(None, name, value)
            .expect("a setting");
    }
    connection.set_prepared_statement_cache_capacity(64);
    connection
}

/// Writes for some seconds, in groups, and prints how many nodes a second.
pub fn run(database: &str, work: &str, group: &str, seconds: &str) {
    let mut connection = open(database);
    let mut rows = Rows::of_newest_node(&connection);
    let (group, span): (u64, _) = (
        super::number(group),
        Duration::from_secs(super::number(seconds)),
    );
    let started = Instant::now();
    let mut written = 0;
    while started.elapsed() < span {
        let transaction = connection.transaction().expect("a transaction");
        for number in written..written + group {
            write(&mut rows, work, &transaction, number);
        }
        transaction.commit().expect("a commit");
        written += group;
    }
    println!("{}", written as f64 / started.elapsed().as_secs_f64());
}

fn write(rows: &mut Rows, work: &str, transaction: &Transaction<'_>, number: u64) {
    match work {
        "create" => rows.insert(transaction),
        _ => {
            let id = 1 + crate::load::scattered(number, crate::writes::NODES);
            rows.update(transaction, i64::try_from(id).expect("an id"));
        }
    }
}
