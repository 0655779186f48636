//! *Save as…*: a file of the repository, or a text of the page, written where a person wants it.

use std::path::PathBuf;

use isolario_blobs::local_copy::write_copy;
use serde::Serialize;
use tauri::{State, WebviewWindow};
use tokio_util::io::ReaderStream;

use super::{connection::own_path, dialogs, embedded::EmbeddedServer};

/// Whether and where; `saved` is false when the dialog was closed.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SaveOutcome {
    saved: bool,
    path: Option<PathBuf>,
}

const CANCELLED: SaveOutcome = SaveOutcome {
    saved: false,
    path: None,
};

/// Asks where, then fetches `url` from the embedded server. The target is whole or untouched.
#[tauri::command]
pub async fn save_as(
    url: String,
    name: String,
    window: WebviewWindow,
    embedded: State<'_, EmbeddedServer>,
) -> Result<SaveOutcome, String> {
    let port = embedded.server().await?.address().port();
    let path_and_query = own_path(&url, port)?;
    let Some(path) = dialogs::ask_where(&window, &name).await else {
        return Ok(CANCELLED);
    };
    let server = embedded.server().await?;
    server.save_file(path_and_query, &path).await?;
    Ok(SaveOutcome {
        saved: true,
        path: Some(path),
    })
}

/// Asks where, then writes `text`. The target is whole or untouched.
#[tauri::command]
pub async fn save_text(
    text: String,
    name: String,
    window: WebviewWindow,
) -> Result<SaveOutcome, String> {
    let Some(path) = dialogs::ask_where(&window, &name).await else {
        return Ok(CANCELLED);
    };
    let written = write_copy(&path, ReaderStream::new(text.as_bytes())).await;
    written.map_err(|error| format!("{} cannot be written: {error}.", path.display()))?;
    Ok(SaveOutcome {
        saved: true,
        path: Some(path),
    })
}
