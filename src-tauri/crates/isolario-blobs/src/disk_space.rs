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
    let (free, total) = isolario_platform::files::disk_space(directory)?;
    Ok(DiskSpace { free, total })
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
