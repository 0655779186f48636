//! `/api/v1/tokens`: who makes, sees and revokes whose access tokens, and who hears of it.

use serde_json::{Value, json};

use crate::support::{ADMIN, DEPOSITOR, PLAIN, Person, Response, TestServer};

const PATH: &str = "/api/v1/tokens";
/// May administer users, and not everything.
const WARDEN: Person = Person {
    uid: 4,
    name: "warden",
    password: "Schlüssel 4",
    permissions: &["administer users"],
};

fn make(server: &TestServer, by: Person, user: Person) -> Response {
    let body = json!({"name": format!("Of {}", by.name), "user": user.uid});
    server.post(PATH).signed_in(by).json(body).send()
}

fn revoke(server: &TestServer, by: Person, made: &Value) -> Response {
    let path = format!("{PATH}/{}", made["id"]);
    server.delete(&path).signed_in(by).send()
}

fn owners(server: &TestServer, by: Person, query: &str) -> Vec<i64> {
    let path = format!("{PATH}?{query}");
    let list = server.get(&path).signed_in(by).send().expect(200).json();
    let tokens = list["tokens"].as_array().expect("tokens").iter();
    let owner = |token: &Value| token["user"]["uid"].as_i64().expect("a number");
    tokens.map(owner).collect()
}

#[test]
fn tokens_of_others_are_for_who_administers_users() {
    let server = TestServer::start();
    server.introduce(WARDEN);
    let words = "The 'administer users' permission is required.";
    make(&server, PLAIN, DEPOSITOR).expect_message(403, words);
    // Nor is anybody told which accounts there are.
    let nobody = Person { uid: 999, ..PLAIN };
    make(&server, PLAIN, nobody).expect_message(403, words);
    let own = make(&server, PLAIN, PLAIN).expect(201).json();
    let other = make(&server, WARDEN, PLAIN).expect(201).json();
    make(&server, DEPOSITOR, DEPOSITOR).expect(201);
    assert_eq!(owners(&server, PLAIN, ""), [3, 3]);
    assert_eq!(owners(&server, PLAIN, "user=3"), [3, 3]);
    server
        .get(&format!("{PATH}?user=2"))
        .as_plain()
        .send()
        .expect_message(403, words);
    assert_eq!(owners(&server, WARDEN, ""), [2, 3, 3]);
    assert_eq!(owners(&server, WARDEN, "user=2"), [2]);
    revoke(&server, DEPOSITOR, &own).expect(404);
    revoke(&server, PLAIN, &other).expect(204);
    revoke(&server, WARDEN, &own).expect(204);
}

#[test]
fn nobody_gets_a_role_by_way_of_a_token() {
    let server = TestServer::start();
    server.introduce(WARDEN);
    let administrators = "Only an administrator may make one, or change the account of one.";
    make(&server, WARDEN, ADMIN).expect_message(403, administrators);
    make(&server, WARDEN, DEPOSITOR).expect_message(
        403,
        "A role that permits what you may not do yourself is given and taken away by those with the \
         'administer permissions' permission.",
    );
    make(&server, ADMIN, DEPOSITOR).expect(201);
    let own = make(&server, ADMIN, ADMIN).expect(201).json();
    revoke(&server, WARDEN, &own).expect_message(403, administrators);
    revoke(&server, ADMIN, &own).expect(204);
}

#[test]
fn the_window_makes_tokens_too() {
    let server = TestServer::start();
    let key = format!("Window {}", server.window_key());
    let body = json!({"name": "Scanner room", "user": PLAIN.uid});
    let made = server.post(PATH).header("Authorization", key).json(body);
    let made = made.send().expect(201).json();
    let token = made["token"].as_str().expect("a token");
    server.get("/user/3").bearer(token).send().expect(200);
}

#[test]
fn a_cookie_makes_tokens_only_with_its_csrf_token() {
    let server = TestServer::start();
    let form = json!({"name": PLAIN.name, "pass": PLAIN.password});
    let login = server.post("/user/login").json(form).send().expect(200);
    let cookie = login.header("set-cookie").expect("a cookie");
    let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
    let request = || {
        let request = server.post(PATH).json(json!({"name": "A service"}));
        request.header("Cookie", cookie.clone())
    };
    request()
        .send()
        .expect_message(403, "X-CSRF-Token request header is missing");
    let csrf = login.json()["csrf_token"].as_str().map(str::to_owned);
    let csrf = csrf.expect("a token");
    request().header("X-CSRF-Token", csrf).send().expect(201);
}

#[test]
fn what_becomes_of_tokens_is_in_the_activity_for_who_may_see_accounts() {
    let server = TestServer::start();
    server.allow("authenticated", &["access user profiles"]);
    let made = make(&server, PLAIN, PLAIN).expect(201).json();
    revoke(&server, ADMIN, &made).expect(204);
    let told = |by: Person| {
        let list = server
            .get("/api/v1/activity?kind=user&limit=2")
            .signed_in(by);
        list.send().expect(200).json()["changes"].clone()
    };
    let told_admin = told(ADMIN);
    assert_eq!(told(PLAIN)[0]["label"], "Of plain");
    for (change, action, uid) in [
        (&told_admin[0], "revoke_token", ADMIN.uid),
        (&told_admin[1], "issue_token", PLAIN.uid),
    ] {
        assert_eq!(change["action"], action);
        assert_eq!(change["actor"]["uid"], uid);
        assert_eq!(change["entity_id"], PLAIN.uid);
        assert_eq!(change["label"], "Of plain");
    }
    assert!(!told(DEPOSITOR).to_string().contains("_token"));
    assert!(!told_admin.to_string().contains("isolario_"));
}
