//! Programs that the system knows for the extension of a file, which is how Windows and macOS choose them.

use std::path::Path;

use crate::desktop::words::{Refusals, fill};

/// Extensions of files that the system would run.
const RUN: [&str; 24] = [
    "app", "bat", "cmd", "com", "command", "cpl", "exe", "hta", "jar", "js", "jse", "lnk", "msc",
    "msi", "pif", "ps1", "reg", "scr", "terminal", "url", "vbe", "vbs", "workflow", "wsf",
];

/// Opens a file in the program for its extension.
pub fn launch(path: &Path, _mime: &str, words: &Refusals) -> Result<(), String> {
    let extension = path.extension().unwrap_or_default();
    if RUN.iter().any(|run| extension.eq_ignore_ascii_case(run)) {
        let name = path.display().to_string();
        return Err(fill(&words.is_program, &[("name", &name)]));
    }
    open::that_detached(path).map_err(|error| {
        let (name, reason) = (path.display().to_string(), error.to_string());
        fill(&words.not_started, &[("name", &name), ("reason", &reason)])
    })
}
