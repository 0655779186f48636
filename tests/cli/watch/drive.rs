//! A folder on a drive that is taken away and comes back.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Desk, STUCK, allowed, directory};
use crate::faults::disk::Disk;

/// A watched folder that is where a drive is mounted; the test sees the drive itself.
struct Drive {
    disk: Disk,
    point: tempfile::TempDir,
    desk: Desk,
}

impl Drive {
    fn new() -> Drive {
        let disk = Disk::of_megabytes(64);
        let config = format!("[folders]\nallowed = [{:?}]", allowed());
        disk.shell(&format!("echo '{config}' > \"$0/config.toml\""));
        let mut drive = Drive {
            point: directory(),
            desk: Desk {
                client: disk.client(),
                data: directory(),
                folder: directory(),
                id: 0,
            },
            disk,
        };
        drive.mount();
        drive.desk.id = drive.desk.watch(drive.point.path(), json!({}));
        drive
    }

    fn mount(&self) {
        let (from, to) = (self.desk.folder.path(), self.point.path());
        let script = format!("mount --bind {} {}", from.display(), to.display());
        self.disk.shell(&script);
    }

    /// As a file manager does it: refused while anybody holds something open on it, so tried again for a while.
    fn unmount(&self) {
        let point = self.point.path().display();
        let tries =
            format!("for try in $(seq 100); do umount {point} && exit; sleep 0.1; done; exit 1");
        self.disk.shell(&tries);
    }

    fn wait_until_missed(&self) {
        let (folder, begun) = (
            format!("/api/v1/watched-folders/{}", self.desk.id),
            Instant::now(),
        );
        while self.desk.get(&folder)["problem"].is_null() {
            assert!(begun.elapsed() < STUCK, "nobody noticed");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

#[test]
fn what_is_on_a_drive_that_was_away_is_taken_once() {
    let drive = Drive::new();
    let desk = &drive.desk;
    desk.put("a.txt", "first");
    let first = desk.done("a.txt");
    desk.put("b.txt", "had no time to settle");
    desk.wait("b.txt", |_| true);
    drive.unmount();
    drive.wait_until_missed();
    desk.put("c.txt", "came while it was away");
    drive.mount();
    for name in ["b.txt", "c.txt"] {
        desk.done(name);
    }
    assert_eq!(desk.done("a.txt")["mid"], first["mid"]);
    assert_eq!((desk.items(), desk.files().len()), (3, 3));
}
