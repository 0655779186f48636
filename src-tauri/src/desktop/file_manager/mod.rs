//! The file manager of this computer, with a file chosen in it.

#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
#[cfg_attr(target_os = "linux", path = "linux.rs")]
mod system;

use std::path::PathBuf;

use tauri::{AppHandle, async_runtime::spawn_blocking};

use super::programs;

/// Shows a file in its folder, chosen where the file manager can do so; else opens the folder.
pub async fn show(app: &AppHandle, path: PathBuf) -> Result<(), String> {
    let file = path.clone();
    let shown = spawn_blocking(move || system::show_chosen(&file)).await;
    if matches!(shown, Ok(Ok(()))) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(&path).to_owned();
    programs::open(app, folder, "inode/directory".to_owned()).await
}
