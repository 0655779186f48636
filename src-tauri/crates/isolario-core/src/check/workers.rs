//! The workers of a check: one thread lists the entries, the others check them. The queue between them is bounded.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::{Aspect, Check, Finding};
use isolario_blobs::DiskEntry;
use isolario_db::StoredVersion;

/// Something to look at.
pub(super) enum Work {
    Version(StoredVersion),
    Entry(DiskEntry),
}

/// More threads would wait for the same disk.
const MOST_WORKERS: usize = 8;
const WAITING: usize = 256;

impl Check {
    /// Compares rows and disk both ways.
    pub(super) fn bytes(&self) {
        for problem in self.subject.blobs.validate_root() {
            self.problem(Aspect::Ocfl, "", &problem);
        }
        let workers = std::thread::available_parallelism().map_or(2, usize::from);
        let (queue, waiting) = sync_channel(WAITING);
        let waiting = Mutex::new(waiting);
        std::thread::scope(|scope| {
            for _ in 0..workers.min(MOST_WORKERS) {
                scope.spawn(|| self.look_at_all(&waiting));
            }
            self.gather(&queue);
            drop(queue);
        });
    }

    fn gather(&self, queue: &SyncSender<Work>) {
        if let Err(error) = self.each_version(queue) {
            self.database_failed(&error);
        }
        if let Err(error) = self.each_found(queue) {
            self.problem(
                Aspect::Bytes,
                "",
                &format!("The directories of files cannot be read: {error}."),
            );
        }
    }

    fn look_at_all(&self, waiting: &Mutex<Receiver<Work>>) {
        loop {
            // Held while waiting: whoever has it gets the next.
            let next = waiting.lock().map(|waiting| waiting.recv());
            let Ok(Ok(work)) = next else { return };
            if self.stop.is_cancelled() {
                continue; // The one who gathers must not wait for us.
            }
            let findings: Vec<Finding> = match work {
                Work::Version(version) => self.look_at_version(&version),
                Work::Entry(found) => self.check_entry(&found),
            };
            for finding in findings {
                self.findings.problem(finding);
            }
        }
    }
}
