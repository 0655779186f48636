//! Which paths of this disk the page may name: those a person dropped or chose in this run.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use isolario_platform::files;

/// Files and folders that came from a native drop or a dialog. A folder grants what lies in it.
#[derive(Default)]
pub struct GrantedPaths(Mutex<HashSet<PathBuf>>);

impl GrantedPaths {
    /// Remembers what a person handed over, by its real path. What is gone already is left out.
    pub fn add<'a>(&self, paths: impl IntoIterator<Item = &'a Path>) {
        let real = paths
            .into_iter()
            .filter_map(|path| files::canonicalize(path).ok());
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(real);
    }

    /// The real path, if it was handed over itself or lies in a folder that was.
    /// A symbolic link that leads out of such a folder is refused.
    pub fn check(&self, path: &Path) -> Result<PathBuf, String> {
        let real = files::canonicalize(path)
            .map_err(|error| format!("{} cannot be opened: {error}.", path.display()))?;
        let granted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if real.ancestors().any(|part| granted.contains(part)) {
            return Ok(real);
        }
        Err(format!(
            "{} was neither dropped nor chosen here.",
            path.display()
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::GrantedPaths;

    #[test]
    fn grants_what_was_handed_over_and_what_lies_in_it() {
        let disk = tempfile::tempdir().unwrap();
        let folder = disk.path().join("scans");
        fs::create_dir(&folder).unwrap();
        for name in ["scans/a.jpg", "b.jpg", "c.jpg"] {
            fs::write(disk.path().join(name), b"x").unwrap();
        }
        let granted = GrantedPaths::default();
        granted.add([folder.as_path(), &disk.path().join("b.jpg")]);

        assert!(granted.check(&folder.join("a.jpg")).is_ok());
        assert!(granted.check(&disk.path().join("b.jpg")).is_ok());
        assert!(granted.check(&disk.path().join("c.jpg")).is_err());
        assert!(granted.check(&folder.join("../c.jpg")).is_err());
        assert!(granted.check(&folder.join("gone.jpg")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn refuses_a_link_that_leads_out_of_a_granted_folder() {
        let disk = tempfile::tempdir().unwrap();
        let folder = disk.path().join("scans");
        fs::create_dir(&folder).unwrap();
        fs::write(disk.path().join("secret"), b"x").unwrap();
        std::os::unix::fs::symlink(disk.path().join("secret"), folder.join("link")).unwrap();
        let granted = GrantedPaths::default();
        granted.add([folder.as_path()]);

        assert!(granted.check(&folder.join("link")).is_err());
    }
}
