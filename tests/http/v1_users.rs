//! `/api/v1/users` and `/api/v1/roles`: who may make and change accounts, and what ends with a change.

use serde_json::{Value, json};

use crate::support::{DEPOSITOR, PLAIN, Person, Request, Response, TestServer};

/// May administer users, and not everything.
const WARDEN: Person = Person {
    uid: 4,
    name: "warden",
    password: "Schlüssel 4",
    permissions: &["administer users"],
};
/// The password of everybody whom `add` makes.
pub const SECRET: &str = "Nachtigall 12";

/// Makes an account with these roles and returns its number.
pub fn add(server: &TestServer, name: &str, roles: &[&str]) -> i64 {
    let answer = server
        .post("/api/v1/users")
        .as_admin()
        .json(json!({"name": name, "password": SECRET, "roles": roles}))
        .send()
        .expect(201);
    assert_eq!(
        answer.header("location"),
        Some(format!("{}/api/v1/users/{}", server.base(), answer.json()["uid"]).as_str())
    );
    answer.json()["uid"].as_i64().expect("a number")
}

/// A change of an account.
pub fn change(server: &TestServer, uid: i64, body: Value) -> Request<'_> {
    server.patch(&format!("/api/v1/users/{uid}")).json(body)
}

/// What somebody is answered who asks for their own account with a password.
pub fn status(server: &TestServer, uid: i64, name: &str, password: &str) -> u16 {
    let path = format!("/api/v1/users/{uid}");
    server.get(&path).basic(name, password).send().status
}

fn names(answer: &Response) -> Vec<String> {
    let list = answer.json();
    let users = list["users"].as_array().expect("users");
    let name = |user: &Value| user["name"].as_str().map(str::to_owned);
    users.iter().filter_map(name).collect()
}

#[test]
fn the_list_of_accounts_is_for_those_who_administer_them() {
    let server = TestServer::shared();
    for path in ["/api/v1/users", "/api/v1/roles"] {
        server.get(path).send().expect(401);
        server
            .get(path)
            .as_plain()
            .send()
            .expect_message(403, "The 'administer users' permission is required.");
        server.get(path).as_admin().send().expect(200);
    }
    server.get("/api/v1/users/1").send().expect(401);
    server.get("/api/v1/users/1").as_plain().send().expect(403);
    server
        .get("/api/v1/users/99999")
        .as_plain()
        .send()
        .expect(403);
    server
        .get("/api/v1/users/99999")
        .as_admin()
        .send()
        .expect(404);
    server.get("/api/v1/users/x").as_admin().send().expect(404);
    let own = server.get("/api/v1/users/3").as_plain().send().expect(200);
    assert_eq!(own.json()["name"], "plain");
}

#[test]
fn accounts_are_listed_by_name_a_page_at_a_time() {
    let server = TestServer::start();
    for name in ["Zora", "amir", "Bela", "ähre"] {
        add(&server, name, &["editor"]);
    }
    let get = |query: &str| {
        let path = format!("/api/v1/users?{query}");
        server.get(&path).as_admin().send().expect(200)
    };
    let all = [
        "admin",
        "amir",
        "Bela",
        "depositor",
        "plain",
        "Zora",
        "ähre",
    ];
    assert_eq!(names(&get("")), all);
    let mut paged = Vec::new();
    let mut next = String::new();
    loop {
        let page = get(&format!("limit=3&after={next}"));
        assert_eq!(page.json()["total"], 7);
        paged.extend(names(&page));
        match page.json()["next"].as_str() {
            Some(cursor) => next = cursor.to_owned(),
            None => break,
        }
    }
    assert_eq!(paged, all);
    assert_eq!(names(&get("q=AM")), ["amir"]);
    assert_eq!(names(&get("q=%C3%A4h")), ["ähre"]);
    assert_eq!(names(&get("q=%25")), Vec::<String>::new());
    let amir = &get("q=amir").json()["users"][0];
    assert_eq!(
        amir["roles"],
        json!([{"name": "editor", "label": "Editor"}])
    );
    assert_eq!(amir["active"], true);
    for query in ["limit=0", "after=x", "state=maybe"] {
        let path = format!("/api/v1/users?{query}");
        server.get(&path).as_admin().send().expect(400);
    }
}

#[test]
fn an_account_is_made_and_can_sign_in() {
    let server = TestServer::start();
    let body = json!({"name": "Mira", "password": SECRET, "roles": ["editor"]});
    server
        .post("/api/v1/users")
        .json(body.clone())
        .send()
        .expect(401);
    server
        .post("/api/v1/users")
        .as_plain()
        .json(body)
        .send()
        .expect(403);
    let uid = add(&server, "Mira", &["editor"]);
    assert_eq!(status(&server, uid, "mira", SECRET), 200);
    let made = server
        .post("/node")
        .basic("mira", SECRET)
        .json(server.object("By Mira"))
        .send()
        .expect(201);
    assert_eq!(made.json()["uid"][0]["target_id"], uid);
}

