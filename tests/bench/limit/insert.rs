//! SQLite writing the rows and index entries of nodes in groups, each group synced: no HTTP, no JSON,
//! no rules, no questions. Also behind a bare HTTP server, which answers when its group is synced.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use rusqlite::{Connection, Transaction};
use serde_json::Value;
use tokio::sync::oneshot;

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

/// Serves HTTP: each request is read as JSON, and its rows are committed with those of all that came meanwhile.
pub fn serve(database: &str, work: &str, address: &str) {
    let (sender, requests) = mpsc::channel();
    let (database, work) = (database.to_owned(), work.to_owned());
    std::thread::spawn(move || commit_groups(&database, &work, &requests));
    let router = axum::Router::new().fallback(written).with_state(sender);
    super::serve(address, router);
}

/// Tells who sent a request that it is on disk.
type Waiting = oneshot::Sender<()>;

async fn written(
    State(sender): State<mpsc::Sender<Waiting>>,
    body: axum::body::Bytes,
) -> Result<StatusCode, StatusCode> {
    serde_json::from_slice::<Value>(&body).map_err(|_| StatusCode::BAD_REQUEST)?;
    let (done, is_done) = oneshot::channel();
    sender.send(done).expect("a writer");
    is_done.await.expect("a commit");
    Ok(StatusCode::CREATED)
}

fn commit_groups(database: &str, work: &str, requests: &mpsc::Receiver<Waiting>) {
    let mut connection = open(database);
    let mut rows = Rows::of_newest_node(&connection);
    let mut number = 0;
    while let Ok(first) = requests.recv() {
        let group: Vec<Waiting> = std::iter::once(first).chain(requests.try_iter()).collect();
        let transaction = connection.transaction().expect("a transaction");
        for _ in &group {
            write(&mut rows, work, &transaction, number);
            number += 1;
        }
        transaction.commit().expect("a commit");
        for waiting in group {
            // Who has gone needs no answer.
            let _ = waiting.send(());
        }
    }
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
