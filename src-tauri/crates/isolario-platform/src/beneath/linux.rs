//! openat2(2), which follows no link and leaves no directory, and what the system tells in /proc and by statfs(2).

use std::collections::HashSet;
use std::fs::{File, read_dir, read_to_string};
use std::io;
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, fstatfs, openat2};

use crate::files::{FileIdentity, identity_by};

/// How something is opened just to be looked at.
pub(super) const LOOK: OFlags = OFlags::PATH;

/// File systems of other machines, and those of programs: what happens there, the system does not tell. statfs(2).
const SILENT: [i64; 11] = [
    0x6969,      // NFS
    0x517b,      // SMB
    0xff53_4d42, // CIFS
    0xfe53_4d42, // SMB2
    0x6573_5546, // FUSE
    0x0102_1997, // 9P
    0x00c3_6400, // Ceph
    0x5346_414f, // AFS
    0x7375_7245, // Coda
    0x564c,      // NCP
    0x786f_4256, // shared folders of VirtualBox
];

pub(super) fn open_directory(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)?;
    Ok(File::from(opened))
}

pub(super) fn open(directory: &File, path: &str, flags: OFlags, mode: Mode) -> io::Result<File> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    let opened = openat2(directory, path, flags | OFlags::CLOEXEC, mode, resolve)?;
    Ok(File::from(opened))
}

pub(super) fn is_told_of_changes(directory: &File) -> bool {
    let kind = fstatfs(directory).map(|disk| disk.f_type);
    #[expect(clippy::unnecessary_cast, reason = "its type differs between machines")]
    kind.is_ok_and(|kind| !SILENT.contains(&(kind as i64)))
}

/// As proc(5) tells. Other people's programs are seen by the system's administrator only.
pub(super) fn open_to_write(files: &HashSet<FileIdentity>) -> HashSet<FileIdentity> {
    let mut found = HashSet::new();
    if files.is_empty() {
        return found;
    }
    for process in read_dir("/proc").into_iter().flatten().flatten() {
        let name = process.file_name();
        if name.as_encoded_bytes().iter().all(u8::is_ascii_digit) {
            look_at(&process.path(), files, &mut found);
        }
    }
    found
}

/// A process may end while it is looked at; then it has nothing open.
fn look_at(process: &Path, files: &HashSet<FileIdentity>, found: &mut HashSet<FileIdentity>) {
    for descriptor in read_dir(process.join("fd")).into_iter().flatten().flatten() {
        let Ok(metadata) = std::fs::metadata(descriptor.path()) else {
            continue;
        };
        let file = identity_by(&metadata);
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
