//! The people of the tests.

/// Somebody with an account in every test repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Person {
    pub uid: i64,
    pub name: &'static str,
    pub password: &'static str,
    /// What the role of the same name permits; the administrator needs no list.
    pub permissions: &'static [&'static str],
}

/// Has every permission.
pub const ADMIN: Person = Person {
    uid: 1,
    name: "admin",
    password: "an admin's password",
    permissions: &[],
};

/// Creates objects and media, and edits objects of others.
pub const DEPOSITOR: Person = Person {
    uid: 2,
    name: "depositor",
    password: "a depositor's password",
    permissions: &[
        "create islandora_object content",
        "create media",
        "create terms in tags",
        "delete media",
        "delete own islandora_object content",
        "edit any islandora_object content",
        "edit own islandora_object content",
        "edit terms in tags",
        "update media",
        "view own unpublished content",
    ],
};

/// Signed in, and nothing more.
pub const PLAIN: Person = Person {
    uid: 3,
    name: "plain",
    password: "a plain password",
    permissions: &[],
};

impl Person {
    /// The person of that name.
    pub fn named(name: &str) -> Person {
        [ADMIN, DEPOSITOR, PLAIN]
            .into_iter()
            .find(|person| person.name == name)
            .unwrap_or_else(|| panic!("nobody is called {name}"))
    }
}
