//! Where the bytes of an upload belong.

use uuid::Uuid;

use crate::actions::Refusal;
use crate::blobs::address;
use crate::content::{FileRecord, FileUri};

/// Where bytes lie: those of one file, under one address.
#[derive(Debug, Clone)]
pub struct Home {
    /// Of the file.
    pub uuid: Uuid,
    pub uri: FileUri,
    /// 1 for the first bytes of a file.
    pub version: i64,
    /// Name of the bytes that these replace.
    pub replaced: Option<String>,
}

impl Home {
    /// Of a file that does not exist yet.
    pub fn new(uri: FileUri) -> Home {
        Home {
            uuid: Uuid::new_v4(),
            uri,
            version: 1,
            replaced: None,
        }
    }

    /// Of the next version of a file.
    ///
    /// # Errors
    /// `Storage` for a file whose identity is damaged.
    pub fn after(file: &FileRecord) -> Result<Home, Refusal> {
        let uuid = Uuid::parse_str(&file.uuid).map_err(|_| {
            Refusal::Storage(format!("\"{}\" is no identity of a file.", file.uuid))
        })?;
        Ok(Home {
            uuid,
            uri: file.uri.clone(),
            version: file.version + 1,
            replaced: Some(file.blob.clone()),
        })
    }

    /// Whether bytes that lie here are where those of `other` belong. The public tree has names
    /// for everything; an object holds the bytes of its own file, under its own address.
    pub fn is_that_of(&self, other: &Home) -> bool {
        let public = |home: &Home| home.uri.scheme == address::PUBLIC;
        (public(self) && public(other)) || (self.uuid == other.uuid && self.uri == other.uri)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_holds_the_bytes_of_its_file_only() {
        let object = Home::new(FileUri::new("fedora", "a.txt"));
        let tree = Home::new(FileUri::new("public", "a.txt"));
        assert!(object.is_that_of(&object) && tree.is_that_of(&tree));
        assert!(tree.is_that_of(&Home::new(FileUri::new("public", "b.txt"))));
        assert!(!object.is_that_of(&Home::new(object.uri.clone())));
        assert!(!object.is_that_of(&tree) && !tree.is_that_of(&object));
        let elsewhere = Home {
            uri: FileUri::new("fedora", "b.txt"),
            ..object.clone()
        };
        assert!(!object.is_that_of(&elsewhere));
    }
}
