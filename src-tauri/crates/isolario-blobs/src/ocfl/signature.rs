//! Who made a version of an object.

/// Who put bytes into the repository, when and why.
#[derive(Debug, Clone)]
pub struct Signature {
    pub name: String,
    /// A URI.
    pub address: Option<String>,
    pub message: String,
    /// Unix seconds.
    pub at: i64,
}
