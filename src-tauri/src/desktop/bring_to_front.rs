//! Brings the window to the front when a person asks for it: from the tray, a notice or a second start.

use tauri::{AppHandle, Manager};

/// Brings the window to the front, also out of the taskbar.
pub fn bring_to_front(app: &AppHandle) {
    for window in app.webview_windows().into_values() {
        let shown = window
            .unminimize()
            .and_then(|()| window.show())
            .and_then(|()| window.set_focus());
        if let Err(error) = shown {
            tracing::warn!(%error, "the window could not be brought to the front");
        }
    }
}
