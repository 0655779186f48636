//! Why an action did not happen.

use crate::auth::Denial;
use crate::content::EntityKind;
use crate::db::DbError;
use crate::fields::Violation;

/// A refused change. Nothing of it was kept.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The policy says no; somebody who has not signed in is asked to.
    #[error("{}", .0.message)]
    Denied(Denial),
    /// A field may not be set or changed, whoever asks.
    #[error("{0}")]
    Forbidden(String),
    /// The thing is not there, or not for this actor.
    #[error("there is no {} {id}", kind.target_type())]
    NotFound { kind: EntityKind, id: i64 },
    /// Another reason for "not there", in full words.
    #[error("{0}")]
    Missing(String),
    /// The request itself is malformed.
    #[error("{0}")]
    Malformed(String),
    /// The content breaks a rule; the words name the field.
    #[error("{0}")]
    Invalid(String),
    /// One field breaks a rule.
    #[error("{}", .0.text)]
    Broken(Violation),
    /// As other things are now, it cannot be done; the words name them.
    #[error("{0}")]
    Conflict(String),
    /// Somebody else changed the thing first.
    #[error("{0}")]
    Lost(String),
    /// More bytes than may come.
    #[error("{0}")]
    TooLarge(String),
    /// The sender was too slow.
    #[error("{0}")]
    TooSlow(String),
    /// Too much is going on at the same time.
    #[error("{0}")]
    Busy(String),
    /// Somebody has too many of a thing.
    #[error("{0}")]
    TooMany(String),
    #[error(transparent)]
    Database(#[from] DbError),
    /// The disk refused.
    #[error("{0}")]
    Storage(String),
}

impl From<Denial> for Refusal {
    fn from(denial: Denial) -> Refusal {
        Refusal::Denied(denial)
    }
}
