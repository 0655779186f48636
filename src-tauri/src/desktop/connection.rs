//! Where the page in the window finds the server, and the key that lets it in.

use serde::Serialize;
use tauri::State;

use super::embedded::Embedded;

/// What the page needs to speak HTTP to the embedded server.
#[derive(Serialize)]
pub struct Connection {
    base_url: String,
    key: String,
}

/// The address on this machine and this run's key. The key is given to this window's page only.
#[tauri::command]
pub async fn connection(embedded: State<'_, Embedded>) -> Result<Connection, String> {
    let server = embedded.server().await?;
    Ok(Connection {
        base_url: local_base_url(server.address().port()),
        key: server.window_key().to_owned(),
    })
}

/// The server as this machine reaches it, whatever public address it may have besides.
pub fn local_base_url(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}
