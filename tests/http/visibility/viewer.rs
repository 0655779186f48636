//! Somebody with some permissions, and what the names of these say that they may see.

use std::cell::RefCell;
use std::collections::HashSet;

use serde_json::{Value, json};

use super::repository::State;
use crate::support::{Person, Request, Response, TestServer};

/// Owns some of the things, and has other permissions in each case.
pub const VIEWER: Person = Person {
    uid: 4,
    name: "viewer",
    password: "a viewer's password",
    permissions: &[],
};

/// Every permission that has a say in what is seen.
pub const PERMISSIONS: [&str; 15] = [
    "access content",
    "view media",
    "view own unpublished content",
    "view own unpublished media",
    "view all revisions",
    "edit own islandora_object content",
    "edit any islandora_object content",
    "edit any page content",
    "edit own image media",
    "access user profiles",
    "view any unpublished content",
    "review content",
    "bypass node access",
    "administer media",
    "administer taxonomy",
];
/// Those that let everything be seen are for every third viewer.
const POWERS: usize = 5;

/// Kinds of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Node,
    Media,
    Term,
}

impl Kind {
    /// As addresses of our own name many of them.
    pub fn plural(self) -> &'static str {
        match self {
            Kind::Node => "items",
            Kind::Media => "media",
            Kind::Term => "terms",
        }
    }
}

/// What somebody may do.
pub struct Rights(HashSet<&'static str>);

impl Rights {
    pub fn can(&self, permission: &str) -> bool {
        self.0.contains(permission)
    }

    /// Whether a thing in that state may be seen, by the names of the permissions.
    pub fn sees(&self, kind: Kind, state: State) -> bool {
        let own = |permission| state.own && self.can(permission);
        match kind {
            Kind::Node => {
                let shown = state.published
                    || own("view own unpublished content")
                    || self.can("view any unpublished content")
                    || self.can("review content");
                self.can("bypass node access") || self.can("access content") && shown
            }
            Kind::Media => {
                let shown = state.published || own("view own unpublished media");
                self.can("administer media") || self.can("view media") && shown
            }
            Kind::Term => {
                let everything = self.can("administer taxonomy");
                everything || self.can("access content") && state.published
            }
        }
    }

    /// Whether the past of a thing that they see is theirs to see, too.
    pub fn sees_past(&self, kind: Kind, bundle: &str, state: State) -> bool {
        let own = |permission| state.own && self.can(permission);
        let changes = match (kind, bundle) {
            (Kind::Node, "page") => self.can("edit any page content"),
            (Kind::Node, _) => {
                let any = self.can("edit any islandora_object content");
                any || own("edit own islandora_object content")
            }
            (Kind::Media, _) => self.can("administer media") || own("edit own image media"),
            (Kind::Term, _) => self.can("administer taxonomy"),
        };
        let power = kind == Kind::Node && self.can("bypass node access");
        self.can("view all revisions") || changes || power
    }
}

/// Who looks.
pub struct Viewer<'s> {
    pub server: &'s TestServer,
    everywhere: Rights,
    /// A collection, and what they may do there and below it.
    there: Option<(i64, Rights)>,
    token: String,
    /// What they were told: what they had asked for, and the answer.
    pub(super) told: RefCell<Vec<(String, String)>>,
}

impl<'s> Viewer<'s> {
    /// The viewer with those permissions that were chosen, and with others beside in a collection, if there is one.
    pub fn with(
        server: &'s TestServer,
        number: usize,
        [chosen, chosen_there]: [&[bool]; 2],
        collection: Option<i64>,
    ) -> Viewer<'s> {
        let most = PERMISSIONS.len() - if number.is_multiple_of(3) { 0 } else { POWERS };
        let permissions = |most: usize, chosen: &[bool]| -> HashSet<&'static str> {
            let chosen = PERMISSIONS[..most].iter().zip(chosen);
            let chosen = chosen.filter(|(_, chosen)| **chosen);
            chosen.map(|(name, _)| *name).collect()
        };
        let everywhere = permissions(most, chosen);
        let there = permissions(PERMISSIONS.len(), chosen_there);
        let roles = [format!("viewer {number}"), format!("there {number}")];
        for (role, permissions) in roles.iter().zip([&everywhere, &there]) {
            let names: Vec<&str> = permissions.iter().copied().collect();
            server.add_role(role, &names);
        }
        let in_collections = collection.map(|nid| json!({"collection": nid, "role": roles[1]}));
        let in_collections: Vec<Value> = in_collections.into_iter().collect();
        let change = json!({"roles": [roles[0]], "collection_roles": in_collections});
        let change = server
            .patch(&format!("/api/v1/users/{}", VIEWER.uid))
            .json(change);
        change.as_admin().send().expect(200);
        let all = everywhere.union(&there).copied().collect();
        Viewer {
            server,
            everywhere: Rights(everywhere),
            there: collection.map(|nid| (nid, Rights(all))),
            token: server.token(VIEWER.name, VIEWER.password),
            told: RefCell::default(),
        }
    }

    /// Whether they may do something everywhere.
    pub fn can(&self, permission: &str) -> bool {
        self.everywhere.can(permission)
    }

    /// Whether that is so of a thing in these collections, by what they may do everywhere or in one of them.
    pub fn is_so(&self, collections: &[i64], question: impl Fn(&Rights) -> bool) -> bool {
        let there = self.there.iter();
        let mut there = there.filter(|(collection, _)| collections.contains(collection));
        question(&self.everywhere) || there.any(|(_, rights)| question(rights))
    }
    /// A GET of theirs.
    pub fn get(&self, path: &str) -> Request<'s> {
        self.server.get(path).bearer(&self.token)
    }

    /// The answer to a GET of theirs, of which every word is kept.
    pub fn ask(&self, path: &str) -> Response {
        let answer = self.get(path).send();
        let headers = answer.headers.iter();
        let headers: Vec<String> = headers.map(|(_, value)| value.clone()).collect();
        self.note(path, &format!("{} {}", headers.join(" "), answer.text()));
        answer
    }

    /// Keeps what they were told.
    pub fn note(&self, path: &str, text: &str) {
        let mut told = self.told.borrow_mut();
        told.push((path.to_owned(), text.to_owned()));
    }

    /// Fails with their permissions unless both are equal.
    #[track_caller]
    pub fn expect_equal<T: PartialEq + std::fmt::Debug>(&self, what: &str, found: T, expected: T) {
        assert_eq!(found, expected, "{what}, for {:?}", self.everywhere.0);
    }
}
