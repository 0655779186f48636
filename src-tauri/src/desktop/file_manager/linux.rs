//! File managers that can be asked over the session bus (freedesktop.org, File Manager D-Bus Interface).

use std::path::Path;

use gtk::{
    gio::{self, BusType, Cancellable, DBusCallFlags, prelude::FileExt},
    glib::{Error, prelude::ToVariant},
};

/// Milliseconds: a file manager that is started for this needs a moment.
const ANSWER: i32 = 10_000;

/// Shows a file, chosen in its folder.
pub fn show_chosen(path: &Path) -> Result<(), Error> {
    let bus = gio::bus_get_sync(BusType::Session, Cancellable::NONE)?;
    let files = vec![gio::File::for_path(path).uri().to_string()];
    bus.call_sync(
        Some("org.freedesktop.FileManager1"),
        "/org/freedesktop/FileManager1",
        "org.freedesktop.FileManager1",
        "ShowItems",
        Some(&(files, "").to_variant()),
        None,
        DBusCallFlags::NONE,
        ANSWER,
        Cancellable::NONE,
    )?;
    Ok(())
}
