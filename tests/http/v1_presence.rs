//! `/api/v1/items/{nid}/presence/{page}`: who else has an item open, and which fields they edit.

use serde_json::{Value, json};

use crate::support::{ADMIN, DEPOSITOR, PLAIN, Person, Response, TestServer};

fn open(server: &TestServer, who: Person, nid: i64, page: &str, fields: &[&str]) -> Response {
    let request = server.put(&format!("/api/v1/items/{nid}/presence/{page}"));
    let request = request.json(json!({ "fields": fields }));
    request.signed_in(who).send()
}

fn others(answer: Response) -> Value {
    answer.expect(200).json()["colleagues"].clone()
}

fn admin(fields: &[&str]) -> Value {
    json!([{"user": {"uid": 1, "name": "admin"}, "is_self": false, "fields": fields}])
}

#[test]
fn two_people_see_what_the_other_edits_until_they_leave() {
    let server = TestServer::start();
    server.give_only_role(DEPOSITOR.uid, "editor");
    let [one, two] = ["One", "Two"].map(|title| server.create_object(title));
    assert_eq!(others(open(&server, ADMIN, one, "a", &[])), json!([]));
    assert_eq!(others(open(&server, DEPOSITOR, one, "b", &[])), admin(&[]));
    open(&server, ADMIN, one, "a", &["title", "field_extent"]).expect(200);
    let edited = others(open(&server, DEPOSITOR, one, "b", &[]));
    assert_eq!(edited, admin(&["field_extent", "title"]));
    // A page shows one item at a time.
    open(&server, ADMIN, two, "a", &[]).expect(200);
    assert_eq!(others(open(&server, DEPOSITOR, one, "b", &[])), json!([]));
    open(&server, ADMIN, one, "a", &[]).expect(200);
    let leave = |nid: i64| {
        let request = server.delete(&format!("/api/v1/items/{nid}/presence/a"));
        request.as_admin().send().expect(204);
    };
    leave(two);
    assert_eq!(others(open(&server, DEPOSITOR, one, "b", &[])), admin(&[]));
    leave(one);
    assert_eq!(others(open(&server, DEPOSITOR, one, "b", &[])), json!([]));
}

#[test]
fn ones_own_other_window_is_told_as_such_and_names_are_for_who_may_know_them() {
    let server = TestServer::start();
    let node = server.create_object("Shared");
    open(&server, PLAIN, node, "a", &[]).expect(200);
    let own = others(open(&server, PLAIN, node, "b", &[]));
    assert_eq!(own[0]["is_self"], true);
    assert_eq!(own[0]["user"]["name"], PLAIN.name);
    open(&server, ADMIN, node, "c", &["title"]).expect(200);
    let seen = others(open(&server, PLAIN, node, "b", &[]));
    let nameless = json!({"user": null, "is_self": false, "fields": ["title"]});
    assert!(
        seen.as_array().is_some_and(|all| all.contains(&nameless)),
        "{seen}"
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let server = TestServer::start();
    let node = server.create_object("Shared");
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    open(&server, PLAIN, hidden, "a", &[]).expect(404);
    open(&server, PLAIN, 9999, "a", &[]).expect(404);
    open(&server, PLAIN, node, "a.b", &[]).expect(400);
    open(&server, PLAIN, node, &"a".repeat(65), &[]).expect(400);
    open(&server, PLAIN, node, "a", &["field_of_nobody"]).expect(422);
    for number in 0..40 {
        open(&server, PLAIN, node, &format!("page-{number}"), &[]).expect(200);
    }
    let answer = server.put(&format!("/api/v1/items/{node}/presence/a"));
    answer.json(json!({})).send().expect(401);
}
