//! Takes rights and means away from this process, for good.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(target_os = "macos", path = "macos.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;
#[cfg(unix)]
mod unix;

#[cfg(windows)]
use system as family;
#[cfg(unix)]
use unix as family;

use std::io;
use std::path::PathBuf;

/// What a process may use.
#[derive(Debug, Clone, Copy)]
pub struct ProcessBounds {
    /// Bytes of memory beside the program's own code. macOS does not hold a process to that.
    pub memory: u64,
    /// Seconds of processor time.
    pub seconds: u64,
    /// Bytes of a file that it writes.
    pub file: u64,
    /// Files open at the same time.
    pub open_files: u64,
}

/// The files that a process may open besides its standard input.
#[derive(Debug, Clone, Default)]
pub struct FileAccess {
    /// Whether it starts other programs, so that it may read those of the system and what they need.
    pub programs: bool,
    /// What else it may read, with all below.
    pub read: Vec<PathBuf>,
}

/// Bounds this process and its children: they get no further rights and the lowest scheduling priority, and they end
/// with the process that started this one, whose id is `parent`.
///
/// # Errors
/// What the system refuses; `NotFound` when the parent has ended already.
pub fn confine(bounds: &ProcessBounds, parent: Option<u32>) -> io::Result<()> {
    system::end_with_parent(parent)?;
    system::refuse_more_rights()?;
    family::bound(bounds, system::mapped_code())?;
    // Somebody who started it by hand may have made it nicer already.
    let _ = family::give_way();
    Ok(())
}

/// Whether the system can restrict the files that a process opens.
pub fn can_restrict_files() -> bool {
    system::can_restrict_files()
}

/// Restricts this process and its children to some files, and denies them the network.
///
/// # Errors
/// What a system refuses that can restrict files. Elsewhere, nothing is restricted.
pub fn restrict_files(access: &FileAccess) -> io::Result<()> {
    system::restrict_files(access)
}
