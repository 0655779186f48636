//! Programs that the desktop knows for a MIME type (GIO).

use std::path::Path;

use gtk::{
    gdk::Display,
    gio::{self, AppInfo, prelude::AppInfoExt},
};

use crate::desktop::words::{Refusals, fill};

/// Opens a file in the program for a type.
pub fn launch(path: &Path, mime: &str, words: &Refusals) -> Result<(), String> {
    let essence = mime.split(';').next().unwrap_or(mime).trim();
    let program = AppInfo::default_for_type(essence, false)
        .ok_or_else(|| fill(&words.no_program, &[("mime", essence)]))?;
    let context = Display::default().and_then(|display| display.app_launch_context());
    program
        .launch(&[gio::File::for_path(path)], context.as_ref())
        .map_err(|error| {
            let reason = error.to_string();
            fill(
                &words.not_started,
                &[("name", &program.name()), ("reason", &reason)],
            )
        })
}
