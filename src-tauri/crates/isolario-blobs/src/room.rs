//! The free space of a disk.

use std::path::Path;

/// Bytes of the disk that a directory lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// For this program.
    pub free: u64,
    pub total: u64,
}

/// Room on the disk that a directory lies on.
///
/// # Errors
/// What the disk refuses.
pub fn room(directory: &Path) -> std::io::Result<Room> {
    let disk = rustix::fs::statvfs(directory)?;
    Ok(Room {
        free: disk.f_bavail.saturating_mul(disk.f_frsize),
        total: disk.f_blocks.saturating_mul(disk.f_frsize),
    })
}

#[cfg(test)]
mod tests {
    use super::room;

    #[test]
    fn there_is_no_more_room_than_the_disk_has() {
        let room = room(&std::env::temp_dir()).expect("a disk");
        assert!(room.total > 0 && room.free <= room.total, "{room:?}");
    }
}
