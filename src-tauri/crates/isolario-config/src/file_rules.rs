//! `[files]`: which files are kept.

use serde::Deserialize;

/// Which files are kept.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FileRules {
    /// Whether every media type takes only the extensions that its field lists. Otherwise one takes all other files.
    pub listed_extensions_only: bool,
}
