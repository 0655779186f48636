//! Scope: what the bearer of an access token may do of what its account may do.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What the bearer of an access token may do of what the account may do: everything, or look and change nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TokenScope)]
pub enum Scope {
    #[default]
    All,
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
