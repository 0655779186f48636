//! The folder of a backup. It belongs to one repository, and one backup at a time writes it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::BackupError;
use super::pool::make_directory;
use isolario_config::allowed_folders::{FolderUse, resolved};
use isolario_disk::regular_file;
use isolario_platform::files::{self, WithMode};

/// The file that marks a folder for backups before the first one is complete.
const LOCK: &str = "isolario-backup.lock";
const README: &str = include_str!("README.txt");

/// A folder that this program backs up into.
pub(super) struct Target {
    pub folder: PathBuf,
    _lock: File,
}

impl Target {
    /// Locks a folder. It makes the folder if it is missing.
    ///
    /// # Errors
    /// `Inside`, `Around`, `Foreign`, `Busy`, `Disk`.
    pub(super) fn take(folder: &Path, data_directory: &Path) -> Result<Target, BackupError> {
        refuse_kin(folder, data_directory)?;
        let failed = || BackupError::disk(folder);
        make_directory(folder).map_err(failed())?;
        let folder = files::canonicalize(folder).map_err(failed())?;
        if !folder.join(LOCK).exists() && !is_empty(&folder).map_err(failed())? {
            return Err(BackupError::Foreign(folder));
        }
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false).mode(0o600);
        let lock = regular_file::open_with(options, &folder.join(LOCK)).map_err(failed())?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(BackupError::Busy(folder)),
            Err(TryLockError::Error(error)) => return Err(failed()(error)),
        }
        write_anew(&folder.join("README.txt"), README).map_err(failed())?;
        Ok(Target {
            folder,
            _lock: lock,
        })
    }
}

/// Writes a text to a file, which it replaces.
fn write_anew(path: &Path, text: &str) -> io::Result<()> {
    match files::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => std::fs::write(path, text),
    }
}

/// Whether a directory is missing or holds nothing.
pub(super) fn is_empty(folder: &Path) -> io::Result<bool> {
    let entries = match folder.read_dir() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        outcome => outcome?,
    };
    for entry in entries {
        if entry?.file_name() != "lost+found" {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A backup in what it backs up would grow with itself.
fn refuse_kin(folder: &Path, data_directory: &Path) -> Result<(), BackupError> {
    let data = files::canonicalize(data_directory).map_err(BackupError::disk(data_directory))?;
    let folder = resolved(folder);
    if folder.starts_with(&data) && !folder.starts_with(FolderUse::Backup.own_folder(&data)) {
        return Err(BackupError::Inside(folder));
    }
    if data.starts_with(&folder) {
        return Err(BackupError::Around(folder));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_empty_or_for_backups() {
        let disk = tempfile::tempdir().unwrap();
        let data = disk.path().join("data");
        std::fs::create_dir(&data).unwrap();
        let folder = disk.path().join("a/b");
        let first = Target::take(&folder, &data).unwrap();
        assert!(matches!(
            Target::take(&folder, &data),
            Err(BackupError::Busy(_))
        ));
        drop(first);
        drop(Target::take(&folder, &data).unwrap());
        let foreign = disk.path().join("foreign");
        std::fs::create_dir(&foreign).unwrap();
        std::fs::write(foreign.join("letter.odt"), "Dear").unwrap();
        let refused = Target::take(&foreign, &data);
        assert!(matches!(refused, Err(BackupError::Foreign(_))));
        assert_eq!(foreign.read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_repository_is_not_backed_up_into_itself() {
        let disk = tempfile::tempdir().unwrap();
        let data = disk.path().join("data");
        std::fs::create_dir(&data).unwrap();
        std::os::unix::fs::symlink(&data, disk.path().join("link")).unwrap();
        for inside in [
            "data",
            "data/backup",
            "link/new/backup",
            "data/../data/x",
            "new/../data/x",
            "data/backups/../x",
        ] {
            let refused = Target::take(&disk.path().join(inside), &data);
            assert!(matches!(refused, Err(BackupError::Inside(_))), "{inside}");
        }
        assert_eq!(data.read_dir().unwrap().count(), 0);
        drop(Target::take(&data.join("backups/daily"), &data).unwrap());
        let around = Target::take(disk.path(), &data);
        assert!(matches!(around, Err(BackupError::Around(_))));
    }
}
