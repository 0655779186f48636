//! Where the index lies: `search/FINGERPRINT-NUMBER` in the data directory. A new one is made beside the one that
//! serves, under the next number. An index of other fields or of other documents has another fingerprint.

use std::io;
use std::path::{Path, PathBuf};

use aws_lc_rs::digest;
use serde_json::{Value, json};

use isolario_model::content::ContentModel;
use isolario_platform::files;

/// The folder of the data directory.
const FOLDER: &str = "search";

/// Counts changes of what documents are made of.
const DOCUMENTS: u32 = 3;

/// Where the indexes of a repository lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IndexPlace {
    folder: PathBuf,
    fingerprint: String,
}

impl IndexPlace {
    /// Of a data directory with a content model.
    pub fn of(data_directory: &Path, model: &ContentModel) -> IndexPlace {
        let digest = digest::digest(&digest::SHA256, &indexed(model));
        IndexPlace {
            folder: data_directory.join(FOLDER),
            fingerprint: hex::encode(&digest.as_ref()[..8]),
        }
    }

    /// The indexes, complete or not, the newest first.
    pub fn indexes(&self) -> Vec<PathBuf> {
        let mut numbers: Vec<u64> = self.numbers().collect();
        numbers.sort_unstable();
        numbers
            .into_iter()
            .rev()
            .map(|number| self.at(number))
            .collect()
    }

    /// Where the next one is made.
    pub fn next(&self) -> PathBuf {
        self.at(self
            .numbers()
            .max()
            .map_or(1, |number| number.saturating_add(1)))
    }

    fn at(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{}-{number}", self.fingerprint))
    }

    fn numbers(&self) -> impl Iterator<Item = u64> {
        let entries = self.folder.read_dir().into_iter().flatten().flatten();
        let beginning = format!("{}-", self.fingerprint);
        entries.filter_map(move |entry| {
            let name = entry.file_name();
            name.to_str()?.strip_prefix(&beginning)?.parse().ok()
        })
    }

    /// Removes everything but one index.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn leave_only(&self, kept: &Path) -> io::Result<()> {
        for entry in self.folder.read_dir()? {
            let path = entry?.path();
            if path != kept {
                remove(&path)?;
            }
        }
        Ok(())
    }
}

fn remove(path: &Path) -> io::Result<()> {
    let removed = match path.symlink_metadata()?.is_dir() {
        true => files::remove_dir_all(path),
        false => files::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// What documents take from a content model. Labels and rules of forms are no part of it.
fn indexed(model: &ContentModel) -> Vec<u8> {
    let fields = model.bundles.iter().flat_map(|bundle| {
        let fields = bundle.fields.iter().map(|field| {
            let (kind, facet) = (&field.target_type, &field.facet);
            json!([
                bundle.kind,
                bundle.id,
                field.name,
                field.field_type,
                kind,
                facet
            ])
        });
        fields.collect::<Vec<_>>()
    });
    let relators = model.relators.keys().map(|relator| json!(relator));
    let all: Vec<_> = fields.chain(relators).collect();
    format!("{DOCUMENTS} {}", Value::Array(all)).into_bytes()
}

/// Removes all indexes of a data directory, when they may be of another database. They are made anew.
///
/// # Errors
/// What the disk refuses.
pub fn forget(data_directory: &Path) -> io::Result<()> {
    match remove(&data_directory.join(FOLDER)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
