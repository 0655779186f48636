//! Files, as Windows has them.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::{FileAt, FileIdentity, WithMode};

/// Numbers of errors and flags (Windows, winerror.h and winbase.h).
const ERROR_INVALID_FUNCTION: i32 = 1;
const ERROR_ACCESS_DENIED: i32 = 5;
const ERROR_CRC: i32 = 23;
const ERROR_SHARING_VIOLATION: i32 = 32;
const ERROR_LOCK_VIOLATION: i32 = 33;
const ERROR_IO_DEVICE: i32 = 1117;
/// Opens directories, too.
pub(crate) const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
/// Opens a link itself.
pub(crate) const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;

impl FileAt for File {
    fn read_at(&self, bytes: &mut [u8], place: u64) -> io::Result<usize> {
        self.seek_read(bytes, place)
    }

    fn read_exact_at(&self, mut bytes: &mut [u8], mut place: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.seek_read(bytes, place)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => {
                    place += read as u64;
                    bytes = &mut bytes[read..];
                }
            }
        }
        Ok(())
    }

    fn write_all_at(&self, mut bytes: &[u8], mut place: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.seek_write(bytes, place)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                written => {
                    place += written as u64;
                    bytes = &bytes[written..];
                }
            }
        }
        Ok(())
    }
}

/// A file has the access list of its directory. That of the data directory of an account is for that account alone.
impl WithMode for OpenOptions {
    fn mode(&mut self, _: u32) -> &mut OpenOptions {
        self
    }
}

/// Makes a directory, and those above it if `above` says so.
///
/// # Errors
/// What the disk refuses.
pub fn create_directory(path: &Path, _mode: u32, above: bool) -> io::Result<()> {
    DirBuilder::new().recursive(above).create(path)
}

/// Makes a file read-only where the permissions say so. Who else may use it, its directory says.
///
/// # Errors
/// What the disk refuses.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    const OWNER_WRITES: u32 = 0o200;
    let mut permissions = path.metadata()?.permissions();
    let is_read_only = mode & OWNER_WRITES == 0;
    if path.is_dir() || permissions.readonly() == is_read_only {
        return Ok(());
    }
    permissions.set_readonly(is_read_only);
    std::fs::set_permissions(path, permissions)
}

/// Access lists are not read: a file is taken to be as private as its directory.
pub fn is_closed_to_others(_: &Metadata) -> bool {
    true
}

/// Opens whatever has a name, also a directory, but no link.
///
/// # Errors
/// What the disk refuses.
pub fn open_unseen(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS;
    options.custom_flags(flags).open(path)
}

/// Whether something was not opened because it is no regular file. Everything is opened here that is there.
pub fn is_of_another_kind(_: &io::Error) -> bool {
    false
}

/// Whether the device itself failed.
pub fn is_device_failure(error: &io::Error) -> bool {
    is_one_of(error, &[ERROR_IO_DEVICE, ERROR_CRC])
}

/// Whether another program holds what was to be opened or changed.
pub fn is_held(error: &io::Error) -> bool {
    is_one_of(error, &[ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION])
}

/// Whether a name may have been refused because somebody holds what has it: the system also says that as if a
/// permission lacked (MoveFileExW).
pub(super) fn may_be_held(error: &io::Error) -> bool {
    is_held(error) || is_one_of(error, &[ERROR_ACCESS_DENIED])
}

/// Opens a directory itself.
///
/// # Errors
/// What the disk refuses.
pub fn open_directory(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let options = options.read(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    options.open(path)
}

/// Without the prefix `\\\\?\\`, below which a slash is no separator.
pub(super) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(path)
}

/// A path with a slash between its names. What is no Unicode in it is replaced.
pub fn with_slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Whether this program may list a directory.
pub fn may_enter(directory: &Path) -> bool {
    directory.read_dir().is_ok()
}

/// Whether this program may write a file, or something in a directory. Only the attempt tells.
pub fn may_write(path: &Path) -> bool {
    match path.is_dir() {
        true => tempfile::tempfile_in(path).is_ok(),
        false => OpenOptions::new().write(true).open(path).is_ok(),
    }
}

/// Bytes of the disk that a directory lies on: those that are free for this program, and all.
///
/// # Errors
/// What the disk refuses.
pub fn disk_space(directory: &Path) -> io::Result<(u64, u64)> {
    let disk = fs4::statvfs(directory)?;
    Ok((disk.available_space(), disk.total_space()))
}

/// The identity of an open file.
///
/// # Errors
/// What the disk refuses.
pub fn identity(file: &File) -> io::Result<FileIdentity> {
    let found = winapi_util::file::information(file)?;
    Ok(FileIdentity {
        disk: found.volume_serial_number(),
        number: found.file_index(),
    })
}

/// The identity of an open file. What has been told of it does not have that.
///
/// # Errors
/// What the disk refuses.
pub fn identity_of(file: &File, _: &Metadata) -> io::Result<FileIdentity> {
    identity(file)
}

