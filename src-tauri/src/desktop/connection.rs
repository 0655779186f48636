//! Where the page in the window finds the server, and the key that lets it in.

use serde::Serialize;
use tauri::State;

use super::embedded::EmbeddedServer;

/// What the page needs to speak HTTP to the embedded server.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Connection {
    base_url: String,
    key: String,
}

/// The address on this machine and this run's key. The key is given to this window's page only.
#[tauri::command]
pub async fn connection(embedded: State<'_, EmbeddedServer>) -> Result<Connection, String> {
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

/// The part after the authority, if the address is one of this server: nothing else is ever fetched.
pub fn own_path(url: &str, port: u16) -> Result<&str, String> {
    match url.strip_prefix(&local_base_url(port)) {
        Some(path) if path.starts_with('/') => Ok(path),
        None if url.starts_with('/') => Ok(url),
        _ => Err(format!("{url} is not an address of this repository.")),
    }
}

#[cfg(test)]
mod tests {
    use super::own_path;

    #[test]
    fn takes_addresses_of_this_server_only() {
        assert_eq!(own_path("http://127.0.0.1:8460/a?b", 8460), Ok("/a?b"));
        assert_eq!(own_path("/a?b", 8460), Ok("/a?b"));
        assert!(own_path("http://127.0.0.1:84600/a", 8460).is_err());
        assert!(own_path("http://127.0.0.1:8460@example.org/", 8460).is_err());
        assert!(own_path("https://example.org/a", 8460).is_err());
    }
}
