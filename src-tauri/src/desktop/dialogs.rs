//! The system's own dialogs.

use std::path::{Path, PathBuf};

use rfd::{AsyncFileDialog, FileHandle, MessageDialog, MessageLevel};
use tauri::{Manager, State, WebviewWindow};

use super::{
    embedded::EmbeddedServer,
    files::{FileDescription, describe},
    granted::GrantedPaths,
    words::words,
};
use isolario_config::allowed_folders::FolderUse;

/// Lets a person choose files; empty when the dialog was closed without a choice.
#[tauri::command]
pub async fn choose_files(
    window: WebviewWindow,
    granted: State<'_, GrantedPaths>,
) -> Result<Vec<FileDescription>, String> {
    let dialog = AsyncFileDialog::new()
        .set_parent(&window)
        .set_title(&words(window.app_handle()).dialogs.choose_files);
    let chosen = dialog.pick_files().await.unwrap_or_default();
    granted.add(chosen.iter().map(FileHandle::path));
    chosen
        .iter()
        .map(|file| granted.check(file.path()).and_then(|path| describe(&path)))
        .collect()
}

/// Lets a person choose a folder whose files are added; `None` when the dialog was closed.
#[tauri::command]
pub async fn choose_folder_to_add(
    window: WebviewWindow,
    granted: State<'_, GrantedPaths>,
) -> Result<Option<FileDescription>, String> {
    let dialog = AsyncFileDialog::new()
        .set_parent(&window)
        .set_title(&words(window.app_handle()).dialogs.choose_folder);
    let Some(chosen) = dialog.pick_folder().await else {
        return Ok(None);
    };
    granted.add(std::iter::once(chosen.path()));
    let path = granted.check(chosen.path())?;
    describe(&path).map(Some)
}

/// Lets a person choose a folder for something; `None` when the dialog was closed. The page may not read in it, but
/// whoever administers the repository may name it for that.
#[tauri::command]
pub async fn choose_folder(
    window: WebviewWindow,
    server: State<'_, EmbeddedServer>,
    purpose: FolderUse,
) -> Result<Option<String>, String> {
    let dialog = AsyncFileDialog::new()
        .set_parent(&window)
        .set_title(&words(window.app_handle()).dialogs.choose_folder);
    let Some(chosen) = dialog.pick_folder().await else {
        return Ok(None);
    };
    let server = server.server().await?;
    let folders = &server.repository().folders;
    folders.allow_in_this_run(chosen.path(), purpose);
    Ok(chosen.path().to_str().map(str::to_owned))
}

/// Lets the rows of a table name files and folders that a person handed over.
#[tauri::command]
pub async fn allow_for_import(
    paths: Vec<PathBuf>,
    granted: State<'_, GrantedPaths>,
    server: State<'_, EmbeddedServer>,
) -> Result<(), String> {
    let server = server.server().await?;
    let folders = &server.repository().folders;
    for path in &paths {
        folders.allow_in_this_run(&granted.check(path)?, FolderUse::Import);
    }
    Ok(())
}

/// Asks where a file is to be kept; `None` when the dialog was closed. It asks itself before replacing one.
pub async fn ask_where(window: &WebviewWindow, name: &str) -> Option<PathBuf> {
    let name = Path::new(name).file_name()?.to_string_lossy().into_owned();
    AsyncFileDialog::new()
        .set_parent(window)
        .set_title(&words(window.app_handle()).dialogs.save_as)
        .set_file_name(name)
        .save_file()
        .await
        .map(|file| file.path().to_owned())
}

/// Says, before there is a window, why there will be none. Printed as well.
pub fn tell(sentence: &str) {
    eprintln!("isolario: {sentence}");
    MessageDialog::new()
        .set_level(MessageLevel::Error)
        .set_title("Isolario cannot start")
        .set_description(sentence)
        .show();
}
