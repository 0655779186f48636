//! Why an action did not happen.

use isolario_db::DbError;
use isolario_disk::disk_fault::DiskFault;
use isolario_model::content::EntityKind;
use isolario_model::fields::{InputError, Violation, message_of};
use isolario_model::policy::Denial;

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
    /// The content breaks a rule that belongs to no single field.
    #[error("{0}")]
    Invalid(String),
    /// Fields of a resource or of a watch rule break rules.
    #[error("{}", message_of(.0))]
    InvalidFields(Vec<Violation>),
    /// One field of an account or of a role breaks a rule; the words alone say which.
    #[error("{}", .0.message)]
    InvalidAccount(Violation),
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
    /// The disk of the repository refused.
    #[error("{0} Nothing was changed.")]
    Disk(DiskFault),
    /// Something else that is none of the asker's doing.
    #[error("{0}")]
    Storage(String),
}

impl Refusal {
    /// What the disk refused.
    pub fn disk(error: &std::io::Error) -> Refusal {
        tracing::error!(%error, "the disk refused a change");
        Refusal::Disk(DiskFault::of(error))
    }

    /// Whether it is about what was asked for alone, so that others of many may follow. The rest concerns all of them:
    /// the disk, the database, the load.
    pub fn is_of_one(&self) -> bool {
        matches!(
            self,
            Refusal::Denied(_)
                | Refusal::Forbidden(_)
                | Refusal::NotFound { .. }
                | Refusal::Missing(_)
                | Refusal::Malformed(_)
                | Refusal::Invalid(_)
                | Refusal::InvalidFields(_)
                | Refusal::Conflict(_)
                | Refusal::Lost(_)
                | Refusal::TooLarge(_)
        )
    }
}

impl From<InputError> for Refusal {
    fn from(error: InputError) -> Refusal {
        match error {
            InputError::Message(message) => Refusal::Invalid(message),
            InputError::Violation(violation) => Refusal::from(violation),
        }
    }
}

impl From<Violation> for Refusal {
    fn from(violation: Violation) -> Refusal {
        Refusal::InvalidFields(vec![violation])
    }
}

impl From<Denial> for Refusal {
    fn from(denial: Denial) -> Refusal {
        Refusal::Denied(denial)
    }
}
