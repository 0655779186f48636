//! Scope: what the bearer of an access token may do of what its account may do.

/// What somebody may do of what their roles permit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    #[default]
    All,
    /// To look, and to change nothing.
    Read,
}

impl Scope {
    /// Its name in the database and in the API.
    pub fn name(self) -> &'static str {
        match self {
            Scope::All => "all",
            Scope::Read => "read",
        }
    }

    /// The scope of that name. Of a name that a later program gave it, the narrowest.
    pub fn from_name(name: &str) -> Scope {
        match name {
            "all" => Scope::All,
            _ => Scope::Read,
        }
    }
}
