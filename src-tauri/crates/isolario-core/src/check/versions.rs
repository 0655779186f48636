//! Checks that every version of every file in the database has its bytes on disk.

use std::sync::mpsc::SyncSender;

use super::workers::Work;
use super::{Aspect, Check, Finding};
use isolario_blobs::{Blobs, FileDigest};
use isolario_db::{DbError, StoredVersion};
use isolario_model::content::FixityState;

const PAGE: u32 = 500;

impl Check {
    pub(super) fn each_version(&self, queue: &SyncSender<Work>) -> Result<(), DbError> {
        let mut place = (0, 0);
        while !self.stop.is_cancelled() {
            let page = self
                .subject
                .db
                .read_here(|read| read.versions_after(place, PAGE))?;
            let Some(last) = page.last() else { break };
            place = (last.fid, last.version);
            (self.say)(format!("Reading the bytes of file {}", place.0));
            for version in page {
                self.findings.version();
                if queue.send(Work::Version(version)).is_err() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Checks that bytes in an object exist. Their contents are read with the object.
    pub(super) fn look_at_version(&self, version: &StoredVersion) -> Vec<Finding> {
        self.repeat(|| {
            let known = known(version);
            let blobs = &self.subject.blobs;
            let blob = self.place_of(version);
            let verdict = match Blobs::is_plain(&blob) {
                true => blobs.verify(&blob, &known, &mut |bytes| self.count(bytes)),
                false => Some(blobs.glance(&blob, &known)),
            };
            match verdict {
                Some(verdict) if verdict.state != FixityState::Intact => {
                    self.if_still_there(version, &verdict.detail)
                }
                _ => Vec::new(),
            }
        })
    }

    /// The current name of the blob of a version: that of its row, unless the blob was moved and the row is not updated
    /// yet.
    fn place_of(&self, version: &StoredVersion) -> String {
        let (fid, number) = (version.fid, version.version);
        let places = self
            .subject
            .db
            .read_here(|read| read.places_of_version(fid, number));
        let mut places = places.unwrap_or_default().into_iter();
        let there = places.find(|place| self.subject.blobs.is_there(place));
        there.unwrap_or_else(|| version.blob.clone())
    }

    /// Ignores bytes that were removed with their row.
    fn if_still_there(&self, version: &StoredVersion, detail: &str) -> Vec<Finding> {
        let db = &self.subject.db;
        match db.read_here(|read| read.version_is_at(version)) {
            Ok(false) => Vec::new(),
            Ok(true) => vec![finding(version, detail)],
            Err(error) => vec![finding(version, &error.to_string())],
        }
    }
}

/// The known size and checksum of a version.
pub(super) fn known(version: &StoredVersion) -> FileDigest {
    FileDigest {
        size: version.size,
        sha512: version.sha512.clone(),
    }
}

/// A finding about the bytes of a version.
pub(super) fn finding(version: &StoredVersion, detail: &str) -> Finding {
    let StoredVersion {
        fid,
        version: number,
        blob,
        ..
    } = version;
    let subject = format!("{blob} (file {fid}, version {number})");
    Finding::new(Aspect::Bytes, &subject, detail)
}
