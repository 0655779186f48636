//! `isolario import islandora`: from recorded answers of a real site, from another program, from hostile sites.

mod from_isolario;
mod hostile;
mod on_request;
mod stand_in;
mod whole;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::client::Client;
use crate::program::isolario;

/// An import from an address.
pub fn importing(data: &Path, url: &str, more: &[&str]) -> Command {
    let mut command = isolario(data, &["import", "islandora", url, "--user", "admin"]);
    command.args(more).env("ISOLARIO_SITE_PASSWORD", "secret");
    command
}

/// Runs an import to its end.
pub fn import(data: &Path, url: &str, more: &[&str]) -> Output {
    importing(data, url, more)
        .output()
        .expect("the program starts")
}

/// What a client reads.
pub fn read(client: &Client, path: &str) -> Value {
    let (status, body) = client.get(path);
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).expect("JSON")
}
