//! Scope: what the bearer of an access token may do of what its account may do.

/// What the bearer of an access token may do of what the account may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    #[default]
    All,
    /// Look, and change nothing.
    Read,
    /// Look, and change what is in this collection (node id), at any depth.
    Collection(i64),
}

impl Scope {
    /// As the database keeps it.
    pub fn to_text(self) -> String {
        match self {
            Scope::All => "all".to_owned(),
            Scope::Read => "read".to_owned(),
            Scope::Collection(nid) => format!("collection {nid}"),
        }
    }

    /// What `to_text` has written. Of a text that a later program wrote, the narrowest.
    pub fn from_text(text: &str) -> Scope {
        let collection = text.strip_prefix("collection ");
        match (text, collection.and_then(|nid| nid.parse().ok())) {
            ("all", _) => Scope::All,
            (_, Some(nid)) => Scope::Collection(nid),
            _ => Scope::Read,
        }
    }
}
