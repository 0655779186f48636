//! Repositories whose bytes lie in a bucket: `s3s-fs` is the store, and what stands before it breaks requests on demand.

mod early;
mod faults;
mod killed;
mod moved;
mod refusals;
mod store;
mod stored;

use std::path::Path;
use std::process::Command;

use crate::client::Client;
use crate::new_repository;
use crate::program::{Serving, isolario};
use store::{ACCESS_KEY, BUCKET, SECRET_KEY, Store};

/// What everything of the repository lies below in the bucket.
const PREFIX: &str = "repository";

/// Seconds that a store gets for an answer which it does give, however busy the machine is.
const WAIT: u8 = 30;

/// What lets the program in.
const CREDENTIALS: [(&str, &str); 2] = [
    ("AWS_ACCESS_KEY_ID", ACCESS_KEY),
    ("AWS_SECRET_ACCESS_KEY", SECRET_KEY),
];

/// Configures a data directory for the bucket of a store at an address.
fn configure(data: &Path, endpoint: &str) {
    configure_to_wait(data, endpoint, WAIT);
}

/// As `configure`, with the seconds that the store gets for an answer.
fn configure_to_wait(data: &Path, endpoint: &str, seconds: u8) {
    let rules = format!(
        "[bytes]\nbucket = \"{BUCKET}\"\nendpoint = \"{endpoint}\"\nprefix = \"{PREFIX}\"\ntimeout_seconds = {seconds}\n",
    );
    std::fs::write(data.join("config.toml"), rules).expect("written");
}

/// The program, with the credentials of the bucket.
fn with_credentials(data: &Path, arguments: &[&str]) -> Command {
    let mut command = isolario(data, arguments);
    command.envs(CREDENTIALS);
    command
}

fn serve(data: &Path) -> Serving {
    Serving::spawn(with_credentials(
        data,
        &["serve", "--listen", "127.0.0.1:0"],
    ))
}

/// A server on a new repository with the bucket of a store.
fn start(data: &Path, store: &Store) -> Client {
    start_to_wait(data, store, WAIT)
}

/// As `start`, with the seconds that the store gets for an answer.
fn start_to_wait(data: &Path, store: &Store, seconds: u8) -> Client {
    let password = new_repository::copy_to(data);
    configure_to_wait(data, store.address(), seconds);
    Client::with_password(serve(data), password)
}

/// Uploads a text to a new item; its status.
fn put(client: &Client, uri: &str, text: &str) -> u16 {
    client.put(&client.place(), uri, text).0
}
