//! Other programs of this computer. They are chosen by the type of a file alone: nothing is ever run because of what
//! is in it.

#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
#[cfg_attr(target_os = "linux", path = "linux.rs")]
mod system;

use std::path::PathBuf;

use tauri::AppHandle;
use tokio::sync::oneshot;

use super::words::words;

/// Opens a file in the program for its type.
pub async fn open(app: &AppHandle, path: PathBuf, mime: String) -> Result<(), String> {
    let words = words(app);
    on_main_thread(app, move || system::launch(&path, &mime, &words.refusals)).await?
}

/// What the window's system does has to be done where it was begun.
pub async fn on_main_thread<T: Send + 'static>(
    app: &AppHandle,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (tell, told) = oneshot::channel();
    app.run_on_main_thread(move || {
        // Whoever asked may have gone.
        let _ = tell.send(work());
    })
    .map_err(|error| error.to_string())?;
    told.await.map_err(|_| "Isolario is closing.".to_owned())
}
