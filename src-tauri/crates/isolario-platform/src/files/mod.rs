//! Files and directories, as far as systems differ in them.

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

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[cfg(target_os = "linux")]
pub(crate) use family::identity_by;
#[cfg(windows)]
pub(crate) use family::{FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT};
pub use family::{
    create_directory, disk_space, identity, identity_at, identity_of, is_closed_to_others,
    is_device_failure, is_held, is_of_another_kind, may_enter, may_write, open_directory,
    open_unseen, set_mode, sync_path, with_slashes,
};

/// What tells a file from all others of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileIdentity {
    pub disk: u64,
    /// On its disk.
    pub number: u64,
}

/// Reads and writes at places of a file.
pub trait FileAt {
    /// Reads some bytes from a place. Returns how many.
    ///
    /// # Errors
    /// What the disk refuses.
    fn read_at(&self, bytes: &mut [u8], place: u64) -> io::Result<usize>;

    /// Reads bytes from a place.
    ///
    /// # Errors
    /// `UnexpectedEof`; what the disk refuses.
    fn read_exact_at(&self, bytes: &mut [u8], place: u64) -> io::Result<()>;

    /// Writes bytes at a place.
    ///
    /// # Errors
    /// What the disk refuses.
    fn write_all_at(&self, bytes: &[u8], place: u64) -> io::Result<()>;
}

/// Permissions of a file that is made.
pub trait WithMode {
    /// Sets the permissions, which the mask of the process narrows (umask(2)).
    fn mode(&mut self, mode: u32) -> &mut Self;
}

/// Brings everything to the disk that something lies on: of many files this is quicker than each of them. `None` where
/// the system cannot do so.
pub fn sync_whole_disk(path: &Path) -> Option<io::Result<()>> {
    system::sync_whole_disk(path)
}

/// Brings everything to the disk that lies in a directory and below it, and maybe what else lies on that disk.
///
/// # Errors
/// What the disk refuses.
pub fn sync_below(directory: &Path) -> io::Result<()> {
    if let Some(outcome) = sync_whole_disk(directory) {
        return outcome;
    }
    for entry in directory.read_dir()? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            sync_below(&entry.path())?;
        } else if kind.is_file() {
            sync_path(&entry.path())?;
        }
    }
    sync_path(directory)
}

/// As `std::fs::canonicalize`, in the form that people write and other programs read.
///
/// # Errors
/// What the disk refuses.
pub fn canonicalize(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    family::canonicalize(path.as_ref())
}

/// As `std::fs::rename`. What another program holds for a moment is waited for.
///
/// # Errors
/// What the disk refuses.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    until_released(|| std::fs::rename(from.as_ref(), to.as_ref()))
}

/// As `std::fs::remove_file`. What another program holds for a moment is waited for.
///
/// # Errors
/// What the disk refuses.
pub fn remove_file(path: impl AsRef<Path>) -> io::Result<()> {
    until_released(|| std::fs::remove_file(path.as_ref()))
}

/// As `std::fs::remove_dir_all`. What another program holds for a moment is waited for.
///
/// # Errors
/// What the disk refuses.
pub fn remove_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
    until_released(|| std::fs::remove_dir_all(path.as_ref()))
}

/// Milliseconds between two attempts at what another program holds: in all about a second.
const WAITS: [u64; 8] = [5, 10, 25, 50, 100, 200, 300, 300];

/// Tries again, for about a second, while another program holds what is to be changed. Windows refuses to rename or
/// remove it then, and scanners for viruses and indexers hold each new file for a moment. Other systems do not refuse.
fn until_released(mut attempt: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    for wait in WAITS {
        match attempt() {
            Err(error) if family::may_be_held(&error) => {
                std::thread::sleep(Duration::from_millis(wait));
            }
            outcome => return outcome,
        }
    }
    attempt()
}

/// The first bytes of a file, if it has so many and the system has them in memory already.
pub fn read_if_in_memory(file: &File, size: usize) -> Option<Vec<u8>> {
    system::read_if_in_memory(file, size)
}

/// Gives a file so many bytes of the disk, at least. Those that are new are zeros.
///
/// # Errors
/// `StorageFull`; what else the disk refuses.
pub fn allocate(file: &File, size: u64) -> io::Result<()> {
    system::allocate(file, size)
}

/// A new file without a name, which is gone when it is closed.
///
/// # Errors
/// What the system refuses.
pub fn without_name() -> io::Result<File> {
    system::without_name()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gets_its_bytes_of_the_disk_and_is_read_from_anywhere() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("a");
        let mut options = std::fs::OpenOptions::new();
        let options = options.read(true).write(true).create_new(true);
        let file = WithMode::mode(options, 0o600).open(&path).unwrap();
        allocate(&file, 10).unwrap();
        FileAt::write_all_at(&file, b"bytes", 5).unwrap();
        let mut end = [0; 5];
        FileAt::read_exact_at(&file, &mut end, 5).unwrap();
        assert_eq!(&end, b"bytes");
        assert!(is_closed_to_others(&path.metadata().unwrap()));
        sync_below(disk.path()).unwrap();
        if let Some(whole) = read_if_in_memory(&file, 10) {
            assert_eq!(whole, b"\0\0\0\0\0bytes");
        }
        assert_eq!(read_if_in_memory(&file, 11), None);
    }

    #[test]
    fn a_file_without_a_name_is_in_no_directory() {
        use std::io::{Read, Seek, Write};
        let mut file = without_name().unwrap();
        file.write_all(b"page").unwrap();
        file.rewind().unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "page");
    }
}
