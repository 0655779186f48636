//! What every Unix has.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;

use rustix::fs::{
    AtFlags, FlockOperation, Mode, RenameFlags, fcntl_lock, mkdirat, renameat, renameat_with,
    statat, unlinkat,
};
use rustix::io::Errno;

/// Device and inode of a file.
pub type FileIdentity = (u64, u64);

/// Device and inode of a file.
pub fn identity(found: &Metadata) -> FileIdentity {
    (found.dev(), number(found))
}

/// The number of a file on its disk.
pub fn number(found: &Metadata) -> u64 {
    found.ino()
}

/// When a file was changed last, in nanoseconds since 1970.
pub fn modified(found: &Metadata) -> i64 {
    let seconds = found.mtime().saturating_mul(1_000_000_000);
    seconds.saturating_add(found.mtime_nsec())
}

/// Gives something a name in a directory that nothing has there.
///
/// # Errors
/// `AlreadyExists`; what else the disk refuses.
pub fn rename_to_new(from: (&File, &str), to: (&File, &str)) -> io::Result<()> {
    match renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE) {
        // File systems that know no such renaming.
        Err(Errno::INVAL | Errno::NOTSUP) => {
            match statat(to.0, to.1, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
                true => Err(io::ErrorKind::AlreadyExists.into()),
                false => Ok(renameat(from.0, from.1, to.0, to.1)?),
            }
        }
        renamed => Ok(renamed?),
    }
}

/// Removes a file from a directory.
///
/// # Errors
/// What the disk refuses.
pub fn remove(directory: &File, name: &str) -> io::Result<()> {
    Ok(unlinkat(directory, name, AtFlags::empty())?)
}

/// Makes a directory in another, unless something has its name.
///
/// # Errors
/// What the disk refuses.
pub fn make_directory(directory: &File, name: &str) -> io::Result<()> {
    match mkdirat(directory, name, Mode::from_raw_mode(0o777)) {
        Err(Errno::EXIST) => Ok(()),
        made => Ok(made?),
    }
}

/// Whether another program has locked a file by fcntl(2).
pub fn is_locked(file: &File) -> bool {
    let locked = fcntl_lock(file, FlockOperation::NonBlockingLockShared);
    matches!(locked, Err(Errno::ACCESS | Errno::AGAIN))
}

/// Whether something was not opened because a link is on the way.
pub fn is_link(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}
