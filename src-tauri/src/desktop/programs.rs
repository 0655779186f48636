//! Other programs of this computer. They are chosen by the type of a file alone: nothing is ever run because of what
//! is in it.

use std::path::{Path, PathBuf};

use gtk::{
    gdk::Display,
    gio::{self, AppInfo, prelude::AppInfoExt},
};
use tauri::AppHandle;
use tokio::sync::oneshot;

use super::words::{Refusals, fill, words};

/// Opens a file in the program for its type.
pub async fn open(app: &AppHandle, path: PathBuf, mime: String) -> Result<(), String> {
    let words = words(app);
    on_main_thread(app, move || launch(&path, &mime, &words.refusals)).await?
}

/// What GTK does has to be done where it was begun.
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

fn launch(path: &Path, mime: &str, words: &Refusals) -> Result<(), String> {
    let essence = mime.split(';').next().unwrap_or(mime).trim();
    let program = AppInfo::default_for_type(essence, false)
        .ok_or_else(|| fill(&words.no_program, &[("mime", essence)]))?;
    let context = Display::default().and_then(|display| display.app_launch_context());
    program
        .launch(&[gio::File::for_path(path)], context.as_ref())
        .map_err(|error| {
            let reason = error.to_string();
            fill(
                &words.not_started,
                &[("name", &program.name()), ("reason", &reason)],
            )
        })
}
