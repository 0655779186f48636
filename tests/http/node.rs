//! `/node` and `/node/{nid}`: beyond the recorded exchanges.

use serde_json::{Value, json};

use crate::support::TestServer;
use crate::support::content_model::{assert_shows, bundles, fields, sample};

fn body_of(bundle: &Value, title: &str) -> Value {
    json!({"type": [{"target_id": bundle["id"]}], "title": [{"value": title}]})
}

#[test]
fn every_node_type_is_created_read_changed_and_deleted() {
    let server = TestServer::shared();
    for bundle in bundles("node") {
        let mut body = body_of(&bundle, "Round trip");
        if bundle["id"] == "islandora_object" {
            body["field_model"] = server.object("")["field_model"].clone();
        }
        let created = server
            .post("/node?_format=json")
            .as_admin()
            .json(body.clone())
            .send()
            .expect(201);
        let path = format!("/node/{}?_format=json", created.created());
        let read = server.get(&path).as_admin().send().expect(200);
        assert_eq!(created.json(), read.json(), "{}", bundle["id"]);

        let changed = json!({"type": body["type"], "title": [{"value": "Changed"}]});
        let changed = server
            .patch(&path)
            .as_admin()
            .json(changed)
            .send()
            .expect(200);
        assert_eq!(changed.value("title"), "Changed");
        assert_eq!(server.get(&path).send().expect(200).json(), changed.json());

        let gone = server.delete(&path).as_admin().send().expect(204);
        assert!(gone.body.is_empty() && gone.header("content-type").is_none());
        server.get(&path).as_admin().send().expect(404);
        server.delete(&path).as_admin().send().expect(404);
    }
}

#[test]
fn every_field_of_every_node_type_keeps_what_it_is_given() {
    let server = TestServer::shared();
    for bundle in bundles("node") {
        let mut body = body_of(&bundle, "All fields");
        let mut expected = Vec::new();
        for field in fields(&bundle) {
            if let Some((items, members)) = sample(server, field) {
                let name = field["name"]
                    .as_str()
                    .expect("fields have names")
                    .to_owned();
                body[&name] = items;
                expected.push((name, members));
            }
        }
        let created = server
            .post("/node?_format=json")
            .as_admin()
            .json(body)
            .send()
            .expect(201);
        let read = server.node(created.created());
        for (name, members) in expected {
            assert_shows(&name, &read[&name][0], &members);
        }
    }
}

#[test]
fn a_change_touches_only_what_was_sent() {
    let server = TestServer::shared();
    let nid = server.create_object_with(
        "Before",
        json!({"field_extent": [{"value": "1 map"}], "field_note": [{"value": "kept"}]}),
    );
    let change = json!({"type": [{"target_id": "islandora_object"}], "field_extent": [{"value": "2 maps"}, {"value": "a box"}]});
    let after = server
        .patch(&format!("/node/{nid}"))
        .as_admin()
        .json(change)
        .send()
        .expect(200)
        .json();
    assert_eq!(after["title"], json!([{"value": "Before"}]));
    assert_eq!(
        after["field_extent"],
        json!([{"value": "2 maps"}, {"value": "a box"}])
    );
    assert_eq!(after["field_note"][0]["value"], "kept");
}

#[test]
fn every_change_is_a_revision_by_the_one_who_made_it() {
    let server = TestServer::shared();
    let nid = server.create_object("Revised");
    let mut vid = server.node(nid)["vid"][0]["value"].as_i64().expect("a vid");
    for _ in 0..3 {
        let change = json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "By the depositor"}]});
        let after = server
            .patch(&format!("/node/{nid}?_format=json"))
            .as_depositor()
            .json(change)
            .send()
            .expect(200)
            .json();
        let next = after["vid"][0]["value"].as_i64().expect("a vid");
        assert!(next > vid, "{next} after {vid}");
        assert_eq!(after["revision_uid"][0]["target_id"], 2);
        vid = next;
    }
    let list = server
        .get(&format!("/api/v1/items/{nid}/revisions"))
        .as_admin()
        .send()
        .expect(200)
        .json();
    assert_eq!(list["revisions"].as_array().map(Vec::len), Some(4));
}

