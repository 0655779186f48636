//! Through which channel a change came.

/// Through which channel a change came. Revisions and events name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Window,
    Rest,
    Command,
    /// A watched folder.
    Watch,
    /// The audit of stored bytes.
    Fixity,
    /// Derivatives of original files.
    Derivative,
    /// An import from another site.
    Import,
    /// The time at which an item is to be published or unpublished.
    Schedule,
}

impl Origin {
    /// Every origin.
    pub const ALL: [Origin; 8] = [
        Origin::Window,
        Origin::Rest,
        Origin::Command,
        Origin::Watch,
        Origin::Fixity,
        Origin::Derivative,
        Origin::Import,
        Origin::Schedule,
    ];

    /// The word for it in events and logs.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Window => "window",
            Origin::Rest => "rest",
            Origin::Command => "command",
            Origin::Watch => "watch",
            Origin::Fixity => "fixity",
            Origin::Derivative => "derivative",
            Origin::Import => "import",
            Origin::Schedule => "schedule",
        }
    }
}
