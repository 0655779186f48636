//! The precondition of a change: the state that its resource must have (RFC 9110, 13.1.1).

use serde::{Deserialize, Serialize};

use super::Refusal;
use isolario_model::content::Entity;

/// The state of a resource that the author of a change has read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precondition {
    /// The author states none.
    #[default]
    Unsaid,
    /// The resource exists.
    Existing,
    /// The resource does not exist yet.
    Nothing,
    /// The resource has one of these revisions, or the file one of these versions.
    Revisions(Vec<i64>),
}

impl Precondition {
    /// # Errors
    /// `Lost` unless a resource meets the precondition.
    pub fn refuse_lost_race(&self, entity: &Entity) -> Result<(), Refusal> {
        self.refuse_other(entity.revision)
    }

    /// # Errors
    /// `Lost` unless this revision meets the precondition.
    pub fn refuse_other(&self, current: i64) -> Result<(), Refusal> {
        match self {
            Precondition::Revisions(revisions) if !revisions.contains(&current) => {
                Err(Refusal::Lost(
                    "Somebody else has changed this since you read it. Nothing was changed.".into(),
                ))
            }
            Precondition::Nothing => Err(Refusal::Lost(
                "Somebody else has made this meanwhile. Nothing was changed.".into(),
            )),
            _ => Ok(()),
        }
    }

    /// # Errors
    /// `Lost` unless the precondition admits that no resource exists.
    pub fn refuse_absent(&self) -> Result<(), Refusal> {
        match self {
            Precondition::Unsaid | Precondition::Nothing => Ok(()),
            _ => Err(Refusal::Lost(
                "There is nothing to replace yet. Nothing was changed.".into(),
            )),
        }
    }
}