#[test]
fn lenient_spellings_mean_the_same() {
    let server = TestServer::shared();
    let model = server.term("islandora_models", "Image");
    let spellings = [
        json!({"type": "islandora_object", "title": [{"value": "T"}], "field_model": [{"target_id": model}]}),
        json!({"type": [{"target_id": "islandora_object"}], "title": ["T"], "field_model": [model]}),
        json!({"type": [{"target_id": "islandora_object"}], "title": {"value": "T"}, "field_model": [{"target_id": model.to_string()}]}),
    ];
    for body in spellings {
        let node = server
            .post("/node?_format=json")
            .as_admin()
            .json(body.clone())
            .send()
            .expect(201)
            .json();
        assert_eq!(node["title"], json!([{"value": "T"}]), "{body}");
        assert_eq!(node["field_model"][0]["target_id"], model, "{body}");
    }
}

#[test]
fn violations_come_together_base_fields_first() {
    let server = TestServer::shared();
    let body = json!({
        "type": [{"target_id": "islandora_object"}],
        "field_model": [],
        "title": [{"value": ""}],
    });
    server
        .post("/node?_format=json")
        .as_admin()
        .json(body)
        .send()
        .expect_violations(&[
            "title: This value should not be null.",
            "field_model: This value should not be null.",
        ]);
    let body = json!({
        "type": [{"target_id": "islandora_object"}],
        "title": [{"value": "x".repeat(256)}],
        "field_model": [{"target_id": 99_999_999}],
        "field_member_of": [{"target_id": 99_999_999}],
    });
    let answer = server
        .post("/node?_format=json")
        .as_admin()
        .json(body)
        .send()
        .expect(422)
        .message();
    let lines: Vec<&str> = answer.lines().skip(1).collect();
    assert_eq!(lines.len(), 3, "{answer}");
    for expected in [
        "title.0.value: Title: may not be longer than 255 characters.",
        "field_member_of.0.target_id: The referenced entity (node: 99999999) does not exist.",
        "field_model.0.target_id: The referenced entity (taxonomy_term: 99999999) does not exist.",
    ] {
        assert!(lines.contains(&expected), "{expected:?} in {answer}");
    }
}

#[test]
fn a_refused_change_changes_nothing() {
    let server = TestServer::shared();
    let nid = server.create_object("Stays");
    let before = server.node(nid);
    let change = json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "Lost"}], "field_weight": [{"value": "heavy"}]});
    server
        .patch(&format!("/node/{nid}"))
        .as_admin()
        .json(change)
        .send()
        .expect(422);
    assert_eq!(server.node(nid), before);
}

#[test]
fn nobody_becomes_their_own_ancestor() {
    let server = TestServer::shared();
    let top = server.create_object("Top");
    let middle =
        server.create_object_with("Middle", json!({"field_member_of": [{"target_id": top}]}));
    let bottom = server.create_object_with(
        "Bottom",
        json!({"field_member_of": [{"target_id": middle}]}),
    );
    for parent in [top, middle, bottom] {
        let change = json!({"type": [{"target_id": "islandora_object"}], "field_member_of": [{"target_id": parent}]});
        let answer = server
            .patch(&format!("/node/{top}"))
            .as_admin()
            .json(change)
            .send()
            .expect(422);
        assert!(
            answer.message().contains("field_member_of"),
            "{}",
            answer.message()
        );
    }
}

#[test]
fn deleted_ids_are_never_given_again() {
    let server = TestServer::shared();
    let first = server.create_object("First");
    server
        .delete(&format!("/node/{first}"))
        .as_admin()
        .send()
        .expect(204);
    assert!(server.create_object("Second") > first);
}

#[test]
fn unpublished_objects_are_for_those_who_may() {
    let server = TestServer::shared();
    let nid = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let path = format!("/node/{nid}?_format=json");
    server
        .get(&path)
        .send()
        .expect_message(401, "No authentication credentials provided.");
    server.get(&path).as_plain().send().expect(403);
    server.get(&path).as_depositor().send().expect(403);
    server.get(&path).as_admin().send().expect(200);
}

#[test]
fn two_nodes_moved_into_each_other_at_once_make_no_circle() {
    let server = TestServer::shared();
    let move_into = |node: i64, parent: i64| {
        let body = json!({
            "type": [{"target_id": "islandora_object"}],
            "field_member_of": [{"target_id": parent}],
        });
        let path = format!("/node/{node}?_format=json");
        server.patch(&path).as_admin().json(body).send().status
    };
    for _ in 0..10 {
        let (one, other) = (server.create_object("One"), server.create_object("Other"));
        let mut answers = std::thread::scope(|scope| {
            let racing = scope.spawn(|| move_into(one, other));
            [move_into(other, one), racing.join().expect("an answer")]
        });
        answers.sort_unstable();
        assert_eq!(answers, [200, 422]);
    }
}
