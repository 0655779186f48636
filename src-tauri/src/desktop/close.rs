//! Closing: what is in flight is finished, then the program ends.

use std::sync::atomic::{AtomicBool, Ordering};

use tauri::{AppHandle, ExitRequestApi, Manager, async_runtime::spawn};

use super::embedded::Embedded;

/// Whether the server has been told to stop, so that the second request to exit is granted.
#[derive(Default)]
pub struct Closing(AtomicBool);

/// Called when the last window is gone. Puts the exit off until the server has stopped.
pub fn finish_first(app: &AppHandle, exit: &ExitRequestApi) {
    if app.state::<Closing>().0.swap(true, Ordering::SeqCst) {
        return;
    }
    exit.prevent_exit();
    let app = app.clone();
    spawn(async move {
        app.state::<Embedded>().stop().await;
        app.exit(0);
    });
}
