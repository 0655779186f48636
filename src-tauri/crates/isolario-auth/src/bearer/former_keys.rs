//! Keys that sign no more and still verify: `keys/former.json`. Only their public halves are kept.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::KeyError;
use super::public_key::PublicKey;
use isolario_disk::regular_file;

/// A key that was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerKey {
    pub key: PublicKey,
    /// When the last token it signed expires, in Unix seconds.
    pub until: i64,
}

impl FormerKey {
    /// Whether some token that it signed may still be good.
    pub fn is_good(&self, now: i64) -> bool {
        now < self.until
    }
}

/// The former keys in a file; none where there is no file.
pub fn read(path: &Path) -> Result<Vec<FormerKey>, KeyError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = regular_file::read(path).map_err(KeyError::file(path))?;
    serde_json::from_slice(&text).map_err(|_| KeyError::FormerKeys {
        path: path.to_owned(),
    })
}

/// Writes the former keys in place of those that the file holds.
pub fn keep(path: &Path, keys: &[FormerKey]) -> Result<(), KeyError> {
    let text = serde_json::to_vec_pretty(keys).map_err(|_| KeyError::FormerKeys {
        path: path.to_owned(),
    })?;
    super::keep(path, &text)
}
