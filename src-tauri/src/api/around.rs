//! What the formats need to know about the rest of the repository, from one snapshot.

use crate::blobs::address;
use crate::content::{ContentModel, EntityKind, FileUri, Target};
use crate::db::Read;
use crate::fields::Surroundings;

/// Answers for one response.
pub struct Around<'a> {
    pub read: &'a Read<'a>,
    pub model: &'a ContentModel,
    /// Scheme and host without a trailing slash.
    pub base: &'a str,
}

impl Surroundings for Around<'_> {
    fn target(&self, kind: EntityKind, id: i64) -> Option<Target> {
        self.read.target(kind, id).unwrap_or_else(|error| {
            tracing::error!(%error, "a reference could not be looked up");
            None
        })
    }

    fn absolute(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn file_path(&self, uri: &FileUri) -> String {
        address::path_of(uri)
    }

    fn model(&self) -> &ContentModel {
        self.model
    }
}
