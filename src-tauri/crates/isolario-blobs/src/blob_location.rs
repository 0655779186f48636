//! Where the bytes of a file version belong.

use uuid::Uuid;

use super::Blobs;
use isolario_model::content::{FileRecord, FileUri, file_url};

/// The file and version that bytes become.
#[derive(Debug, Clone)]
pub struct BlobLocation {
    /// The UUID of the file.
    pub uuid: Uuid,
    pub uri: FileUri,
    /// 1 for the first bytes of a file.
    pub version: i64,
    /// Name of the blob that these bytes replace.
    pub replaced: Option<String>,
}

impl BlobLocation {
    /// Of a file that does not exist yet.
    pub fn new(uri: FileUri) -> BlobLocation {
        BlobLocation::with_identity(Uuid::new_v4(), uri)
    }

    /// Of a file that does not exist yet here, but has its identity already.
    pub fn with_identity(uuid: Uuid, uri: FileUri) -> BlobLocation {
        BlobLocation {
            uuid,
            uri,
            version: 1,
            replaced: None,
        }
    }

    /// This location, with the identity of a file that was not there either.
    #[must_use]
    pub fn with_identity_of(self, earlier: &BlobLocation) -> BlobLocation {
        match self.version == 1 && earlier.version == 1 {
            true => BlobLocation::with_identity(earlier.uuid, self.uri),
            false => self,
        }
    }

    /// Of the next version of a file.
    ///
    /// # Errors
    /// For a file whose identity is damaged.
    pub fn after(file: &FileRecord) -> Result<BlobLocation, uuid::Error> {
        Ok(BlobLocation {
            uuid: Uuid::parse_str(&file.uuid)?,
            uri: file.uri.clone(),
            version: file.version + 1,
            replaced: Some(file.blob.clone()),
        })
    }

    /// Whether bytes at this location may also serve as those of `other`. In the public tree every name may be used; an
    /// OCFL object holds only the bytes of its own file, under its own address, and all of them. In a bucket, nobody
    /// else may have added a version meanwhile.
    pub fn is_same_as(&self, other: &BlobLocation) -> bool {
        if self.is_public() && other.is_public() {
            return true;
        }
        self.uuid == other.uuid
            && self.uri == other.uri
            && self.former_in_bucket() == other.former_in_bucket()
    }

    /// Whether the bytes go into the public tree, and not into an object.
    pub(super) fn is_public(&self) -> bool {
        self.uri.scheme == file_url::PUBLIC
    }

    fn former_in_bucket(&self) -> Option<&str> {
        let former = self.replaced.as_deref();
        former.filter(|former| Blobs::is_in_bucket(former))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_holds_the_bytes_of_its_file_only() {
        let object = BlobLocation::new(FileUri::new("fedora", "a.txt"));
        let tree = BlobLocation::new(FileUri::new("public", "a.txt"));
        assert!(object.is_same_as(&object) && tree.is_same_as(&tree));
        assert!(tree.is_same_as(&BlobLocation::new(FileUri::new("public", "b.txt"))));
        assert!(!object.is_same_as(&BlobLocation::new(object.uri.clone())));
        assert!(!object.is_same_as(&tree) && !tree.is_same_as(&object));
        let elsewhere = BlobLocation {
            uri: FileUri::new("fedora", "b.txt"),
            ..object.clone()
        };
        assert!(!object.is_same_as(&elsewhere));
        let after = |former: &str| BlobLocation {
            replaced: Some(former.into()),
            ..object.clone()
        };
        assert!(after("ocfl/1").is_same_as(&after("ocfl/2")));
        assert!(after("bucket/ocfl/1").is_same_as(&after("bucket/ocfl/1")));
        for other in ["ocfl/1", "bucket/ocfl/2"] {
            assert!(!after("bucket/ocfl/1").is_same_as(&after(other)), "{other}");
        }
    }
}
