//! What a comparison of stored bytes with their checksum found.

/// How stored bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixityState {
    /// As they arrived.
    Intact,
    /// Others than those that arrived.
    Damaged,
    /// Not there.
    Missing,
    /// There, but the disk does not give them out.
    Unreadable,
}

impl FixityState {
    /// Every state.
    pub const ALL: [FixityState; 4] = [
        FixityState::Intact,
        FixityState::Damaged,
        FixityState::Missing,
        FixityState::Unreadable,
    ];

    /// The word for it, in the database, in events and in answers.
    pub fn name(self) -> &'static str {
        match self {
            FixityState::Intact => "intact",
            FixityState::Damaged => "damaged",
            FixityState::Missing => "missing",
            FixityState::Unreadable => "unreadable",
        }
    }

    /// The state that a word stands for.
    pub fn from_name(name: &str) -> Option<FixityState> {
        FixityState::ALL
            .into_iter()
            .find(|state| state.name() == name)
    }
}

/// What a comparison found, and how it can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub state: FixityState,
    /// A sentence; empty for intact bytes.
    pub detail: String,
}

impl Verdict {
    /// The bytes are those that arrived.
    pub fn intact() -> Verdict {
        Verdict::new(FixityState::Intact, String::new())
    }

    /// Puts a verdict together.
    pub fn new(state: FixityState, detail: impl Into<String>) -> Verdict {
        Verdict {
            state,
            detail: detail.into(),
        }
    }
}
