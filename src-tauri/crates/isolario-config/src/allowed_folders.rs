//! Which folders of this machine HTTP may name: those that the owner of the machine has allowed, in config.toml, in the
//! window's own dialog or on the command line, and two folders of the data directory.
//!
//! Folders are compared by where they lie, without links. A root that is a link allows nothing, so that whoever can
//! put a link in the place of a folder gains nothing by it.

use std::path::{Component, Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use serde::Deserialize;

use crate::{Config, ConfigError};
use isolario_disk::durable::{PRIVATE_DIRECTORY, make_directory, sync_directory};
use isolario_platform::files;

/// What a folder is named for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FolderUse {
    Watch,
    Backup,
    /// The files of a table that is imported.
    Import,
}

impl FolderUse {
    /// The folder in a data directory that is always allowed for it.
    pub fn own_folder(self, data: &Path) -> PathBuf {
        data.join(match self {
            FolderUse::Watch | FolderUse::Import => "incoming",
            FolderUse::Backup => "backups",
        })
    }
}

/// A folder that is allowed, with all in it.
#[derive(Debug, Clone)]
struct Root {
    path: PathBuf,
    /// `None`: for every use.
    only_for: Option<FolderUse>,
    /// Whether config.toml names it; else it was chosen in this run.
    lasting: bool,
}

impl Root {
    fn is_for(&self, usage: FolderUse) -> bool {
        self.only_for.is_none_or(|only| only == usage)
    }
}

/// The folders that HTTP may name.
#[derive(Debug)]
pub struct AllowedFolders {
    data: PathBuf,
    /// Folders that `[[watch]]` and `[backup]` name. They may be links, and allow nothing that lies in them.
    configured: Vec<(FolderUse, PathBuf)>,
    roots: RwLock<Vec<Root>>,
}

impl AllowedFolders {
    /// Those of a data directory, which is given without links.
    pub fn new(data: &Path, config: &Config) -> AllowedFolders {
        let watched = config.watch.iter().map(|rule| &rule.path);
        let watched = watched.map(|path| (FolderUse::Watch, path.clone()));
        let backup = config.backup.directory.iter();
        let backup = backup.map(|path| (FolderUse::Backup, path.clone()));
        let named = config.folders.iter().flat_map(|rules| &rules.allowed);
        let named = named.inspect(|path| {
            let place = resolved(path);
            if place != **path {
                tracing::warn!(
                    "[folders] in config.toml names {}, which is reached through a link to {}: that allows nothing.",
                    path.display(),
                    place.display()
                );
            }
        });
        let roots = named.map(|path| Root {
            path: path.clone(),
            only_for: None,
            lasting: true,
        });
        AllowedFolders {
            data: data.to_owned(),
            configured: watched.chain(backup).collect(),
            roots: RwLock::new(roots.collect()),
        }
    }

    /// The folders that HTTP may name for a use, with all in them.
    pub fn roots(&self, usage: FolderUse) -> Vec<PathBuf> {
        let roots = self.roots.read().unwrap_or_else(PoisonError::into_inner);
        let named = roots.iter().filter(|root| root.is_for(usage));
        let mut all = vec![usage.own_folder(&self.data)];
        all.extend(named.map(|root| root.path.clone()));
        all.dedup();
        all
    }

    /// Where a folder lies, without links, if HTTP may name it; it need not be there.
    ///
    /// # Errors
    /// A sentence that says what to do. It does not tell what is there.
    pub fn find(&self, folder: &Path, usage: FolderUse) -> Result<PathBuf, String> {
        let climbs = folder.components().any(|part| part == Component::ParentDir);
        let place = resolved(folder);
        let is_configured = || {
            let mut configured = self.configured.iter();
            configured.any(|(only, path)| *only == usage && resolved(path) == place)
        };
        let mut roots = self.roots(usage).into_iter();
        let is_below = roots.any(|root| place.starts_with(root));
        match folder.is_absolute() && !climbs && (is_below || is_configured()) {
            true => Ok(place),
            false => Err(format!(
                "{} is not allowed. Choose it in the window on that machine, or name it in config.toml under [folders] allowed.",
                folder.display()
            )),
        }
    }

    /// Where a folder lies, and what in it HTTP may name: `None` for all of it.
    ///
    /// # Errors
    /// As `find`, where nothing in it is allowed.
    pub fn find_with_parts(
        &self,
        folder: &Path,
        usage: FolderUse,
    ) -> Result<(PathBuf, Option<Vec<PathBuf>>), String> {
        let refused = match self.find(folder, usage) {
            Ok(place) => return Ok((place, None)),
            Err(words) => words,
        };
        let place = resolved(folder);
        let mut parts = self.roots(usage);
        parts.retain(|root| root.starts_with(&place));
        match parts.is_empty() || !folder.is_absolute() {
            true => Err(refused),
            false => Ok((place, Some(parts))),
        }
    }

