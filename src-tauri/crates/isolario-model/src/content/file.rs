//! The metadata record of a stored binary, and its address.

use serde::{Deserialize, Serialize};

use super::MimeType;

/// What is known about one stored binary (interface, File).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    pub fid: i64,
    pub uuid: String,
    /// Owner.
    pub uid: i64,
    pub filename: String,
    pub uri: FileUri,
    /// MIME type the sender declared.
    pub mime: MimeType,
    /// Bytes.
    pub size: u64,
    /// Pixels, where the bytes are an image.
    pub width: Option<u32>,
    pub height: Option<u32>,
    /// False while no media uses it.
    pub permanent: bool,
    /// Unix seconds.
    pub created: i64,
    pub changed: i64,
    /// Hexadecimal SHA-512 of the bytes.
    pub sha512: String,
    /// Others, where the sender asked for them.
    pub sha256: Option<String>,
    pub md5: Option<String>,
    /// Counts replacements of the bytes, from 1.
    pub version: i64,
    /// Where the bytes lie, as `blobs` names it: never the same place twice.
    pub blob: String,
}

/// Address of a file: `scheme://path` (interface, File, `uri`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FileUri {
    pub scheme: String,
    pub path: String,
}

impl FileUri {
    /// Puts an address together; `path` has no leading slash.
    pub fn new(scheme: &str, path: &str) -> FileUri {
        FileUri {
            scheme: scheme.to_owned(),
            path: path.to_owned(),
        }
    }

    /// Splits `scheme://path`. Whether the scheme and the path are allowed is for `blobs::name` to say.
    pub fn parse(text: &str) -> Option<FileUri> {
        let (scheme, path) = text.split_once("://")?;
        Some(FileUri::new(scheme, path))
    }

    /// Last segment of the path.
    pub fn basename(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Lower-case text after the last dot of the basename, if there is one.
    pub fn extension(&self) -> Option<String> {
        extension_of(self.basename())
    }
}

/// Lower-case text after the last dot of a file name, if there is one.
pub fn extension_of(name: &str) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then(|| extension.to_lowercase())
}

impl std::fmt::Display for FileUri {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}://{}", self.scheme, self.path)
    }
}

impl From<FileUri> for String {
    fn from(uri: FileUri) -> String {
        uri.to_string()
    }
}

impl TryFrom<String> for FileUri {
    type Error = String;
    fn try_from(text: String) -> Result<FileUri, String> {
        FileUri::parse(&text).ok_or(format!("{text} is not of the form scheme://path"))
    }
}
