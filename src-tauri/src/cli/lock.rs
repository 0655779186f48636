//! One program holds a data directory. The lock ends with the program, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Holds a data directory for as long as it lives.
pub struct Lock {
    _file: File,
}

/// Why a directory could not be held.
pub enum LockError {
    /// Another program holds it; its process id, where it could be read.
    Held(Option<u32>),
    File(std::io::Error),
}

impl Lock {
    /// Takes the lock of a data directory, without waiting.
    pub fn take(directory: &Path) -> Result<Lock, LockError> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(directory.join("isolario.lock"))
            .map_err(LockError::File)?;
        match file.try_lock() {
            Ok(()) => sign(&mut file).map_err(LockError::File)?,
            Err(TryLockError::WouldBlock) => return Err(LockError::Held(holder(&mut file))),
            Err(TryLockError::Error(error)) => return Err(LockError::File(error)),
        }
        Ok(Lock { _file: file })
    }
}

fn sign(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
