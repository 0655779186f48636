//! Review: `moderation_state`, `assignee` and `review_note`, and the list of what waits for somebody.

use serde_json::{Value, json};

use crate::support::{ADMIN, DEPOSITOR, PLAIN, Person, Response, TestServer, merge, outcome};
use crate::v1_users::change;

fn state(state: &str) -> Value {
    json!({"moderation_state": [{"value": state}]})
}

fn assigned(person: Person) -> Value {
    json!({"assignee": [{"target_id": person.uid}]})
}

fn published(published: bool) -> Value {
    json!({"status": [{"value": published}]})
}

fn create(server: &TestServer, person: Person, fields: Value) -> Response {
    let body = merge(server.object("Harbour chart"), fields);
    server
        .post("/node?_format=json")
        .signed_in(person)
        .json(body)
        .send()
}

fn patch(server: &TestServer, person: Person, nid: i64, fields: Value) -> Response {
    let body = merge(json!({"type": [{"target_id": "islandora_object"}]}), fields);
    let patch = server.patch(&format!("/node/{nid}?_format=json"));
    patch.signed_in(person).json(body).send()
}

fn item(server: &TestServer, nid: i64) -> Value {
    server
        .get(&format!("/api/v1/items/{nid}"))
        .as_admin()
        .send()
        .expect(200)
        .json()
}

/// Node ids of what waits for somebody, after the number that the side bar shows was found to be the same.
fn waiting(server: &TestServer, person: Person) -> Vec<i64> {
    let get = |path: &str| server.get(path).signed_in(person).send().expect(200).json();
    let list = get("/api/v1/items?view=waiting");
    let rows = list["items"].as_array().expect("a list");
    let nids: Vec<i64> = rows.iter().filter_map(|row| row["nid"].as_i64()).collect();
    assert_eq!(get("/api/v1/counts")["waiting"], json!(nids.len()));
    nids
}

/// An account that edits and publishes, everywhere or in a collection.
fn reviewer(server: &TestServer, collection: Option<i64>) -> Person {
    let permissions = [
        "access content",
        "edit any islandora_object content",
        "review content",
    ];
    server.add_role("reviewer", &permissions);
    let roles = match collection {
        Some(nid) => json!({"collection_roles": [{"collection": nid, "role": "reviewer"}]}),
        None => json!({"roles": ["reviewer"]}),
    };
    change(server, PLAIN.uid, roles)
        .as_admin()
        .send()
        .expect(200);
    PLAIN
}

#[test]
fn a_draft_is_submitted_looked_through_and_published() {
    let server = TestServer::start();
    let reviewer = reviewer(&server, None);
    let nid = create(&server, DEPOSITOR, state("draft"))
        .expect(201)
        .created();
    let made = item(&server, nid);
    assert_eq!(
        (&made["status"], &made["in_review"]),
        (&json!(false), &json!(false))
    );
    assert!(waiting(&server, reviewer).is_empty());
    patch(&server, DEPOSITOR, nid, published(true)).expect(403);
    let note = json!({"review_note": [{"value": "Is the date right?"}]});
    patch(&server, DEPOSITOR, nid, merge(state("in_review"), note)).expect(200);
    assert_eq!(waiting(&server, reviewer), [nid]);
    assert_eq!(waiting(&server, ADMIN), [nid]);
    assert!(
        waiting(&server, DEPOSITOR).is_empty(),
        "who may not publish waits"
    );
    let submitted = item(&server, nid);
    assert_eq!(submitted["in_review"], true);
    assert_eq!(submitted["review_note"], "Is the date right?");
    patch(&server, reviewer, nid, published(true)).expect(200);
    let public = server.node(nid);
    for field in ["moderation_state", "assignee", "review_note"] {
        assert!(public.get(field).is_none(), "{field} of {public}");
    }
    assert!(waiting(&server, reviewer).is_empty());
}

