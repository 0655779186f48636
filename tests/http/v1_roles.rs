//! `/api/v1/roles` and `/api/v1/permissions`: roles are made, changed and deleted, and what they permit holds at once.

use serde_json::{Value, json};

use crate::support::{PLAIN, Person, Request, Response, TestServer};
use crate::v1_users::change;

/// May administer what roles permit.
const CHANCELLOR: Person = Person {
    uid: 4,
    name: "chancellor",
    password: "Siegelring 4",
    permissions: &["administer permissions"],
};

fn make(server: &TestServer, body: Value) -> Request<'_> {
    server.post("/api/v1/roles").json(body)
}

fn patch(server: &TestServer, role: &str, body: Value) -> Response {
    let request = server.patch(&format!("/api/v1/roles/{role}")).json(body);
    request.as_admin().send()
}

fn delete(server: &TestServer, role: &str) -> Response {
    let request = server.delete(&format!("/api/v1/roles/{role}"));
    request.as_admin().send()
}

fn invalid(response: Response, line: &str) {
    let text = response.expect(422).text();
    assert!(text.contains(line), "{text}");
}

fn give(server: &TestServer, roles: Value) {
    let given = change(server, PLAIN.uid, json!({ "roles": roles }));
    given.as_admin().send().expect(200);
}

#[test]
fn a_role_permits_at_once_what_it_is_made_and_changed_to_permit() {
    let server = TestServer::start();
    let create = "create islandora_object content";
    let body =
        json!({"label": "Reading room", "permissions": [create, "view any unpublished content"]});
    let made = make(&server, body).as_admin().send().expect(201);
    let location = made.header("location").map(str::to_owned);
    assert!(location.is_some_and(|path| path.ends_with("/api/v1/roles/reading_room")));
    assert_eq!(
        made.json(),
        json!({"name": "reading_room", "label": "Reading room", "accounts": 0, "can_be_deleted": true, "is_given": true, "may_give": true,
               "permissions": [create, "view any unpublished content"]})
    );
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let read = || {
        let path = format!("/node/{hidden}");
        server.get(&path).signed_in(PLAIN).send()
    };
    let post = || {
        server
            .post("/node")
            .signed_in(PLAIN)
            .json(server.object("Made"))
    };
    read().expect(403);
    post().send().expect(403);
    give(&server, json!(["reading_room"]));
    read().expect(200);
    post().send().expect(201);
    let fewer = json!({"permissions": [create], "label": "Cataloguers"});
    let changed = patch(&server, "reading_room", fewer).expect(200).json();
    assert_eq!(
        (
            &changed["label"],
            &changed["permissions"],
            &changed["accounts"]
        ),
        (&json!("Cataloguers"), &json!([create]), &json!(1))
    );
    read().expect(403);
    post().send().expect(201);
}

#[test]
fn roles_are_changed_by_who_administers_permissions() {
    let server = TestServer::start();
    server.introduce(CHANCELLOR);
    let body = json!({"label": "Readers"});
    make(&server, body.clone())
        .signed_in(PLAIN)
        .send()
        .expect(403);
    make(&server, body.clone()).send().expect(401);
    make(&server, body).signed_in(CHANCELLOR).send().expect(201);
    let role = || server.get("/api/v1/roles/readers");
    role().signed_in(CHANCELLOR).send().expect(200);
    role().signed_in(PLAIN).send().expect(403);
    let label = server
        .patch("/api/v1/roles/readers")
        .json(json!({"label": "Others"}));
    label.signed_in(PLAIN).send().expect(403);
    let deleted = || server.delete("/api/v1/roles/readers");
    deleted().signed_in(PLAIN).send().expect(403);
    deleted().signed_in(CHANCELLOR).send().expect(204);
    role()
        .signed_in(CHANCELLOR)
        .send()
        .expect_message(404, "There is no role readers.");
}

#[test]
fn every_permission_of_the_list_can_be_permitted_and_no_other() {
    let server = TestServer::start();
    let list = server
        .get("/api/v1/permissions")
        .as_admin()
        .send()
        .expect(200);
    let list = list.json()["permissions"]
        .as_array()
        .cloned()
        .expect("a list");
    let names: Vec<Value> = list.iter().map(|one| one["name"].clone()).collect();
    let page = json!({"name": "edit any page content", "area": "content", "template": "edit any {bundle} content",
                      "bundle": {"id": "page", "label": "Basic page"}});
    assert!(list.contains(&page), "{list:?}");
    let made = make(
        &server,
        json!({"label": "Everything", "permissions": names}),
    );
    let made = made.as_admin().send().expect(201).json();
    assert_eq!(
        made["permissions"].as_array().map(Vec::len),
        Some(names.len())
    );
    let unknown = json!({"label": "Others", "permissions": ["rule the world"]});
    let refused = make(&server, unknown).as_admin().send();
    invalid(
        refused,
        "permissions: There is no permission rule the world.",
    );
    // What a tool of another system has given it stays possible.
    server.add_role("workbench", &["access content overview"]);
    let kept = json!({"permissions": ["access content overview", "view media"]});
    patch(&server, "workbench", kept).expect(200);
    let taken = json!({"permissions": ["view media"]});
    patch(&server, "workbench", taken).expect(200);
}

#[test]
fn labels_tell_roles_apart() {
    let server = TestServer::start();
    let made = |label: &str| make(&server, json!({"label": label})).as_admin().send();
    assert_eq!(
        made("Leser & Gäste").expect(201).json()["name"],
        "leser_g_ste"
    );
    assert_eq!(
        made("Leser, Gäste").expect(201).json()["name"],
        "leser_g_ste_2"
    );
    assert_eq!(made("読者").expect(201).json()["name"], "role");
    invalid(made("EDITOR"), "label: There is already a role EDITOR.");
    invalid(
        made(" Editors"),
        "label: A name may not begin or end with a space.",
    );
    invalid(made(""), "label: A name may not be empty.");
    let other = patch(&server, "role", json!({"label": "Editor"}));
    invalid(other, "label: There is already a role Editor.");
    patch(&server, "role", json!({"label": "読者"})).expect(200);
}

#[test]
fn a_role_that_is_needed_is_not_deleted() {
    let server = TestServer::start();
    make(&server, json!({"label": "Readers"}))
        .as_admin()
        .send()
        .expect(201);
    give(&server, json!(["readers"]));
    let words = "Take the role from the accounts that have it first: 1.";
    delete(&server, "readers").expect_message(409, words);
    give(&server, json!([]));
    delete(&server, "readers").expect(204);
    delete(&server, "readers").expect(404);
    for role in ["anonymous", "authenticated", "administrator"] {
        delete(&server, role)
            .expect_message(409, &format!("Every repository has the role {role}."));
    }
    let all = patch(&server, "administrator", json!({"permissions": []}));
    all.expect_message(409, "Administrators have every permission.");
    delete(&server, "editor").expect(204);
}

#[test]
fn visitors_see_what_their_role_permits() {
    let server = TestServer::start();
    let node = server.create_object("Shown");
    let read = || server.get(&format!("/node/{node}")).send();
    read().expect(200);
    patch(&server, "anonymous", json!({"permissions": []})).expect(200);
    read().expect(401);
    patch(
        &server,
        "anonymous",
        json!({"permissions": ["access content"]}),
    )
    .expect(200);
    read().expect(200);
}
