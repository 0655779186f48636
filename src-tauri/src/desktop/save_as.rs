//! *Save as…*: a file of the repository, written where a person wants it.

use std::path::PathBuf;

use serde::Serialize;
use tauri::{State, WebviewWindow};

use super::{connection::local_base_url, dialogs, embedded::Embedded};

/// Whether and where; `saved` is false when the dialog was closed.
#[derive(Serialize)]
pub struct Saved {
    saved: bool,
    path: Option<PathBuf>,
}

/// Asks where, then fetches `url` from the embedded server. The target is whole or untouched.
#[tauri::command]
pub async fn save_as(
    url: String,
    name: String,
    window: WebviewWindow,
    embedded: State<'_, Embedded>,
) -> Result<Saved, String> {
    let port = embedded.server().await?.address().port();
    let path_and_query = own_path(&url, port)?;
    let Some(path) = dialogs::ask_where(&window, &name).await else {
        return Ok(Saved {
            saved: false,
            path: None,
        });
    };
    let server = embedded.server().await?;
    server.save_file(path_and_query, &path).await?;
    Ok(Saved {
        saved: true,
        path: Some(path),
    })
}

/// The part after the authority, if the address is one of this server: nothing else is ever fetched.
fn own_path(url: &str, port: u16) -> Result<&str, String> {
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
