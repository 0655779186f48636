//! What a reference needs to know of its target, whatever kind it is.

use super::{EntityKind, FileUri, MimeType};

/// The facts of a referenced thing that a reference shows or a rule checks.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    pub kind: EntityKind,
    pub id: i64,
    pub uuid: String,
    /// Node type, media type or vocabulary; empty for files and users.
    pub bundle: String,
    pub label: String,
    pub published: bool,
    pub owner: i64,
    /// Terms: the external URI.
    pub uri: Option<String>,
    /// Files: their bytes.
    pub file: Option<FileFacts>,
}

/// What a reference to a file shows of it.
#[derive(Debug, Clone, PartialEq)]
pub struct FileFacts {
    pub uri: FileUri,
    pub mime: MimeType,
    /// Bytes.
    pub size: i64,
    /// Pixels.
    pub width: Option<i64>,
    pub height: Option<i64>,
}
