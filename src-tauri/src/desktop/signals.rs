//! Ctrl+C and the system's own wish to end the program close the window like its own button.

use tauri::{AppHandle, Manager, async_runtime::spawn};
use tokio::signal::unix::{SignalKind, signal};

/// Listens from now on.
pub fn close_on_signals(app: &AppHandle) {
    for kind in [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
    ] {
        let app = app.clone();
        spawn(async move {
            let Ok(mut received) = signal(kind) else {
                return;
            };
            while received.recv().await.is_some() {
                close_windows(&app);
            }
        });
    }
}

fn close_windows(app: &AppHandle) {
    for window in app.webview_windows().into_values() {
        if let Err(error) = window.close() {
            tracing::warn!(%error, "the window could not be closed");
        }
    }
}
