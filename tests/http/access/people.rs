//! The people of the table, and their ways to sign in.

use serde_json::json;

use crate::support::{ADMIN, PLAIN, Person, Request, TestServer};

/// Whose the things are: may do what the permissions of `own` allow.
pub const OWNER: Person = Person {
    uid: 4,
    name: "owner",
    password: "an owner's password",
    permissions: &[
        "create islandora_object content",
        "edit own islandora_object content",
        "delete own islandora_object content",
        "view own unpublished content",
        "create image media",
        "edit own image media",
        "delete own image media",
        "view own unpublished media",
        "delete own files",
    ],
};

/// Has the role `editor`, as a new repository knows it.
pub const EDITOR: Person = Person {
    uid: 5,
    name: "edith",
    password: "an editor's password",
    permissions: &[],
};

/// Was an administrator, and may not sign in any more.
pub const DISABLED: Person = Person {
    uid: 6,
    name: "former",
    password: "a former password",
    permissions: &[],
};

/// In the order of the table's columns.
pub const EVERYBODY: [Option<Person>; 5] =
    [None, Some(PLAIN), Some(OWNER), Some(EDITOR), Some(ADMIN)];

/// Makes the accounts that other tests do not have. The last one is disabled.
pub fn introduce(server: &TestServer) {
    for person in [OWNER, EDITOR, DISABLED] {
        server.introduce(person);
    }
    set(server, EDITOR, json!({"roles": ["editor"]}));
    set(server, DISABLED, json!({"roles": ["administrator"]}));
    set(server, DISABLED, json!({"active": false}));
}

/// Changes an account.
pub fn set(server: &TestServer, person: Person, change: serde_json::Value) {
    let path = format!("/api/v1/users/{}", person.uid);
    server
        .patch(&path)
        .as_admin()
        .json(change)
        .send()
        .expect(200);
}

/// A way to sign in, ready to be used by one person.
pub enum Way {
    Basic(Person),
    Bearer(String),
    AccessToken(String),
    /// An access token for reading.
    ReadingToken(String),
    Cookie {
        cookie: String,
        csrf_token: String,
    },
    Window(String),
    Nobody,
}

impl Way {
    pub fn cookie(server: &TestServer, person: Person) -> Way {
        let body = json!({"name": person.name, "pass": person.password});
        let answer = server
            .post("/user/login?_format=json")
            .json(body)
            .send()
            .expect(200);
        let cookie = answer.header("set-cookie").expect("a cookie");
        Way::Cookie {
            cookie: cookie.split(';').next().expect("a pair").to_owned(),
            csrf_token: answer.json()["csrf_token"]
                .as_str()
                .expect("a token")
                .to_owned(),
        }
    }

    pub fn reading_token(server: &TestServer, person: Person) -> Way {
        let made = server.post("/api/v1/tokens").signed_in(person);
        let made = made
            .json(json!({"name": "a report", "scope": "read"}))
            .send();
        let made = made.expect(201).json();
        Way::ReadingToken(made["token"].as_str().expect("a token").to_owned())
    }

    pub fn name(&self) -> &'static str {
        match self {
            Way::Basic(_) => "Basic",
            Way::Bearer(_) => "bearer",
            Way::AccessToken(_) => "access token",
            Way::ReadingToken(_) => "access token for reading",
            Way::Cookie { .. } => "cookie",
            Way::Window(_) => "window",
            Way::Nobody => "nothing",
        }
    }

    pub fn sign<'a>(&self, request: Request<'a>) -> Request<'a> {
        match self {
            Way::Basic(person) => request.signed_in(*person),
            Way::Bearer(token) | Way::AccessToken(token) | Way::ReadingToken(token) => {
                request.bearer(token)
            }
            Way::Cookie { cookie, csrf_token } => {
                let request = request.header("Cookie", cookie.clone());
                request.header("X-CSRF-Token", csrf_token.clone())
            }
            Way::Window(key) => request.header("Authorization", format!("Window {key}")),
            Way::Nobody => request,
        }
    }
}

/// Every way by which somebody gets in.
pub fn ways(server: &TestServer, person: Option<Person>) -> Vec<Way> {
    let Some(person) = person else {
        return vec![Way::Nobody];
    };
    let mut ways = vec![
        Way::Basic(person),
        Way::Bearer(server.token(person.name, person.password)),
        Way::AccessToken(server.access_token(person, "a service")),
        Way::reading_token(server, person),
        Way::cookie(server, person),
    ];
    if person == ADMIN {
        ways.push(Way::Window(server.window_key()));
    }
    ways
}
