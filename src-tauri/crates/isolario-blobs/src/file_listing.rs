//! Lists the files on disk, without the database.

use std::collections::BTreeMap;
use std::fs::DirEntry;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::Blobs;
use super::disk_entry::{DiskEntry, DiskVisitor, foreign};
use super::ocfl::ObjectReport;

/// The contents of `uploads/`.
#[derive(Debug, Default)]
pub struct PendingUploads {
    /// The number of bytes of each upload.
    pub sizes: BTreeMap<Uuid, u64>,
    /// Names that belong to no upload.
    pub foreign: Vec<PathBuf>,
}

impl Blobs {
    /// Walks the plain trees and the storage root. Memory is bounded by the largest directory.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn survey(&self, visit: &mut DiskVisitor<'_>) -> io::Result<()> {
        let name = |path: &Path| self.tree.name_of(path);
        if walk(self.tree.root(), &name, visit)?.is_continue() {
            self.objects.survey(visit)?;
        }
        Ok(())
    }

    /// Whether a blob lies in a plain tree; otherwise it lies in an object.
    pub fn is_plain(blob: &str) -> bool {
        super::ocfl::Location::parse(blob).is_none()
    }

    /// The path of a blob in its object; empty for one of a plain tree.
    pub fn path_in_object(blob: &str) -> &str {
        let mut parts = blob.splitn(4, '/').skip(3);
        parts.next().unwrap_or_default()
    }

    /// The directory of the version of a blob in its object; empty for one of a plain tree.
    pub fn version_in_object(blob: &str) -> &str {
        match Blobs::is_plain(blob) {
            true => "",
            false => blob.split('/').nth(2).unwrap_or_default(),
        }
    }

    /// Whether anything has a blob's name.
    pub fn is_there(&self, blob: &str) -> bool {
        self.locate(blob)
            .is_ok_and(|path| path.symlink_metadata().is_ok())
    }

    /// Reads an object whole and says what is wrong with it. `None` when `on_read` breaks off.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn validate_object(
        &self,
        object: &Path,
        on_read: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> io::Result<Option<ObjectReport>> {
        self.objects.validate(object, on_read)
    }

    /// The faults of the storage root, without those of its objects.
    pub fn validate_root(&self) -> Vec<String> {
        self.objects.validate_root()
    }

    /// The names in staging, in order.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn staged(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in entries(&self.staging)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    /// The contents of `uploads/`.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn waiting(&self) -> io::Result<PendingUploads> {
        let mut waiting = PendingUploads::default();
        for entry in entries(&self.uploads)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let found = match entry.metadata() {
                Ok(found) => found,
                // The upload was finished or removed a moment ago.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            match Uuid::parse_str(&name) {
                Ok(id) if found.is_file() => drop(waiting.sizes.insert(id, found.len())),
                _ => waiting.foreign.push(entry.path()),
            }
        }
        Ok(waiting)
    }
}

/// A restored repository has these directories from its first start on.
pub(super) fn entries(directory: &Path) -> io::Result<impl Iterator<Item = io::Result<DirEntry>>> {
    match directory.read_dir() {
        Ok(entries) => Ok(Some(entries).into_iter().flatten()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None.into_iter().flatten()),
        Err(error) => Err(error),
    }
}

fn walk(
    directory: &Path,
    name: &dyn Fn(&Path) -> Option<String>,
    visit: &mut DiskVisitor<'_>,
) -> io::Result<ControlFlow<()>> {
    for entry in entries(directory)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let flow = if kind.is_dir() {
            walk(&path, name, visit)?
        } else {
            visit(match name(&path) {
                Some(blob) if kind.is_file() => DiskEntry::Blob(blob),
                Some(_) => foreign(path, "It is no regular file."),
                None => foreign(path, "Nothing of ours has such a name."),
            })
        };
        if flow.is_break() {
            return Ok(flow);
        }
    }
    Ok(ControlFlow::Continue(()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::blobs;
    use super::*;

    fn survey(blobs: &Blobs) -> Vec<String> {
        let mut found = Vec::new();
        let walked = blobs.survey(&mut |thing| {
            found.push(match thing {
                DiskEntry::Blob(blob) => blob,
                DiskEntry::Object(path) => format!("object {}", path.display()),
                DiskEntry::Foreign { path, .. } => {
                    format!("foreign {}", path.file_name().unwrap().display())
                }
            });
            ControlFlow::Continue(())
        });
        walked.unwrap();
        found.sort();
        found
    }

    #[test]
    fn everything_on_disk_is_met() {
        let (disk, blobs) = blobs();
        assert_eq!(survey(&blobs), Vec::<String>::new());
        let tree = disk.path().join("files/public/a dir");
        std::fs::create_dir_all(&tree).unwrap();
        std::fs::write(tree.join("é.txt"), "bytes").unwrap();
        std::os::unix::fs::symlink("é.txt", tree.join("link")).unwrap();
        std::fs::write(disk.path().join("ocfl/stray"), "bytes").unwrap();
        let expected = ["foreign link", "foreign stray", "public/a dir/é.txt"];
        assert_eq!(survey(&blobs), expected);
    }
}
