//! All file bytes: stage, place, read, remove, sweep. No other room opens a data file.
//!
//! Bytes arrive in `staging/`, are placed once under a name that never existed before, and are never
//! written to again. The database says which blob is which version of which file; nothing here does.

pub mod address;
mod checksum;
pub mod local_copy;
pub mod local_source;
pub mod name;
mod place;
mod read;
mod stage;
mod sweep;
mod tree;

use std::path::Path;

pub use checksum::{Algorithm, Checksum};
pub use place::Placed;
pub use read::OpenBlob;
pub use stage::{StageError, Staged};

use crate::cli::config::Config;
use crate::content::FileUri;

/// The bytes of one repository. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Blobs {
    tree: tree::Tree,
    staging: std::path::PathBuf,
    schemes: [String; 2],
}

impl Blobs {
    /// Opens the bytes below a data directory, making what is missing: `staging/`, and `files/` with a
    /// tree for each scheme. Staging lies on the same disk, so placing is a rename.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn open(data_directory: &Path, config: &Config) -> std::io::Result<Blobs> {
        let schemes = [address::PUBLIC.to_owned(), config.repository_scheme.clone()];
        let staging = data_directory.join("staging");
        std::fs::create_dir_all(&staging)?;
        let tree = tree::Tree::open(&data_directory.join("files"), &schemes)?;
        Ok(Blobs {
            tree,
            staging,
            schemes,
        })
    }

    /// Reads the address a client wants for a file.
    ///
    /// # Errors
    /// A sentence for the client that says which rule the name breaks.
    pub fn parse_uri(&self, text: &str) -> Result<FileUri, name::NameError> {
        let schemes = self.schemes.each_ref().map(String::as_str);
        name::parse(text, &schemes)
    }
}

/// Runs work on the disk off the async threads.
async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    joined(tokio::task::spawn_blocking(work)).await
}

async fn joined<T>(
    task: impl Future<Output = Result<std::io::Result<T>, tokio::task::JoinError>>,
) -> std::io::Result<T> {
    match task.await {
        Ok(outcome) => outcome,
        Err(error) => Err(std::io::Error::other(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Blobs, address, tree};

    /// Empty trees on a disk of their own.
    pub(super) fn blobs() -> (tempfile::TempDir, Blobs) {
        let disk = tempfile::tempdir().expect("a temporary directory");
        let schemes = [address::PUBLIC.to_owned(), "fedora".to_owned()];
        let staging = disk.path().join("staging");
        std::fs::create_dir(&staging).expect("a fresh directory");
        let tree = tree::Tree::open(&disk.path().join("files"), &schemes).expect("a fresh tree");
        let blobs = Blobs {
            tree,
            staging,
            schemes,
        };
        (disk, blobs)
    }
}