#[test]
fn a_body_that_breaks_a_rule_is_refused_beside_its_field() {
    let server = TestServer::start();
    let refused = |body: Value, lines: &[&str]| {
        let request = server.post("/api/v1/users").as_admin().json(body);
        request.send().expect_violations(lines);
    };
    let taken = json!({"name": "PLAIN", "password": "a new password"});
    refused(taken, &["name: There is already a user PLAIN."]);
    let long = json!({"name": "n".repeat(61), "password": "a new password"});
    refused(
        long,
        &["name: A name may not be longer than 60 characters."],
    );
    let colon = json!({"name": "a:b", "password": "a new password"});
    refused(
        colon,
        &["name: A name may hold neither colons nor control characters."],
    );
    refused(
        json!({"password": "a new password"}),
        &["name: A name may not be empty."],
    );
    refused(
        json!({"name": "zoe"}),
        &["password: A password may not be empty."],
    );
    let short = json!({"name": "zoe", "password": "ü".repeat(7)});
    refused(
        short,
        &["password: A password may not be shorter than 8 characters."],
    );
    let long = json!({"name": "zoe", "password": "ü".repeat(513)});
    refused(
        long,
        &["password: A password may not be longer than 1024 bytes."],
    );
    for role in ["king", "anonymous", "authenticated"] {
        let body = json!({"name": "zoe", "password": "a new password", "roles": [role]});
        let words =
            format!("roles: There is no role {role}. There are: editor, administrator, depositor.");
        refused(body, &[&words]);
    }
    let shapes = json!({"name": 5, "password": [SECRET], "roles": "editor"});
    refused(
        shapes,
        &[
            "name: This must be a text.",
            "password: This must be a text.",
            "roles: This must be a list of texts.",
        ],
    );
    let unknown = json!({"name": "zoe", "password": "a new password", "uid": 1});
    refused(unknown, &["body: An account has no such field."]);
    let post = || server.post("/api/v1/users").as_admin();
    post().body("application/json", "[]").send().expect(400);
    post().body("application/json", "{").send().expect(400);
    post().body("text/plain", "{}").send().expect(415);
    let big = format!("{{\"name\": \"{}\"}}", "n".repeat(70_000));
    post().body("application/json", big).send().expect(413);
    let taken = change(&server, 3, json!({"name": "admin"}))
        .as_admin()
        .send();
    taken.expect_violations(&["name: There is already a user admin."]);
    change(&server, 3, json!({"name": "Plain"}))
        .as_admin()
        .send()
        .expect(200);
    change(&server, 99_999, json!({"name": "x"}))
        .as_admin()
        .send()
        .expect(404);
}

#[test]
fn somebody_is_always_left_who_may_do_everything() {
    let server = TestServer::start();
    let own = change(&server, 1, json!({"active": false})).as_admin();
    own.send()
        .expect_violations(&["active: You cannot disable your own account."]);
    let last = "This is the last administrator who can sign in. Make another one first.";
    let give_up = || change(&server, 1, json!({"roles": []})).as_admin();
    give_up()
        .send()
        .expect_violations(&[&format!("roles: {last}")]);

    let second = add(&server, "second", &["administrator"]);
    change(&server, second, json!({"active": false}))
        .as_admin()
        .send()
        .expect(200);
    give_up().send().expect(422);
    change(&server, second, json!({"active": true}))
        .as_admin()
        .send()
        .expect(200);
    change(&server, 1, json!({"active": false}))
        .basic("second", SECRET)
        .send()
        .expect(200);
    let key = format!("Window {}", server.window_key());
    let window = change(&server, second, json!({"active": false})).header("Authorization", key);
    window
        .send()
        .expect_violations(&[&format!("active: {last}")]);
}

#[test]
fn who_administers_users_cannot_become_an_administrator() {
    let server = TestServer::start();
    server.introduce(WARDEN);
    let words = "Only an administrator may make one, or change the account of one.";
    let king = json!({"name": "king", "password": "a new password", "roles": ["administrator"]});
    let made = server.post("/api/v1/users").signed_in(WARDEN).json(king);
    made.send().expect_message(403, words);
    for (uid, body) in [
        (4, json!({"roles": ["administrator"]})),
        (1, json!({"password": "a new password"})),
        (1, json!({"active": false})),
    ] {
        let request = change(&server, uid, body).signed_in(WARDEN);
        request.send().expect_message(403, words);
    }
    change(&server, 3, json!({"password": "a new password"}))
        .signed_in(WARDEN)
        .send()
        .expect(200);
    assert_eq!(status(&server, 3, PLAIN.name, "a new password"), 200);
}

#[test]
fn no_password_is_ever_told() {
    let server = TestServer::start();
    let uid = add(&server, "mira", &[]);
    let told = [
        server.get("/api/v1/users").as_admin().send(),
        server
            .get(&format!("/api/v1/users/{uid}"))
            .as_admin()
            .send(),
        change(&server, uid, json!({"password": SECRET}))
            .as_admin()
            .send(),
        change(&server, uid, json!({"password": {"value": SECRET}}))
            .as_admin()
            .send(),
        change(&server, uid, json!({SECRET: "x"})).as_admin().send(),
        change(
            &server,
            uid,
            json!({"password": "a new password", "current_password": DEPOSITOR.password}),
        )
        .basic("mira", SECRET)
        .send(),
    ];
    for answer in told {
        let text = answer.text();
        for secret in [SECRET, "argon2", DEPOSITOR.password] {
            assert!(!text.contains(secret), "{}: {text}", answer.request);
        }
    }
    let log = server.until_logged(&["PATCH", &format!("/api/v1/users/{uid}")]);
    assert!(!log.contains(SECRET));
    assert!(!server.log().contains(SECRET));
}
