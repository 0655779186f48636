//! Why a configuration cannot be used, in words.

use std::io;
use std::path::{Path, PathBuf};

use isolario_model::formats::crosswalk::CrosswalkError;

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{path} cannot be read or written: {error}", path = path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{path} is not right:\n{error}", path = path.display())]
    Content {
        path: PathBuf,
        error: toml::de::Error,
    },
    #[error("{path} is not right: {error}.", path = path.display())]
    Crosswalk {
        path: PathBuf,
        error: CrosswalkError,
    },
    /// The file is written in a way in which one value cannot be changed without touching others.
    #[error("{path} could not be changed by itself. Write {setting} into its table [{table}].", path = path.display())]
    Setting {
        path: PathBuf,
        table: &'static str,
        setting: String,
    },
}

impl ConfigError {
    /// A file that cannot be read or written.
    pub(crate) fn file(path: &Path, error: io::Error) -> ConfigError {
        let path = path.to_owned();
        ConfigError::File { path, error }
    }
}
