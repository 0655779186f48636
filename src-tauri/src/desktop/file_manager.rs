//! The file manager of this computer, with a file chosen in it.

use std::path::{Path, PathBuf};

use gtk::{
    gio::{self, BusType, Cancellable, DBusCallFlags, prelude::FileExt},
    glib::{Error, prelude::ToVariant},
};
use tauri::{AppHandle, async_runtime::spawn_blocking};

use super::programs;

/// Milliseconds: a file manager that is started for this needs a moment.
const ANSWER: i32 = 10_000;

/// Shows a file in its folder, chosen where the file manager can do so (freedesktop.org, File Manager
/// D-Bus Interface); else opens the folder.
pub async fn show(app: &AppHandle, path: PathBuf) -> Result<(), String> {
    let file = path.clone();
    let shown = spawn_blocking(move || show_chosen(&file)).await;
    if matches!(shown, Ok(Ok(()))) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(&path).to_owned();
    programs::open(app, folder, "inode/directory".to_owned()).await
}

fn show_chosen(path: &Path) -> Result<(), Error> {
    let bus = gio::bus_get_sync(BusType::Session, Cancellable::NONE)?;
    let files = vec![gio::File::for_path(path).uri().to_string()];
    bus.call_sync(
        Some("org.freedesktop.FileManager1"),
        "/org/freedesktop/FileManager1",
        "org.freedesktop.FileManager1",
        "ShowItems",
        Some(&(files, "").to_variant()),
        None,
        DBusCallFlags::NONE,
        ANSWER,
        Cancellable::NONE,
    )?;
    Ok(())
}
