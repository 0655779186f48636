//! Opening regular files. Whatever else has the name of one is refused at once: to open a FIFO would wait for
//! somebody at its other end, to read of a device may never end, and a link leads elsewhere.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use isolario_platform::files::{is_of_another_kind, open_unseen};

/// Opens a file to read.
///
/// # Errors
/// `InvalidInput` for what is no regular file; what the disk refuses.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), path)
}

/// Opens a file to read, and says how many bytes it has.
///
/// # Errors
/// As `open`.
pub fn open_sized(path: &Path) -> io::Result<(File, u64)> {
    let file = open_any(OpenOptions::new().read(true), path)?;
    let found = file.metadata()?;
    match found.is_file() {
        true => Ok((file, found.len())),
        false => Err(another_kind()),
    }
}

/// Opens a file in another way.
///
/// # Errors
/// As `open`.
pub fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    regular(open_any(options, path)?)
}

/// Opens without waiting whatever has the name, if it can be opened.
fn open_any(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    match open_unseen(options, path) {
        Err(error) if is_of_another_kind(&error) => Err(another_kind()),
        outcome => outcome,
    }
}

/// What somebody has opened, without waiting, if it is a regular file.
///
/// # Errors
/// As `open`.
pub fn regular(file: File) -> io::Result<File> {
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(another_kind()),
    }
}

/// Reads a file whole.
///
/// # Errors
/// As `open`.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a text whole.
///
/// # Errors
/// As `open`; `InvalidData` for what is not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Copies a file into a new one.
///
/// # Errors
/// As `open`; `AlreadyExists`.
pub fn copy(from: &Path, to: &Path) -> io::Result<File> {
    let (mut source, mut target) = (open(from)?, File::create_new(to)?);
    io::copy(&mut source, &mut target)?;
    Ok(target)
}

fn another_kind() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_device_is_no_regular_file_and_neither_is_a_link() {
        let disk = tempfile::tempdir().unwrap();
        let (link, text) = (disk.path().join("link"), disk.path().join("text"));
        std::fs::write(&text, "text").unwrap();
        symlink(&text, &link).unwrap();
        let kind = |path: &Path| open(path).unwrap_err().kind();
        for path in [Path::new("/dev/zero"), disk.path(), &link] {
            assert_eq!(kind(path), io::ErrorKind::InvalidInput, "{path:?}");
            let written = open_with(OpenOptions::new().append(true), path);
            assert_eq!(written.unwrap_err().kind(), io::ErrorKind::InvalidInput);
        }
        assert_eq!(kind(&disk.path().join("none")), io::ErrorKind::NotFound);
        assert_eq!(
            read_to_string(&link.canonicalize().unwrap()).unwrap(),
            "text"
        );
    }
}
