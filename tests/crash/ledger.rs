//! What was acknowledged, kept outside of the process that is killed.

use bytes::Bytes;

/// What one client knows of its own things. Nobody else touches them.
#[derive(Default, Clone)]
pub struct Ledger {
    pub nodes: Vec<Node>,
    pub files: Vec<File>,
    /// In parts, and not finished.
    pub uploads: Vec<Upload>,
    /// A bearer token.
    pub token: Option<String>,
}

/// A node that was acknowledged.
#[derive(Clone)]
pub struct Node {
    pub nid: i64,
    /// The title acknowledged last; `None` once its end was.
    pub title: Option<String>,
    /// A change that was sent and not answered.
    pub pending: Option<Pending<String>>,
}

/// An upload to an address of its own.
#[derive(Clone)]
pub struct File {
    /// Path of the route of uploads.
    pub route: String,
    /// `scheme://path`.
    pub uri: String,
    /// Path of its bytes.
    pub address: String,
    /// The bytes acknowledged last; `None` before the first were.
    pub bytes: Option<Bytes>,
    pub pending: Option<Pending<Bytes>>,
    /// Path of its media.
    pub media: Option<String>,
    /// Of a file that was put into the trash: its id, and the bytes that it brings back.
    pub trashed: Option<(i64, Bytes)>,
}

/// Bytes on their way to a file, part by part.
#[derive(Clone)]
pub struct Upload {
    /// Which file.
    pub file: usize,
    /// Path of its own address.
    pub path: String,
    /// All bytes it is to have.
    pub whole: Bytes,
    /// How many of them were acknowledged, and how many sent.
    pub received: usize,
    pub sent: usize,
}

/// A change whose answer did not come: it may have been made whole, or not at all.
#[derive(Clone)]
pub enum Pending<T> {
    Change(T),
    End,
}

impl<T: PartialEq + std::fmt::Debug> Pending<T> {
    fn made(&self) -> Option<&T> {
        match self {
            Pending::Change(made) => Some(made),
            Pending::End => None,
        }
    }
}

/// Settles what is there: it has to be what was acknowledged, or what was asked for and not answered.
#[track_caller]
pub fn settle<T: PartialEq + std::fmt::Debug>(
    what: &str,
    acknowledged: &mut Option<T>,
    pending: &mut Option<Pending<T>>,
    found: Option<T>,
) {
    let pending = pending.take();
    let is_acknowledged = found == *acknowledged;
    let is_pending = pending.is_some_and(|pending| pending.made() == found.as_ref());
    assert!(
        is_acknowledged || is_pending,
        "{what} is neither as it was acknowledged nor as it was asked for"
    );
    *acknowledged = found;
}
