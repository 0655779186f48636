//! axum answering kept bytes and headers from one prepared SELECT, on the very thread that has the
//! connection: nothing is looked up, put together or asked for permission.

use std::cell::RefCell;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use axum::routing::get;
use rusqlite::{Connection, OpenFlags};

thread_local! {
    static CONNECTION: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

pub fn serve(database: &str, address: &str) {
    let router = axum::Router::new()
        .route("/node/{id}", get(page))
        .with_state(database.to_owned());
    super::serve(address, router);
}

async fn page(State(database): State<String>, Path(id): Path<i64>) -> Response {
    CONNECTION.with_borrow_mut(|kept| {
        let connection = kept.get_or_insert_with(|| open(&database));
        let mut select = connection
            .prepare_cached("SELECT headers, body FROM page WHERE id = ?1")
            .expect("the question");
        let row = select.query_row([id], |row| {
            Ok(answer(row.get_ref(0)?.as_str()?, row.get(1)?))
        });
        row.unwrap_or_else(|_| {
            let missing = Response::builder().status(StatusCode::NOT_FOUND);
            missing.body(Body::empty()).expect("a response")
        })
    })
}

fn open(database: &str) -> Connection {
    Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the pages")
}

fn answer(headers: &str, body: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(body));
    for line in headers.lines() {
        let (name, value) = line.split_once(": ").expect("a header");
        let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
        let value = HeaderValue::from_str(value).expect("a value");
        response.headers_mut().append(name, value);
    }
    response
}
