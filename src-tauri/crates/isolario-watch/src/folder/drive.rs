//! What kind of drive a folder lies on.

use std::path::Path;

use rustix::fs::fstatfs;

use super::open_folder;

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

/// Whether the system tells of everything that changes in a folder.
pub fn is_told_of_changes(folder: &Path) -> bool {
    let kind = open_folder(folder).and_then(|folder| Ok(fstatfs(folder)?.f_type));
    #[expect(clippy::unnecessary_cast, reason = "its type differs between machines")]
    kind.is_ok_and(|kind| !SILENT.contains(&(kind as i64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_tells_of_this_disk() {
        assert!(is_told_of_changes(Path::new(env!("CARGO_MANIFEST_DIR"))));
        assert!(!is_told_of_changes(Path::new("/nowhere/at/all")));
    }
}
