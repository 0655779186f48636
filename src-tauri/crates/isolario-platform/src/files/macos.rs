//! Files, as macOS has them.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// There is no barrier for a whole disk: sync(2) does not wait.
pub(super) fn sync_whole_disk(_: &Path) -> Option<io::Result<()>> {
    None
}

/// The system does not tell.
pub(super) fn read_if_in_memory(_: &File, _: usize) -> Option<Vec<u8>> {
    None
}

/// Writes zeros: a reservation (fcntl(2), `F_PREALLOCATE`) is given back when the file is closed.
pub(super) fn allocate(file: &File, size: u64) -> io::Result<()> {
    let zeros = vec![0; 1 << 20];
    let mut written = file.metadata()?.len();
    let mut file = file;
    std::io::Seek::seek(&mut file, io::SeekFrom::Start(written))?;
    while written < size {
        let piece = zeros
            .len()
            .min(usize::try_from(size - written).unwrap_or(zeros.len()));
        file.write_all(&zeros[..piece])?;
        written += piece as u64;
    }
    Ok(())
}

/// A file in the directory of temporary files, whose name is removed at once.
pub(super) fn without_name() -> io::Result<File> {
    let name = format!(
        "isolario-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    );
    let path = std::env::temp_dir().join(name);
    let mut options = std::fs::OpenOptions::new();
    let options = options.read(true).write(true).create_new(true);
    let file = super::WithMode::mode(options, 0o600).open(&path)?;
    std::fs::remove_file(path)?;
    Ok(file)
}