    /// Makes the folder of the data directory for what comes in, if a folder is to lie there.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn make_incoming(&self, folder: &Path) -> std::io::Result<()> {
        let own = FolderUse::Watch.own_folder(&self.data);
        match folder.starts_with(&own) {
            true => make_directory(&own, PRIVATE_DIRECTORY),
            false => Ok(()),
        }
    }

    /// Allows a folder or file that a person has chosen at this machine, until the program closes.
    pub fn allow_in_this_run(&self, folder: &Path, usage: FolderUse) {
        self.add(Root {
            path: resolved(folder),
            only_for: Some(usage),
            lasting: false,
        });
    }

    /// Allows a folder, and notes it in config.toml.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn allow(&self, folder: &Path) -> Result<(), ConfigError> {
        let path = resolved(folder);
        let is_noted = |root: &Root| root.lasting && path.starts_with(&root.path);
        let is_own = path.starts_with(FolderUse::Watch.own_folder(&self.data));
        let roots = self.roots.read().unwrap_or_else(PoisonError::into_inner);
        let is_noted = is_own || roots.iter().any(is_noted);
        drop(roots);
        if is_noted {
            return Ok(());
        }
        let config = self.data.join("config.toml");
        Config::store_also(&config, "folders", "allowed", &path.to_string_lossy())?;
        sync_directory(&self.data).map_err(|error| ConfigError::File {
            path: config,
            error,
        })?;
        self.add(Root {
            path,
            only_for: None,
            lasting: true,
        });
        Ok(())
    }

    /// Allows the folders of rules that were made before folders had to be allowed.
    pub fn adopt<'f>(&self, folders: impl IntoIterator<Item = &'f Path>) {
        for folder in folders {
            if self.find(folder, FolderUse::Watch).is_ok() {
                continue;
            }
            if let Err(error) = self.allow(folder) {
                tracing::warn!(%error, "a watched folder is allowed in this run only");
                self.allow_in_this_run(folder, FolderUse::Watch);
            }
        }
    }

    fn add(&self, root: Root) {
        let mut roots = self.roots.write().unwrap_or_else(PoisonError::into_inner);
        roots.push(root);
    }
}

/// The path without links and dots, also of something that is not there yet: what is missing is taken to become plain
/// folders.
pub fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut place = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                place.pop();
            }
            part => place.push(part),
        }
        if let Ok(found) = files::canonicalize(&place) {
            place = found;
        }
    }
    place
}

/// Whether one of two folders without links is, or lies in, the other.
pub fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use isolario_platform::files;

    use super::*;

    fn allowing(data: &Path, allowed: &Path) -> AllowedFolders {
        let config = format!("[folders]\nallowed = [{:?}]", allowed.display().to_string());
        AllowedFolders::new(data, &toml::from_str(&config).unwrap())
    }

    #[test]
    fn a_folder_is_found_where_it_lies() {
        let disk = tempfile::tempdir().unwrap();
        let disk = files::canonicalize(disk.path()).unwrap();
        let [data, scans, other] = ["data", "scans", "other"].map(|name| disk.join(name));
        for folder in [&data, &scans, &other] {
            std::fs::create_dir(folder).unwrap();
        }
        symlink(&other, scans.join("out")).unwrap();
        symlink(scans.join("new"), other.join("in")).unwrap();
        let folders = allowing(&data, &scans);
        let find = |path: &Path| folders.find(path, FolderUse::Watch);
        assert_eq!(find(&scans), Ok(scans.clone()));
        assert_eq!(find(&scans.join("a/b")), Ok(scans.join("a/b")));
        assert_eq!(find(&data.join("incoming/a")), Ok(data.join("incoming/a")));
        for refused in [
            disk.clone(),
            disk.join("scans2"),
            data.clone(),
            data.join("backups"),
            scans.join("out"),
            scans.join("out/new"),
            scans.join("none/../../other"),
            scans.join(".."),
            other.join("in"),
            "scans".into(),
            "".into(),
        ] {
            assert!(find(&refused).is_err(), "{}", refused.display());
        }
        std::fs::create_dir(scans.join("new")).unwrap();
        assert_eq!(find(&other.join("in")), Ok(scans.join("new")));
        files::rename(&scans, disk.join("moved")).unwrap();
        symlink(&other, &scans).unwrap();
        assert!(find(&scans).is_err() && find(&scans.join("a")).is_err());
    }

    #[test]
    fn what_is_chosen_is_allowed_for_its_use_and_what_is_noted_for_all() {
        let disk = tempfile::tempdir().unwrap();
        let data = files::canonicalize(disk.path()).unwrap();
        let folders = AllowedFolders::new(&data, &Config::open(&data.join("config.toml")).unwrap());
        let (one, other) = (
            Path::new("/srv/no-such/one"),
            Path::new("/srv/no-such/other"),
        );
        folders.allow_in_this_run(one, FolderUse::Watch);
        assert!(folders.find(one, FolderUse::Watch).is_ok());
        let parts = folders.find_with_parts(Path::new("/srv/no-such"), FolderUse::Watch);
        assert_eq!(parts.unwrap().1, Some(vec![one.to_owned()]));
        let parts = folders.find_with_parts(other, FolderUse::Watch);
        assert!(parts.is_err());
        assert!(folders.find(one, FolderUse::Backup).is_err());
        folders.allow(one).unwrap();
        folders.allow(other).unwrap();
        folders.allow(&other.join("inner")).unwrap();
        let again = AllowedFolders::new(&data, &Config::open(&data.join("config.toml")).unwrap());
        let own = data.join("backups");
        assert_eq!(again.roots(FolderUse::Backup), [&own, one, other]);
    }
}