#[test]
fn who_is_assigned_has_it_in_their_list_and_the_others_have_not() {
    let server = TestServer::start();
    let reviewer = reviewer(&server, None);
    let nid = create(&server, DEPOSITOR, state("in_review"))
        .expect(201)
        .created();
    patch(&server, ADMIN, nid, assigned(reviewer)).expect(200);
    assert_eq!(waiting(&server, reviewer), [nid]);
    assert!(waiting(&server, ADMIN).is_empty());
    assert_eq!(
        item(&server, nid)["assignee"],
        json!({"uid": reviewer.uid, "name": reviewer.name})
    );
    let returned = merge(state("draft"), assigned(DEPOSITOR));
    patch(&server, reviewer, nid, returned).expect(200);
    assert_eq!(waiting(&server, DEPOSITOR), [nid]);
    assert!(waiting(&server, reviewer).is_empty());
}

#[test]
fn drafts_are_looked_through_where_the_role_holds() {
    let server = TestServer::start();
    let model = json!([{"target_id": server.term("islandora_models", "Collection")}]);
    let maps = server.create_object_with("Maps", json!({"field_model": model}));
    let inside = json!({"field_member_of": [{"target_id": maps}]});
    let reviewer = reviewer(&server, Some(maps));
    let inside = merge(state("in_review"), inside);
    let inside = create(&server, ADMIN, inside).expect(201).created();
    let outside = create(&server, ADMIN, state("in_review"))
        .expect(201)
        .created();
    assert_eq!(waiting(&server, reviewer), [inside]);
    let see = |nid: i64| {
        server
            .get(&format!("/node/{nid}?_format=json"))
            .signed_in(reviewer)
            .send()
    };
    see(inside).expect(200);
    see(outside).expect(403);
    patch(&server, reviewer, inside, published(true)).expect(200);
    patch(&server, reviewer, outside, published(true)).expect(403);
    let people = |nid: i64| {
        let path = format!("/api/v1/items/{nid}/assignees");
        let people = server.get(&path).as_admin().send().expect(200).json();
        let names = people["people"].as_array().expect("a list").iter();
        names
            .map(|one| one["name"].as_str().expect("a name").to_owned())
            .collect::<Vec<_>>()
    };
    assert!(people(inside).contains(&reviewer.name.to_owned()));
    assert!(!people(outside).contains(&reviewer.name.to_owned()));
}

#[test]
fn what_cannot_be_is_refused() {
    let server = TestServer::start();
    let public = server.create_object("Public");
    for fields in [state("in_review"), assigned(ADMIN)] {
        let refused = patch(&server, ADMIN, public, fields).expect(422);
        assert!(
            refused.text().contains("An item that is published"),
            "{}",
            refused.text()
        );
    }
    create(&server, ADMIN, merge(state("draft"), published(true))).expect(422);
    create(&server, ADMIN, state("approved")).expect(422);
    let draft = create(&server, ADMIN, state("draft")).expect(201).created();
    let refused = patch(&server, ADMIN, draft, assigned(PLAIN)).expect(422);
    assert!(
        refused.text().contains("may not see the item"),
        "{}",
        refused.text()
    );
    patch(
        &server,
        ADMIN,
        draft,
        json!({"assignee": [{"target_id": 999}]}),
    )
    .expect(422);
}

#[test]
fn steps_are_taken_with_many_items_at_once_and_taken_back() {
    let server = TestServer::start();
    let new = || create(&server, ADMIN, state("draft")).expect(201).created();
    let (items, public) = ([new(), new()], server.create_object("Public"));
    let values = merge(state("in_review"), assigned(ADMIN));
    let step = json!({"act": "describe", "values": values, "replace": true});
    let nids = json!({"nids": [items[0], items[1], public]});
    let submitted = server.run_batch(nids, step);
    assert_eq!(outcome(&submitted), [Some(2), Some(1)], "{submitted}");
    assert_eq!(waiting(&server, ADMIN).len(), 2);
    let publish = json!({"act": "set", "field": "status", "values": [{"value": true}]});
    let batch = server.run_batch(json!({"nids": items}), publish);
    assert!(waiting(&server, ADMIN).is_empty());
    server.undo_batch(&batch);
    assert_eq!(
        waiting(&server, ADMIN).len(),
        2,
        "in review again, and assigned"
    );
}
