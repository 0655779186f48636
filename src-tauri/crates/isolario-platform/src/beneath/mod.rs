//! What lies in a directory that somebody else may change meanwhile: it is reached through no link, and nothing outside
//! is.

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

use std::collections::HashSet;
use std::fs::{File, Metadata, TryLockError};
use std::io;
use std::time::UNIX_EPOCH;

use crate::files::FileIdentity;

pub use family::{Directory, Entries, EntryName};

/// Those of some files that a program has open to write, where the system tells.
pub fn open_to_write(files: &HashSet<FileIdentity>) -> HashSet<FileIdentity> {
    system::open_to_write(files)
}

/// Whether another program has locked a file, in one of the ways that there are.
pub fn is_locked(file: &File) -> bool {
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => return true,
        Ok(()) => drop(file.unlock()),
        // Where there are no such locks, nobody has one.
        Err(TryLockError::Error(_)) => {}
    }
    family::is_locked_otherwise(file)
}

/// Whether something was not opened because a link is on the way.
pub fn is_link(error: &io::Error) -> bool {
    family::is_link_on_the_way(error)
}

/// When a file was changed last, in nanoseconds since 1970; 0 where the disk does not tell.
pub fn modified(found: &Metadata) -> i64 {
    let Ok(time) = found.modified() else {
        return 0;
    };
    let nanoseconds = |time: std::time::Duration| i64::try_from(time.as_nanos());
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => nanoseconds(after).unwrap_or(i64::MAX),
        Err(before) => nanoseconds(before.duration()).map_or(i64::MIN, |before| -before),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_system_tells_of_this_disk() {
        let here = Directory::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert!(here.is_told_of_changes());
        assert!(Directory::open(Path::new("/nowhere/at/all")).is_err());
    }

    #[test]
    fn a_writer_is_found_and_a_reader_is_none() {
        let disk = tempfile::tempdir().unwrap();
        let [written, read] = ["written", "read"].map(|name| disk.path().join(name));
        std::fs::write(&read, "r").unwrap();
        let (writer, reader) = (File::create(&written).unwrap(), File::open(&read).unwrap());
        let [written, read] = [&writer, &reader].map(|file| crate::files::identity(file).unwrap());
        let both = HashSet::from([written, read]);
        if cfg!(target_os = "linux") {
            assert_eq!(open_to_write(&both), HashSet::from([written]));
        }
        drop(writer);
        assert_eq!(open_to_write(&both), HashSet::new());
    }
}