/// The identity of what has a name.
///
/// # Errors
/// What the disk refuses.
pub fn identity_at(path: &Path) -> io::Result<FileIdentity> {
    identity(&open_directory(path)?)
}

/// Brings a file or the names in a directory to the disk. Only who may write to something may bring it to the disk
/// (FlushFileBuffers). File systems that do so with directories by themselves refuse to be asked.
///
/// # Errors
/// What the disk refuses.
pub fn sync_path(path: &Path) -> io::Result<()> {
    let is_directory = path.is_dir();
    let mut options = OpenOptions::new();
    let options = options.write(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    match options.open(path).and_then(|file| file.sync_all()) {
        Err(error)
            if is_directory
                && is_one_of(&error, &[ERROR_ACCESS_DENIED, ERROR_INVALID_FUNCTION]) =>
        {
            Ok(())
        }
        outcome => outcome,
    }
}

/// Only an administrator may do so.
pub(super) fn sync_whole_disk(_: &Path) -> Option<io::Result<()>> {
    None
}

/// The system does not tell.
pub(super) fn read_if_in_memory(_: &File, _: usize) -> Option<Vec<u8>> {
    None
}

/// A file that becomes longer gets its place on the disk at once (SetEndOfFile), unless it is sparse.
pub(super) fn allocate(file: &File, size: u64) -> io::Result<()> {
    match file.metadata()?.len() < size {
        true => file.set_len(size),
        false => Ok(()),
    }
}

/// A file that the system removes when it is closed.
pub(super) fn without_name() -> io::Result<File> {
    tempfile::tempfile()
}

fn is_one_of(error: &io::Error, codes: &[i32]) -> bool {
    error
        .raw_os_error()
        .is_some_and(|code| codes.contains(&code))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::{canonicalize, remove_file, rename};
    use super::*;

    const FILE_SHARE_READ: u32 = 1;

    /// Two files, of which the second is held as by a program that lets others only read it.
    fn held() -> (tempfile::TempDir, [PathBuf; 2], File) {
        let disk = tempfile::tempdir().unwrap();
        let paths = ["new", "old"].map(|name| disk.path().join(name));
        for path in &paths {
            std::fs::write(path, path.file_name().unwrap().as_encoded_bytes()).unwrap();
        }
        let mut options = OpenOptions::new();
        let holder = options.read(true).share_mode(FILE_SHARE_READ);
        let holder = holder.open(&paths[1]).unwrap();
        (disk, paths, holder)
    }

    #[test]
    fn what_is_held_for_a_moment_is_waited_for() {
        let (_disk, [new, old], holder) = held();
        let releasing = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(150));
            drop(holder);
        });
        rename(&new, &old).unwrap();
        releasing.join().unwrap();
        assert_eq!(std::fs::read(&old).unwrap(), b"new");
        assert!(!new.exists());
    }

    #[test]
    fn what_stays_held_stays_as_it_is() {
        let (_disk, [new, old], _holder) = held();
        assert!(is_held(&remove_file(&old).unwrap_err()));
        assert!(may_be_held(&rename(&new, &old).unwrap_err()));
        assert_eq!(std::fs::read(&old).unwrap(), b"old");
        assert_eq!(std::fs::read(&new).unwrap(), b"new");
    }

    #[test]
    fn a_file_that_this_program_has_open_is_replaced() {
        let (_disk, [new, old], holder) = held();
        drop(holder);
        let reader = File::open(&new).unwrap();
        rename(&new, &old).unwrap();
        let mut bytes = [0; 3];
        FileAt::read_exact_at(&reader, &mut bytes, 0).unwrap();
        assert_eq!(&bytes, b"new");
    }

    #[test]
    fn paths_are_such_as_people_write() {
        let disk = tempfile::tempdir().unwrap();
        let below = disk.path().join("below");
        std::fs::create_dir(&below).unwrap();
        let path = canonicalize(&below).unwrap();
        assert!(!path.to_string_lossy().starts_with(r"\\?\"));
        let inside = path.strip_prefix(canonicalize(disk.path()).unwrap());
        let inside = inside.unwrap().join("a.txt");
        assert_eq!(with_slashes(&inside), "below/a.txt");
        std::fs::write(path.join("a.txt"), "one").unwrap();
        sync_path(&path.join("a.txt")).unwrap();
        sync_path(&path).unwrap();
        assert!(open_directory(&path).unwrap().metadata().unwrap().is_dir());
    }

    #[test]
    fn a_path_longer_than_the_system_once_had_is_no_obstacle() {
        let disk = tempfile::tempdir().unwrap();
        let mut path = disk.path().to_owned();
        for _ in 0..4 {
            path.push("n".repeat(200));
        }
        std::fs::create_dir_all(&path).unwrap();
        let file = path.join("a.txt");
        std::fs::write(&file, "one").unwrap();
        rename(&file, path.join("b.txt")).unwrap();
        assert_eq!(std::fs::read(path.join("b.txt")).unwrap(), b"one");
    }
}
