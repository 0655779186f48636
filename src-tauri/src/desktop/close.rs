//! Closing: whether the repository is served on without its window; else what is in flight is finished, then the
//! program ends.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use tauri::{
    AppHandle, CloseRequestApi, Emitter, ExitRequestApi, Manager, WebviewWindow, Window,
    async_runtime::spawn,
};
use tokio::sync::watch;

use super::{embedded::EmbeddedServer, tray::Tray};
use isolario_server::lan::LanState;

/// What the page listens for.
const CLOSING: &str = "closing";

/// Whether the server has been told to stop, so that the second request to exit is granted.
#[derive(Default)]
pub struct Closing(AtomicBool);

/// Whether others are served, and whether the page has been asked what becomes of them.
pub struct ClosePrompt {
    lan: watch::Receiver<LanState>,
    asked: AtomicBool,
}

impl ClosePrompt {
    /// By the state of the local network.
    pub fn new(lan: watch::Receiver<LanState>) -> ClosePrompt {
        ClosePrompt {
            lan,
            asked: AtomicBool::new(false),
        }
    }
}

/// What the page is told: whether an icon in the tray will be there to come back by.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Question {
    tray: bool,
}

/// What becomes of a window that somebody closed.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The window goes, the server stays.
    Serve,
    Quit,
    /// Nothing.
    Stay,
}

/// The window's own button. While the local network is served, the page decides; a second press closes, whatever
/// has become of the page.
pub fn ask_while_shared(window: &Window, api: &CloseRequestApi) {
    let shared = window.state::<ClosePrompt>();
    let serves = shared.lan.borrow().serving.is_some();
    if !serves || shared.asked.swap(true, Ordering::SeqCst) {
        return;
    }
    api.prevent_close();
    let tray = window.state::<Tray>().is_shown();
    if let Err(error) = window.emit(CLOSING, Question { tray }) {
        tracing::warn!(%error, "the page could not be asked");
    }
}

/// The page's answer.
#[tauri::command]
pub fn answer_closing(answer: Answer, window: WebviewWindow) -> Result<(), String> {
    let shared = window.state::<ClosePrompt>();
    shared.asked.store(false, Ordering::SeqCst);
    match answer {
        Answer::Serve => window.hide().map_err(|error| error.to_string()),
        Answer::Quit => {
            window.app_handle().exit(0);
            Ok(())
        }
        Answer::Stay => Ok(()),
    }
}

/// Called when the last window is gone. Puts the exit off until the server has stopped.
pub fn finish_first(app: &AppHandle, exit: &ExitRequestApi) {
    if app.state::<Closing>().0.swap(true, Ordering::SeqCst) {
        return;
    }
    exit.prevent_exit();
    let app = app.clone();
    spawn(async move {
        app.state::<EmbeddedServer>().stop().await;
        app.exit(0);
    });
}
