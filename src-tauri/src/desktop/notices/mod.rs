//! What the desktop tells a person who is looking elsewhere.

#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
#[cfg_attr(target_os = "linux", path = "linux.rs")]
mod system;

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use tauri::{Manager, WebviewWindow, async_runtime::spawn_blocking};

use super::words::words;

#[cfg(target_os = "linux")]
pub use system::follow_clicks;

/// The notices of this run, by the numbers that the desktop gave them.
#[derive(Default)]
pub struct Notices(Mutex<HashSet<u32>>);

impl Notices {
    fn add(&self, number: u32) {
        self.locked().insert(number);
    }

    /// Whether there was such a notice.
    #[cfg(target_os = "linux")]
    fn remove(&self, number: u32) -> bool {
        self.locked().remove(&number)
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, HashSet<u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells a person that something is over, unless they are looking at the window.
#[tauri::command]
pub async fn notify(title: String, body: String, window: WebviewWindow) -> Result<(), String> {
    let looked_at = window.is_focused().unwrap_or(false) && window.is_visible().unwrap_or(false);
    if looked_at {
        return Ok(());
    }
    let words = words(window.app_handle());
    match spawn_blocking(move || system::show(&title, &body, &words.notice.show)).await {
        Ok(Ok(Some(number))) => window.state::<Notices>().add(number),
        Ok(Ok(None)) => {}
        // A desktop without notices has none to miss.
        Ok(Err(error)) => tracing::debug!(%error, "nobody shows notices"),
        Err(error) => return Err(error.to_string()),
    }
    Ok(())
}
