//! What is asked for, and how the one who asks follows it.

use std::fmt::{Debug, Display, Formatter};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

/// Name and password.
pub(crate) type Credentials = Option<(String, String)>;

/// What comes from which site.
#[derive(Clone, Serialize, Deserialize)]
pub struct ImportOrder {
    /// Address of the site.
    pub site: String,
    /// `None`: nobody signs in.
    pub user: Option<String>,
    pub password: Option<String>,
    /// Id of a collection there, instead of everything.
    pub collection: Option<i64>,
    /// Whether to write nothing.
    pub check: bool,
}

/// What goes to which site.
#[derive(Clone, Serialize, Deserialize)]
pub struct PushOrder {
    /// Address of the site.
    pub site: String,
    /// `None`: nobody signs in.
    pub user: Option<String>,
    pub password: Option<String>,
    /// Ids of items.
    pub items: Vec<i64>,
    /// Whether to send what is below them, too.
    pub below: bool,
}

impl ImportOrder {
    pub(crate) fn credentials(&self) -> Credentials {
        credentials(self.user.as_ref(), self.password.as_ref())
    }
}

impl PushOrder {
    pub(crate) fn credentials(&self) -> Credentials {
        credentials(self.user.as_ref(), self.password.as_ref())
    }
}

fn credentials(user: Option<&String>, password: Option<&String>) -> Credentials {
    Some((user?.clone(), password.cloned().unwrap_or_default()))
}

// A log must not hold a password.
impl Debug for ImportOrder {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "an import from {}", self.site)
    }
}

impl Debug for PushOrder {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "a push to {}", self.site)
    }
}

/// Work that somebody follows.
#[derive(Clone)]
pub struct Task {
    /// Hears how far it is.
    pub say: Arc<dyn Fn(TaskProgress) + Send + Sync>,
    /// Ends it.
    pub cancelled: CancellationToken,
}

/// How many resources an import or a push has dealt with, and how many losses there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TaskProgress {
    pub nodes: u64,
    pub media: u64,
    pub terms: u64,
    pub losses: u64,
}

// For a terminal.
impl Display for TaskProgress {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        let TaskProgress {
            nodes,
            media,
            terms,
            losses,
        } = self;
        write!(
            formatter,
            "{nodes} nodes, {media} media, {terms} terms, {losses} losses"
        )
    }
}
