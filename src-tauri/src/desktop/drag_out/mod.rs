//! A copy of a file, dragged with the mouse into a file manager or another program. The page only says that a press
//! has become a drag: the drag itself is the system's, which alone can give files to others.

#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
#[cfg_attr(target_os = "linux", path = "linux.rs")]
mod system;

use serde::Serialize;
use tauri::{AppHandle, Manager, WebviewWindow};
use tokio::sync::oneshot;

pub use self::system::{DragOut, listen};
use super::{
    programs::on_main_thread,
    working_copies::{FileRequest, copy_of},
};

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Another program has it.
    Taken,
    /// Let go where nobody wanted it.
    Left,
    /// The button was let go before the copy was whole.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(
            dead_code,
            reason = "other systems begin no drag then, and say so as `Left`"
        )
    )]
    Late,
}

/// Makes the copy that `drag_copy_out` drags.
#[tauri::command]
pub async fn copy_to_drag(wanted: FileRequest, app: AppHandle) -> Result<(), String> {
    copy_of(&app, wanted).await.map(|_| ())
}

/// Drags a copy for as long as the button is held.
#[tauri::command]
pub async fn drag_copy_out(wanted: FileRequest, window: WebviewWindow) -> Result<Outcome, String> {
    let mime = wanted.mime().to_owned();
    let app = window.app_handle().clone();
    let path = copy_of(&app, wanted).await?;
    let (tell, told) = oneshot::channel();
    on_main_thread(&app, move || system::begin(&window, path, &mime, tell)).await??;
    told.await.map_err(|_| "Isolario is closing.".to_owned())
}
