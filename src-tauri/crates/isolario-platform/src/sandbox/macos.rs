//! The sandbox of macOS, which bounds time, files and their number. It restricts neither memory nor which files are
//! opened: what does so there is not open to programs like this one.

use std::io;
use std::time::Duration;

use super::{FileAccess, unix};

/// How often a process looks whether its parent is there.
const INTERVAL: Duration = Duration::from_secs(1);

/// No signal tells of the end of a parent, so a thread looks.
pub(super) fn end_with_parent(parent: Option<u32>) -> io::Result<()> {
    let Some(parent) = parent else {
        return Ok(());
    };
    if !unix::is_parent(parent) {
        return Err(io::ErrorKind::NotFound.into());
    }
    let look = move || {
        while unix::is_parent(parent) {
            std::thread::sleep(INTERVAL);
        }
        crate::machine::crash();
    };
    std::thread::Builder::new().spawn(look).map(drop)
}

#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
pub(super) fn refuse_more_rights() -> io::Result<()> {
    Ok(())
}

/// The system does not hold a process to an address space.
pub(super) fn mapped_code() -> Option<u64> {
    None
}

pub(super) fn can_restrict_files() -> bool {
    false
}

#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
pub(super) fn restrict_files(_: &FileAccess) -> io::Result<()> {
    Ok(())
}
