//! The Explorer of Windows, and the Finder of macOS.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Command;

/// Shows a file, chosen in its folder.
pub fn show_chosen(path: &Path) -> io::Result<()> {
    let mut command = match cfg!(windows) {
        true => {
            let mut chosen = OsString::from("/select,");
            chosen.push(path);
            let mut explorer = Command::new("explorer.exe");
            explorer.arg(chosen);
            explorer
        }
        false => {
            let mut finder = Command::new("open");
            finder.arg("-R").arg(path);
            finder
        }
    };
    command.spawn().map(drop)
}
