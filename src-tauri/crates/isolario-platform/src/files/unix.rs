//! Files, as every Unix has them.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, OFlags, access, statvfs};
use rustix::io::Errno;

use super::{FileAt, FileIdentity, WithMode};

impl FileAt for File {
    fn read_at(&self, bytes: &mut [u8], place: u64) -> io::Result<usize> {
        FileExt::read_at(self, bytes, place)
    }

    fn read_exact_at(&self, bytes: &mut [u8], place: u64) -> io::Result<()> {
        FileExt::read_exact_at(self, bytes, place)
    }

    fn write_all_at(&self, bytes: &[u8], place: u64) -> io::Result<()> {
        FileExt::write_all_at(self, bytes, place)
    }
}

impl WithMode for OpenOptions {
    fn mode(&mut self, mode: u32) -> &mut OpenOptions {
        OpenOptionsExt::mode(self, mode)
    }
}

/// Makes a directory with these permissions, and those above it if `above` says so.
///
/// # Errors
/// What the disk refuses.
pub fn create_directory(path: &Path, mode: u32, above: bool) -> io::Result<()> {
    DirBuilder::new().recursive(above).mode(mode).create(path)
}

/// Sets the permissions of something that is there.
///
/// # Errors
/// What the disk refuses.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Whether nobody but its owner may read, write or enter something.
pub fn is_closed_to_others(found: &Metadata) -> bool {
    found.mode() & 0o077 == 0
}

/// Opens without waiting whatever has a name, but no link: a FIFO would wait for somebody at its other end.
///
/// # Errors
/// What the disk refuses.
pub fn open_unseen(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
    OpenOptionsExt::custom_flags(options, flags.bits().cast_signed()).open(path)
}

/// Whether something was not opened because it is no regular file: links, sockets and FIFOs without a reader,
/// directories that are to be written (open(2)).
pub fn is_of_another_kind(error: &io::Error) -> bool {
    let kinds = [Errno::LOOP, Errno::NXIO, Errno::ISDIR];
    kinds
        .map(|errno| Some(errno.raw_os_error()))
        .contains(&error.raw_os_error())
}

/// Whether the device itself failed.
pub fn is_device_failure(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::IO.raw_os_error())
}

/// The identity of an open file.
///
/// # Errors
/// What the disk refuses.
pub fn identity(file: &File) -> io::Result<FileIdentity> {
    Ok(identity_by(&file.metadata()?))
}

/// The identity of what has a name.
///
/// # Errors
/// What the disk refuses.
pub fn identity_at(path: &Path) -> io::Result<FileIdentity> {
    Ok(identity_by(&path.metadata()?))
}

/// The identity of an open file, of which `found` has been told.
///
/// # Errors
/// What the disk refuses.
pub fn identity_of(_: &File, found: &Metadata) -> io::Result<FileIdentity> {
    Ok(identity_by(found))
}

pub(crate) fn identity_by(found: &Metadata) -> FileIdentity {
    FileIdentity {
        disk: found.dev(),
        number: found.ino(),
    }
}

/// Brings a file or the names in a directory to the disk.
///
/// # Errors
/// What the disk refuses.
#[expect(
    clippy::disallowed_methods,
    reason = "the program made it, and syncs it"
)]
pub fn sync_path(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Whether another program holds what was to be opened or changed.
pub fn is_held(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ResourceBusy | io::ErrorKind::ExecutableFileBusy
    )
}

/// Nobody can hold a name.
pub(super) fn may_be_held(_: &io::Error) -> bool {
    false
}

/// Opens a directory itself.
///
/// # Errors
/// What the disk refuses.
pub fn open_directory(path: &Path) -> io::Result<File> {
    File::open(path)
}

pub(super) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
}

/// A path with a slash between its names. What is no Unicode in it is replaced.
pub fn with_slashes(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Whether this program may list a directory and enter it.
pub fn may_enter(directory: &Path) -> bool {
    access(directory, Access::READ_OK | Access::EXEC_OK).is_ok()
}

/// Whether this program may write something.
pub fn may_write(path: &Path) -> bool {
    access(path, Access::WRITE_OK).is_ok()
}

/// Bytes of the disk that a directory lies on: those that are free for this program, and all.
///
/// # Errors
/// What the disk refuses.
pub fn disk_space(directory: &Path) -> io::Result<(u64, u64)> {
    let disk = statvfs(directory)?;
    let bytes = |blocks: u64| blocks.saturating_mul(disk.f_frsize);
    Ok((bytes(disk.f_bavail), bytes(disk.f_blocks)))
}
