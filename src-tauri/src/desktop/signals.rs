//! Ctrl+C and the system's own wish to end the program end it, with its window or without one.

use tauri::{AppHandle, async_runtime::spawn};

use isolario_platform::signals::EndSignals;

/// Listens from now on.
pub fn quit_on_signals(app: &AppHandle) {
    let app = app.clone();
    spawn(async move {
        let Ok(mut signals) = EndSignals::listen() else {
            return;
        };
        loop {
            signals.received().await;
            app.exit(0);
        }
    });
}
