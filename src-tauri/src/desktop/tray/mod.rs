//! The icon in the tray: how the repository is served, with a way to the window and one to quit.

#[cfg(target_os = "linux")]
mod menu;
#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
#[cfg_attr(target_os = "linux", path = "linux.rs")]
mod system;

use tauri::{AppHandle, Manager};

pub use self::system::{Tray, put_icon};
use super::words::{CurrentWords, TrayWords, fill};
use isolario_server::lan::LanState;

/// Tells how the repository is served, for as long as it is.
pub async fn follow(app: AppHandle, mut lan: tokio::sync::watch::Receiver<LanState>) {
    let mut spoken = app.state::<CurrentWords>().follow();
    loop {
        let status = in_words(&lan.borrow_and_update(), &spoken.borrow_and_update().tray);
        app.state::<Tray>().say(status);
        let changed = tokio::select! {
            changed = lan.changed() => changed,
            changed = spoken.changed() => changed,
        };
        if changed.is_err() {
            return;
        }
    }
}

fn in_words(lan: &LanState, words: &TrayWords) -> String {
    match &lan.serving {
        Some(serving) => match serving.urls().first() {
            Some(url) => fill(&words.shared_at, &[("address", url)]),
            None => words.shared.clone(),
        },
        None => words.here.clone(),
    }
}
