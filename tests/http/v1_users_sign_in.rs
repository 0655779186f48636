//! `/api/v1/users`: one's own password, and what ends when an account changes.

use serde_json::{Value, json};

use crate::support::{ADMIN, TestServer};
use crate::v1_users::{SECRET, add, change, status};

#[test]
fn people_change_their_own_password_and_nothing_else() {
    let server = TestServer::start();
    let uid = add(&server, "mira", &[]);
    let own = |body: Value| change(&server, uid, body).basic("mira", SECRET).send();
    for (field, value) in [
        ("name", json!("zoe")),
        ("roles", json!(["editor"])),
        ("active", json!(false)),
    ] {
        let words = format!("Access denied on updating field '{field}'.");
        own(json!({ field: value })).expect_message(403, &words);
    }
    own(json!({"password": "a new password"}))
        .expect_violations(&["current_password: Your current password is needed for this change."]);
    own(json!({"password": "a new password", "current_password": "wrong"}))
        .expect_violations(&["current_password: This is not your current password."]);
    change(&server, 3, json!({"password": "a new password"}))
        .basic("mira", SECRET)
        .send()
        .expect(403);
    change(&server, uid, json!({"password": "a new password"}))
        .send()
        .expect(401);
    own(json!({"password": "a new password", "current_password": SECRET})).expect(200);
    assert_eq!(status(&server, uid, "mira", SECRET), 401);
    assert_eq!(status(&server, uid, "mira", "a new password"), 200);
}

#[test]
fn an_administrator_too_names_their_password_but_the_window_need_not() {
    let server = TestServer::start();
    let own = |body: Value| change(&server, 1, body);
    own(json!({"password": "a new password"}))
        .as_admin()
        .send()
        .expect(422);
    let key = format!("Window {}", server.window_key());
    let window = own(json!({"password": "a new password"})).header("Authorization", key);
    window.send().expect(200);
    assert_eq!(status(&server, 1, ADMIN.name, "a new password"), 200);
    assert_eq!(status(&server, 1, ADMIN.name, ADMIN.password), 401);
}

/// Cookie and bearer token of somebody, and what they answer.
struct SignedIn {
    cookie: String,
    token: String,
}

impl SignedIn {
    fn new(server: &TestServer, name: &str) -> SignedIn {
        let body = json!({"name": name, "pass": SECRET});
        let login = server.post("/user/login?_format=json").json(body).send();
        let login = login.expect(200);
        let cookie = login.header("set-cookie").expect("a cookie");
        SignedIn {
            cookie: cookie.split(';').next().unwrap_or_default().to_owned(),
            token: server.token(name, SECRET),
        }
    }

    fn statuses(&self, server: &TestServer, uid: i64) -> [u16; 2] {
        let path = format!("/api/v1/users/{uid}");
        let by_cookie = server.get(&path).header("Cookie", self.cookie.clone());
        let by_token = server.get(&path).bearer(&self.token);
        [by_cookie.send().status, by_token.send().status]
    }
}

#[test]
fn what_lets_somebody_in_ends_with_the_change() {
    let server = TestServer::start();
    for (number, body) in [
        json!({"password": "a new password"}),
        json!({"active": false}),
        json!({"name": "renamed"}),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("mira{number}");
        let uid = add(&server, &name, &[]);
        let signed_in = SignedIn::new(&server, &name);
        assert_eq!(signed_in.statuses(&server, uid), [200, 200]);
        assert_eq!(
            status(&server, uid, &name, SECRET),
            200,
            "remembered from now on"
        );
        change(&server, uid, body.clone())
            .as_admin()
            .send()
            .expect(200);
        assert_eq!(signed_in.statuses(&server, uid), [401, 401], "{body}");
        assert_eq!(status(&server, uid, &name, SECRET), 401, "{body}");
    }
}

#[test]
fn other_roles_count_at_once_and_end_nothing() {
    let server = TestServer::start();
    let uid = add(&server, "mira", &[]);
    let signed_in = SignedIn::new(&server, "mira");
    let write = || {
        let object = server.object("Written");
        server
            .post("/node")
            .bearer(&signed_in.token)
            .json(object)
            .send()
            .status
    };
    assert_eq!(write(), 403);
    let roles = json!({"roles": ["editor", "depositor"]});
    let answer = change(&server, uid, roles)
        .as_admin()
        .send()
        .expect(200)
        .json();
    assert_eq!(
        answer["roles"],
        json!([{"name": "editor", "label": "Editor"}, {"name": "depositor", "label": "depositor"}])
    );
    assert_eq!(write(), 201);
    change(&server, uid, json!({"roles": []}))
        .as_admin()
        .send()
        .expect(200);
    assert_eq!(write(), 403);
}

#[test]
fn a_cookie_changes_accounts_only_with_its_token_and_from_our_own_page() {
    let server = TestServer::start();
    let uid = add(&server, "mira", &["administrator"]);
    let signed_in = SignedIn::new(&server, "mira");
    let request = || {
        let request = change(&server, 3, json!({"name": "renamed"}));
        request.header("Cookie", signed_in.cookie.clone())
    };
    request()
        .send()
        .expect_message(403, "X-CSRF-Token request header is missing");
    let session = server
        .get("/api/v1/session")
        .header("Cookie", signed_in.cookie.clone());
    let token = session.send().expect(200).json()["csrf_token"].clone();
    let token = token.as_str().expect("a token");
    let foreign = request().header("X-CSRF-Token", token);
    foreign
        .header("Origin", "http://example.com")
        .send()
        .expect(403);
    request().header("X-CSRF-Token", token).send().expect(200);
    assert_eq!(status(&server, uid, "mira", SECRET), 200);
}
