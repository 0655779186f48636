//! Files, as Linux has them.

use std::fs::File;
use std::io::{self, IoSliceMut};
use std::path::Path;

use rustix::fs::{FallocateFlags, MemfdFlags, fallocate, memfd_create, syncfs};
use rustix::io::{ReadWriteFlags, preadv2};

#[expect(
    clippy::disallowed_methods,
    reason = "the program made it, and its disk is synced"
)]
pub(super) fn sync_whole_disk(path: &Path) -> Option<io::Result<()>> {
    let sync = || Ok(syncfs(File::open(path)?)?);
    Some(sync())
}

pub(super) fn read_if_in_memory(file: &File, size: usize) -> Option<Vec<u8>> {
    let mut whole = vec![0; size];
    let mut slices = [IoSliceMut::new(&mut whole)];
    let read = preadv2(file, &mut slices, 0, ReadWriteFlags::NOWAIT);
    (read == Ok(size)).then_some(whole)
}

pub(super) fn allocate(file: &File, size: u64) -> io::Result<()> {
    Ok(fallocate(file, FallocateFlags::empty(), 0, size)?)
}

pub(super) fn without_name() -> io::Result<File> {
    Ok(memfd_create("page", MemfdFlags::CLOEXEC)?.into())
}
