//! Notices as Windows and macOS have them. A click on one is not told.

use notify_rust::{Notification, error::Error};

/// Shows a notice, which has no number.
pub fn show(title: &str, body: &str, _act: &str) -> Result<Option<u32>, Error> {
    let mut notice = Notification::new();
    notice
        .appname("Isolario")
        .summary(title)
        .body(body)
        .show()?;
    Ok(None)
}
