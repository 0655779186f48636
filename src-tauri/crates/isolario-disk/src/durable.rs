//! Names and small files that outlive a power cut once they are said to be there: the bytes of a file are
//! synced before it gets its name, and a directory whenever a name in it has changed.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use isolario_platform::files::{self, WithMode};

/// Permissions of things that are nobody else's business.
pub const PRIVATE_FILE: u32 = 0o600;
/// As `PRIVATE_FILE`, for directories.
pub const PRIVATE_DIRECTORY: u32 = 0o700;
/// Permissions that the mask of the process narrows.
pub const USUAL_FILE: u32 = 0o666;
/// As `USUAL_FILE`, for directories.
pub const USUAL_DIRECTORY: u32 = 0o777;

/// Brings the names in a directory to the disk.
///
/// # Errors
/// What the disk refuses.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    files::sync_path(directory)
}

/// Brings everything below a directory to the disk: of many files this is quicker than each of them.
///
/// # Errors
/// What the disk refuses.
pub fn sync_disk(directory: &Path) -> io::Result<()> {
    files::sync_below(directory)
}

/// Makes a directory and those above it where they are missing. Those that are there are taken to be on disk.
///
/// # Errors
/// `NotADirectory` when a file stands in the way; what the disk refuses.
pub fn make_directory(directory: &Path, mode: u32) -> io::Result<()> {
    if directory.is_dir() {
        return Ok(());
    }
    let above = above(directory);
    make_directory(above, mode)?;
    create(directory, mode)?;
    sync_directory(above)
}

/// The directory that something lies in.
pub fn above(path: &Path) -> &Path {
    match path.parent() {
        None => path,
        Some(above) if above.as_os_str().is_empty() => Path::new("."),
        Some(above) => above,
    }
}

/// Makes one directory that may be there already; its name follows with the directory above.
///
/// # Errors
/// As `make_directory`.
pub fn create(directory: &Path, mode: u32) -> io::Result<()> {
    match files::create_directory(directory, mode, false) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ if directory.is_dir() => Ok(()),
        _ => Err(io::Error::from(io::ErrorKind::NotADirectory)),
    }
}

/// Writes a new file and brings its bytes to the disk; its name follows with its directory.
///
/// # Errors
/// `AlreadyExists`; what the disk refuses.
pub fn write_synced(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(mode).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Puts a small file in the place of another, if there is one. Whenever the power goes, there is the old one or
/// the new one, whole; the new one for sure once its directory is synced.
///
/// # Errors
/// What the disk refuses.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    match files::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => write_synced(Path::new(&beside), bytes, mode)?,
    }
    files::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_replaced_whatever_a_crash_has_left_beside_it() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("a/b/key.pem");
        make_directory(path.parent().unwrap(), PRIVATE_DIRECTORY).unwrap();
        std::fs::write(path.with_extension("pem.new"), "half").unwrap();
        for text in ["one", "two"] {
            replace(&path, text.as_bytes(), PRIVATE_FILE).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&disk.path().join("a"))), (0o600, 0o700));
        assert_eq!(path.parent().unwrap().read_dir().unwrap().count(), 1);
        let below = make_directory(&path.join("below"), USUAL_DIRECTORY);
        assert_eq!(below.unwrap_err().kind(), io::ErrorKind::NotADirectory);
    }
}
