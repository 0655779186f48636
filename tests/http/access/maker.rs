//! Somebody who makes things.

use std::cell::RefCell;

use crate::support::{Person, Request, TestServer};

/// Whose the things are.
pub struct Maker {
    pub uid: i64,
    token: String,
    /// The role that they have, where it does not allow making things: they are lent another for that.
    pub role: RefCell<Option<String>>,
}

impl Maker {
    /// Somebody who may make things.
    pub fn of(server: &TestServer, person: Person) -> Maker {
        Maker {
            uid: person.uid,
            token: server.token(person.name, person.password),
            role: RefCell::new(None),
        }
    }

    /// Gives them a role and no other.
    pub fn take_role(&self, server: &TestServer, role: &str) {
        server.give_only_role(self.uid, role);
        *self.role.borrow_mut() = Some(role.to_owned());
    }

    /// Signs in.
    pub fn sign<'a>(&self, request: Request<'a>) -> Request<'a> {
        request.bearer(&self.token)
    }
}
