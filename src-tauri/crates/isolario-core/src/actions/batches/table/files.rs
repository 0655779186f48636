//! The files that rows of a table name: they lie in one folder of this machine.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::super::table_plan::TableFolder;
use super::columns::nearest;
use super::problem::{TableProblemCode, TableReason};
use crate::repository::Repository;
use isolario_disk::regular_file;
use isolario_platform::files;

/// Names among which one that is like a missing file is looked for.
const MOST_NAMES: usize = 2_000;

/// The folder while its files are looked for.
pub(super) struct FileFinder {
    pub repository: Arc<Repository>,
    /// Without links; `None` where no files come with the table.
    folder: Option<TableFolder>,
    names: OnceLock<Vec<String>>,
}

/// A file that a row names.
#[derive(Debug, Clone)]
pub(super) struct NamedFile {
    pub heading: String,
    /// As the table names it.
    pub text: String,
    pub path: PathBuf,
    /// In bytes.
    pub size: u64,
    pub media_type: &'static str,
    pub mime: String,
    pub media_use: i64,
    /// The address that it is to get.
    pub address: String,
}

impl NamedFile {
    /// Its own name.
    pub fn name(&self) -> &str {
        name_of(&self.path)
    }
}

/// The name of a file; empty for one that is no text.
pub(super) fn name_of(path: &Path) -> &str {
    let name = path.file_name().and_then(|name| name.to_str());
    name.unwrap_or_default()
}

impl FileFinder {
    /// A finder in a folder.
    pub fn new(repository: &Arc<Repository>, folder: Option<&TableFolder>) -> FileFinder {
        FileFinder {
            repository: repository.clone(),
            folder: folder.cloned(),
            names: OnceLock::new(),
        }
    }

    /// The place and the size of a file.
    ///
    /// # Errors
    /// Why it cannot be taken.
    pub fn find(&self, text: &str) -> Result<(PathBuf, u64), TableReason> {
        if text.starts_with("http://") || text.starts_with("https://") {
            return Err(TableProblemCode::FileOnWeb.into());
        }
        let Some(folder) = &self.folder else {
            return Err(TableProblemCode::NoFolder.into());
        };
        let unreadable = |error: &io::Error| TableProblemCode::UnreadableFile.of(error.to_string());
        let named = Path::new(text);
        let climbs = |part: Component<'_>| part == Component::ParentDir;
        if named.components().any(climbs) {
            return Err(TableProblemCode::FileOutsideFolder.into());
        }
        let path = files::canonicalize(folder.path.join(named));
        let path = path.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                TableReason::from(TableProblemCode::UnknownFile)
            }
            _ => unreadable(&error),
        })?;
        if !folder.has(&path) {
            return Err(TableProblemCode::FileOutsideFolder.into());
        }
        let opened = regular_file::open_sized(&path);
        let (_, size) = opened.map_err(|error| unreadable(&error))?;
        match self.repository.config.limits.upload_bytes {
            _ if size == 0 => Err(TableProblemCode::EmptyFile.into()),
            Some(most) if size > most => Err(TableProblemCode::FileTooLarge.of(most.to_string())),
            _ => Ok((path, size)),
        }
    }

    /// The name of a file in the folder that is most like one that there is not.
    pub fn alike(&self, text: &str) -> Option<String> {
        let names = self.names.get_or_init(|| {
            let folders = self.folder.iter();
            let entries = folders.flat_map(|folder| {
                let entries = fs::read_dir(&folder.path).into_iter().flatten().flatten();
                entries.filter(|entry| folder.has(&entry.path()))
            });
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            names.take(MOST_NAMES).collect()
        });
        nearest(text, names.iter().map(String::as_str))
    }
}
