//! Checks that the database names every file on disk.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::SyncSender;

use super::workers::Work;
use super::{Aspect, Check, Finding};
use isolario_blobs::DiskEntry;

impl Check {
    pub(super) fn each_found(&self, queue: &SyncSender<Work>) -> io::Result<()> {
        (self.say)("Looking at what lies on disk".into());
        let mut met: u64 = 0;
        self.subject.blobs.survey(&mut |found| {
            met += 1;
            if met.is_multiple_of(100) {
                (self.say)(format!("Looking at what lies on disk: {met}"));
            }
            let sent = queue.send(Work::Entry(found));
            match sent.is_err() || self.stop.is_cancelled() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
    }

    pub(super) fn check_entry(&self, found: &DiskEntry) -> Vec<Finding> {
        match found {
            DiskEntry::Blob(blob) => {
                self.findings.file();
                self.repeat(|| self.look_at_blob(blob))
            }
            DiskEntry::Object(path) => {
                self.findings.object();
                self.settled_object(path)
            }
            DiskEntry::Foreign { path, why } => self.repeat(|| match path.symlink_metadata() {
                Ok(_) => vec![Finding::new(Aspect::Unknown, &self.inside(path), why)],
                Err(_) => Vec::new(),
            }),
        }
    }

    /// Reads the notes before the database, because a note stays until the database names the blob.
    fn look_at_blob(&self, blob: &str) -> Vec<Finding> {
        let found = |words: &str| vec![Finding::new(Aspect::Unknown, blob, words)];
        let subject = &self.subject;
        let unsettled = match subject.blobs.unsettled() {
            Ok(unsettled) => unsettled,
            Err(error) => return found(&format!("Staging cannot be read: {error}.")),
        };
        let is_unsettled = unsettled.iter().any(|noted| noted == blob);
        match subject.db.read_here(|read| read.blob_is_known(blob)) {
            Ok(true) => Vec::new(),
            Ok(false) if is_unsettled || !subject.blobs.is_there(blob) => Vec::new(),
            Ok(false) => found("No version of any file lies there."),
            Err(error) => found(&error.to_string()),
        }
    }

    /// A path as seen from the data directory.
    pub(super) fn inside(&self, path: &Path) -> String {
        let directory = &self.subject.directory;
        path.strip_prefix(directory)
            .unwrap_or(path)
            .display()
            .to_string()
    }
}
