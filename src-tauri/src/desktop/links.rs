//! Links that lead out of the window: they open in the person's own browser, never in the window.

use std::process::{Command, Stdio};

use tauri::{Url, webview::NewWindowResponse};

/// Whether the window itself may show this address. Every other web address goes to the browser.
pub fn stays(url: &Url) -> bool {
    if matches!(url.scheme(), "tauri" | "about") {
        return true;
    }
    open_in_browser(url);
    false
}

/// What becomes of a link that asks for a window of its own.
pub fn never_in_a_window<R: tauri::Runtime>(url: &Url) -> NewWindowResponse<R> {
    open_in_browser(url);
    NewWindowResponse::Deny
}

fn open_in_browser(url: &Url) {
    if !matches!(url.scheme(), "http" | "https" | "mailto") {
        return;
    }
    let started = Command::new("xdg-open")
        .arg(url.as_str())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match started {
        Ok(mut opener) => {
            // Waited for elsewhere, so that it does not stay behind as a zombie.
            std::thread::spawn(move || opener.wait());
        }
        Err(error) => tracing::warn!(%error, "the browser could not be opened"),
    }
}
