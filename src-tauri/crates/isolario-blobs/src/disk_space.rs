//! The free space of a disk.

use std::path::Path;

/// Bytes of the disk that a directory lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskSpace {
    /// For this program.
    pub free: u64,
    pub total: u64,
}

/// Asks the disk that a directory lies on for its space.
///
/// # Errors
/// What the disk refuses.
pub fn disk_space(directory: &Path) -> std::io::Result<DiskSpace> {
    let disk = rustix::fs::statvfs(directory)?;
    Ok(DiskSpace {
        free: disk.f_bavail.saturating_mul(disk.f_frsize),
        total: disk.f_blocks.saturating_mul(disk.f_frsize),
    })
}

#[cfg(test)]
mod tests {
    use super::disk_space;

    #[test]
    fn there_is_no_more_free_space_than_the_disk_has() {
        let space = disk_space(&std::env::temp_dir()).expect("a disk");
        assert!(space.total > 0 && space.free <= space.total, "{space:?}");
    }
}
