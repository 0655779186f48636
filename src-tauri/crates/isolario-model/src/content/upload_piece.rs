//! A piece of an unfinished upload.

/// Bytes of an unfinished upload that lie in an object of a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadPiece {
    /// Bytes of the upload before these.
    pub start: u64,
    /// Bytes.
    pub size: u64,
    /// A part of the key of the object, which nobody else has.
    pub name: String,
}
