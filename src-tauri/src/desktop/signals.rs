//! Ctrl+C and the system's own wish to end the program end it, with its window or without one.

use tauri::{AppHandle, async_runtime::spawn};
use tokio::signal::unix::{SignalKind, signal};

/// Listens from now on.
pub fn quit_on_signals(app: &AppHandle) {
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
                app.exit(0);
            }
        });
    }
}
