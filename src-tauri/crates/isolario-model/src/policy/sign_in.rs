//! How an actor has signed in. Its tickets and event streams end when the sign-in ends.

/// A way in, as it was when somebody took it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignIn {
    /// The request has no credentials.
    Nobody,
    /// The program itself acts.
    Program,
    /// The window's key.
    Window,
    /// A password or a bearer token, for credentials that had last changed at that time.
    Credentials(i64),
    /// A browser's session, by the hash that the database knows it by.
    Session(String),
    /// An access token, by its number.
    Token(i64),
    /// A share link, by its number. It signs in to no account.
    Link(i64),
}

impl SignIn {
    /// The same in a ticket's letters; see `parse`.
    pub fn to_text(&self) -> String {
        match self {
            SignIn::Nobody => String::new(),
            SignIn::Program => "p".to_owned(),
            SignIn::Window => "w".to_owned(),
            SignIn::Credentials(changed) => format!("c{changed}"),
            SignIn::Session(hash) => format!("s{hash}"),
            SignIn::Token(id) => format!("t{id}"),
            SignIn::Link(id) => format!("l{id}"),
        }
    }

    /// What `to_text` wrote; `Nobody` for anything else.
    pub fn parse(text: &str) -> SignIn {
        if text == "w" {
            SignIn::Window
        } else if text == "p" {
            SignIn::Program
        } else if let Some(hash) = text.strip_prefix('s') {
            SignIn::Session(hash.to_owned())
        } else if let Some(id) = text.strip_prefix('t') {
            id.parse().map_or(SignIn::Nobody, SignIn::Token)
        } else if let Some(id) = text.strip_prefix('l') {
            id.parse().map_or(SignIn::Nobody, SignIn::Link)
        } else {
            let changed = text.strip_prefix('c').and_then(|text| text.parse().ok());
            changed.map_or(SignIn::Nobody, SignIn::Credentials)
        }
    }
}
