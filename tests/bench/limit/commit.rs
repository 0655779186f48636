//! axum making one durable commit of a node's rows for each request.

use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use rusqlite::Connection;

use crate::rows::Rows;

type Shared = Arc<Mutex<(Connection, Rows)>>;

pub fn serve(database: &str, template: &str, address: &str) {
    assert_eq!(template, "node");
    let connection = super::insert::open(database);
    let rows = Rows::of_newest_node(&connection);
    let router = axum::Router::new()
        .route("/node", post(create))
        .route("/node/{id}", get(async || StatusCode::OK))
        .with_state(Arc::new(Mutex::new((connection, rows))));
    super::serve(address, router);
}

async fn create(State(shared): State<Shared>, body: String) -> (StatusCode, String) {
    let commit = move || {
        let mut shared = shared.lock().expect("the connection");
        let (connection, rows) = &mut *shared;
        let transaction = connection.transaction().expect("a transaction");
        rows.insert(&transaction);
        transaction.commit().expect("a commit");
    };
    tokio::task::spawn_blocking(commit).await.expect("a commit");
    (StatusCode::CREATED, body)
}
