//! What is wrong with a bag.

use std::io;

/// Why a bag is not whole.
#[derive(Debug, thiserror::Error)]
pub enum BagFault {
    /// It is no bag, or one of a kind that is not read.
    #[error("{0}")]
    Refused(String),
    /// Files that are damaged, missing or not listed, each with the reason.
    #[error("{}", .0.join("\n"))]
    Damaged(Vec<String>),
}

impl BagFault {
    /// A file of the bag itself that cannot be read.
    pub(super) fn unread(name: &str, error: &io::Error) -> BagFault {
        BagFault::Refused(format!("{name} cannot be read: {error}."))
    }
}
