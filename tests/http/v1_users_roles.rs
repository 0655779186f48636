//! `/api/v1/users` and `/api/v1/roles`: which roles somebody may give to others, and take from them.

use serde_json::{Value, json};

use crate::support::{DEPOSITOR, PLAIN, Person, Response, TestServer};
use crate::v1_users::{SECRET, add, change, status};

/// May administer users, and not everything.
const WARDEN: Person = Person {
    uid: 4,
    name: "warden",
    password: "Schlüssel 4",
    permissions: &["administer users", "view all revisions"],
};
/// May administer users and what roles permit.
const CHANCELLOR: Person = Person {
    uid: 4,
    name: "chancellor",
    password: "Siegelring 4",
    permissions: &["administer users", "administer permissions"],
};
const TOO_MUCH: &str = "A role that permits what you may not do yourself is given and taken away by those with the \
                        'administer permissions' permission.";
const ADMINISTRATORS: &str = "Only an administrator may make one, or change the account of one.";

fn with(person: Person) -> TestServer {
    let server = TestServer::start();
    server.introduce(person);
    server.add_role("historian", &["view all revisions"]);
    server
}

fn make(server: &TestServer, by: Person, name: &str, role: &str) -> Response {
    let body = json!({"name": name, "password": SECRET, "roles": [role]});
    server.post("/api/v1/users").signed_in(by).json(body).send()
}

#[test]
fn who_administers_users_gives_no_role_that_permits_more_than_they_may() {
    let server = with(WARDEN);
    make(&server, WARDEN, "clio", "historian").expect(201);
    make(&server, WARDEN, "mira", "editor").expect_message(403, TOO_MUCH);
    let give = |uid: i64, roles: Value| {
        let request = change(&server, uid, json!({"roles": roles}));
        request.signed_in(WARDEN).send()
    };
    give(PLAIN.uid, json!(["historian"])).expect(200);
    give(PLAIN.uid, json!(["historian", DEPOSITOR.name])).expect_message(403, TOO_MUCH);
    give(WARDEN.uid, json!([WARDEN.name, "editor"])).expect_message(403, TOO_MUCH);
    give(PLAIN.uid, json!([])).expect(200);
    give(PLAIN.uid, json!(["no such role"])).expect(422);
}

#[test]
fn who_administers_users_takes_no_role_that_they_could_not_give() {
    let server = with(WARDEN);
    let roles = |roles: Value| {
        let request = change(&server, DEPOSITOR.uid, json!({"roles": roles}));
        request.signed_in(WARDEN).send()
    };
    roles(json!([])).expect_message(403, TOO_MUCH);
    roles(json!(["historian"])).expect_message(403, TOO_MUCH);
    // What stays as it is, is neither given nor taken.
    roles(json!([DEPOSITOR.name, "historian"])).expect(200);
    roles(json!([DEPOSITOR.name])).expect(200);
}

#[test]
fn who_administers_users_gets_no_role_by_setting_a_password() {
    let server = with(WARDEN);
    let warden = |uid: i64, body: Value| change(&server, uid, body).signed_in(WARDEN).send();
    warden(DEPOSITOR.uid, json!({"password": "a new password"})).expect_message(403, TOO_MUCH);
    assert_eq!(
        status(&server, DEPOSITOR.uid, DEPOSITOR.name, DEPOSITOR.password),
        200
    );
    warden(DEPOSITOR.uid, json!({"active": false})).expect(200);
    warden(DEPOSITOR.uid, json!({"active": true})).expect(200);
    warden(PLAIN.uid, json!({"password": "a new password"})).expect(200);
    let own = json!({"password": "a new password", "current_password": WARDEN.password});
    warden(WARDEN.uid, own).expect(200);
}

#[test]
fn who_administers_permissions_gives_every_role_but_that_of_administrators() {
    let server = with(CHANCELLOR);
    make(&server, CHANCELLOR, "mira", "editor").expect(201);
    make(&server, CHANCELLOR, "king", "administrator").expect_message(403, ADMINISTRATORS);
    let take = change(&server, DEPOSITOR.uid, json!({"roles": []}));
    take.signed_in(CHANCELLOR).send().expect(200);
    // Without administering users, accounts are out of reach.
    server.add_role("keeper", &["administer permissions"]);
    let keeper = add(&server, "keeper", &["keeper"]);
    let give = change(&server, PLAIN.uid, json!({"roles": ["editor"]}));
    give.basic("keeper", SECRET).send().expect(403);
    let own = change(&server, keeper, json!({"roles": ["keeper", "editor"]}));
    own.basic("keeper", SECRET).send().expect(403);
}

#[test]
fn the_list_of_roles_says_which_the_viewer_may_give() {
    let server = with(WARDEN);
    let given = |answer: Response| {
        let list = answer.expect(200).json();
        let roles = list["roles"].as_array().expect("roles").clone();
        let roles = roles.into_iter().filter(|role| role["may_give"] == true);
        let names: Vec<String> = roles
            .filter_map(|role| role["name"].as_str().map(str::to_owned))
            .collect();
        names
    };
    let list = || server.get("/api/v1/roles");
    assert_eq!(
        given(list().signed_in(WARDEN).send()),
        ["warden", "historian"]
    );
    assert_eq!(
        given(list().as_admin().send()),
        [
            "editor",
            "administrator",
            "depositor",
            "warden",
            "historian"
        ]
    );
}
