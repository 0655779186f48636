//! Locks a data directory for one program. The lock ends with the program, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek, Write};
use std::path::Path;

use isolario_disk::regular_file;
use isolario_platform::files::{WithMode, open_directory};

const NAME: &str = "isolario.lock";

/// The lock of a data directory. It locks the directory itself, which nobody can remove. It also locks a file in it,
/// which names the holder. Where directories cannot be locked, only the file is.
pub struct Lock {
    _directory: File,
    _file: Option<File>,
}

/// Why a directory could not be locked.
pub enum LockError {
    /// Another program holds it; its process id, where it could be read.
    Held(Option<u32>),
    File(std::io::Error),
}

impl Lock {
    /// Takes the lock of a data directory, without waiting.
    pub fn take(directory: &Path) -> Result<Lock, LockError> {
        let _directory = lock_directory(directory)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = regular_file::open_with(options.mode(0o600), &directory.join(NAME));
        let mut file = file.map_err(LockError::File)?;
        match file.try_lock() {
            Ok(()) => sign(&mut file).map_err(LockError::File)?,
            Err(TryLockError::WouldBlock) => return Err(LockError::Held(holder(directory))),
            Err(TryLockError::Error(error)) => return Err(LockError::File(error)),
        }
        Ok(Lock {
            _directory,
            _file: Some(file),
        })
    }

    /// As `take`, for reading. On a read-only disk, only the directory is locked.
    pub fn take_to_look(directory: &Path) -> Result<Lock, LockError> {
        match Lock::take(directory) {
            Err(LockError::File(error)) if is_read_only(&error) => Ok(Lock {
                _directory: lock_directory(directory)?,
                _file: None,
            }),
            outcome => outcome,
        }
    }
}

/// Network file systems lock no directories.
fn lock_directory(path: &Path) -> Result<File, LockError> {
    let directory = open_directory(path).map_err(LockError::File)?;
    match directory.try_lock() {
        Err(TryLockError::WouldBlock) => Err(LockError::Held(holder(path))),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(directory),
    }
}

fn is_read_only(error: &std::io::Error) -> bool {
    let kinds = [ErrorKind::ReadOnlyFilesystem, ErrorKind::PermissionDenied];
    kinds.contains(&error.kind())
}

fn sign(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

fn holder(directory: &Path) -> Option<u32> {
    let text = regular_file::read_to_string(&directory.join(NAME)).ok()?;
    text.trim().parse().ok()
}
