//! Which files programs of this machine have open to write, as proc(5) tells. Other people's programs are seen
//! by the system's administrator only.

use std::collections::HashSet;
use std::fs::{Metadata, read_dir, read_to_string};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::OFlags;

/// Device and inode of a file.
pub type Identity = (u64, u64);

/// Device and inode of a file.
pub fn identity(metadata: &Metadata) -> Identity {
    (metadata.dev(), metadata.ino())
}

/// Those of some files that a program has open to write.
pub fn open_to_write(files: &HashSet<Identity>) -> HashSet<Identity> {
    let mut found = HashSet::new();
    if files.is_empty() {
        return found;
    }
    for process in read_dir("/proc").into_iter().flatten().flatten() {
        let is_process = process
            .file_name()
            .as_encoded_bytes()
            .iter()
            .all(u8::is_ascii_digit);
        if is_process {
            look_at(&process.path(), files, &mut found);
        }
    }
    found
}

/// A process may end while it is looked at; then it has nothing open.
fn look_at(process: &Path, files: &HashSet<Identity>, found: &mut HashSet<Identity>) {
    for descriptor in read_dir(process.join("fd")).into_iter().flatten().flatten() {
        let Ok(metadata) = std::fs::metadata(descriptor.path()) else {
            continue;
        };
        let file = identity(&metadata);
        if files.contains(&file) && writes(&process.join("fdinfo").join(descriptor.file_name())) {
            found.insert(file);
        }
    }
}

/// Whether a descriptor is for writing, by its flags, which stand there in octal.
#[expect(clippy::disallowed_methods, reason = "the system tells it in /proc")]
fn writes(descriptor: &Path) -> bool {
    let text = read_to_string(descriptor).unwrap_or_default();
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
    flags.is_some_and(|flags| flags & OFlags::ACCMODE.bits() != OFlags::RDONLY.bits())
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn a_writer_is_found_and_a_reader_is_none() {
        let disk = tempfile::tempdir().unwrap();
        let [written, read] = ["written", "read"].map(|name| disk.path().join(name));
        std::fs::write(&read, "r").unwrap();
        let (writer, reader) = (File::create(&written).unwrap(), File::open(&read).unwrap());
        let [written, read] = [&writer, &reader].map(|file| identity(&file.metadata().unwrap()));
        let both = HashSet::from([written, read]);
        assert_eq!(open_to_write(&both), HashSet::from([written]));
        drop(writer);
        assert_eq!(open_to_write(&both), HashSet::new());
    }
}
