//! `/taxonomy/term` and `/taxonomy/term/{tid}`: beyond the recorded exchanges.

use serde_json::json;

use crate::support::TestServer;
use crate::support::content_model::{assert_shows, bundles, fields, sample};

#[test]
fn every_vocabulary_creates_reads_changes_and_deletes_a_term() {
    let server = TestServer::shared();
    for bundle in bundles("taxonomy_term") {
        let vid = json!([{"target_id": bundle["id"]}]);
        let created = server
            .post("/taxonomy/term?_format=json")
            .as_admin()
            .json(json!({"vid": vid, "name": [{"value": "A term"}]}))
            .send()
            .expect(201);
        let path = format!("/taxonomy/term/{}?_format=json", created.created());
        assert_eq!(
            server.get(&path).send().expect(200).json(),
            created.json(),
            "{}",
            bundle["id"]
        );

        let change = json!({"vid": vid, "name": [{"value": "Renamed"}]});
        let changed = server
            .patch(&path)
            .as_admin()
            .json(change)
            .send()
            .expect(200);
        assert_eq!(changed.value("name"), "Renamed");
        server.delete(&path).as_admin().send().expect(204);
        server.get(&path).as_admin().send().expect(404);
    }
}

#[test]
fn every_field_of_every_vocabulary_keeps_what_it_is_given() {
    let server = TestServer::shared();
    for bundle in bundles("taxonomy_term") {
        let mut body =
            json!({"vid": [{"target_id": bundle["id"]}], "name": [{"value": "All fields"}]});
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
            .post("/taxonomy/term?_format=json")
            .as_admin()
            .json(body)
            .send()
            .expect(201)
            .json();
        for (name, members) in expected {
            assert_shows(
                &format!("{} {name}", bundle["id"]),
                &created[&name][0],
                &members,
            );
        }
    }
}

#[test]
fn a_term_may_have_a_parent_and_need_not() {
    let server = TestServer::shared();
    let parent = server.create_term("tags", "Parent");
    let body = json!({"vid": [{"target_id": "tags"}], "name": [{"value": "Child"}], "parent": [{"target_id": parent}]});
    let child = server
        .post("/taxonomy/term")
        .as_admin()
        .json(body)
        .send()
        .expect(201)
        .json();
    assert_eq!(child["parent"][0]["target_id"], parent);
    let root = server
        .get(&format!("/taxonomy/term/{parent}"))
        .send()
        .expect(200)
        .json();
    assert_eq!(root["parent"], json!([{"target_id": null}]));
}

#[test]
fn a_term_needs_the_right_of_its_vocabulary() {
    let server = TestServer::shared();
    let body =
        |vid: &str| json!({"vid": [{"target_id": vid}], "name": [{"value": "By the depositor"}]});
    let tid = server
        .post("/taxonomy/term")
        .as_depositor()
        .json(body("tags"))
        .send()
        .expect(201)
        .created();
    server.post("/taxonomy/term").as_depositor().json(body("genre")).send().expect_message(
        403,
        "The following permissions are required: 'create terms in genre' OR 'administer taxonomy'.",
    );
    server
        .post("/taxonomy/term")
        .json(body("tags"))
        .send()
        .expect(401);
    let path = format!("/taxonomy/term/{tid}");
    server
        .patch(&path)
        .as_depositor()
        .json(body("tags"))
        .send()
        .expect(200);
    server.delete(&path).as_depositor().send().expect(403);
    server.delete(&path).as_plain().send().expect(403);
}

#[test]
fn a_term_in_use_may_go() {
    let server = TestServer::shared();
    let tid = server.create_term("genre", "Going");
    let nid = server.create_object_with("Uses it", json!({"field_genre": [{"target_id": tid}]}));
    server
        .delete(&format!("/taxonomy/term/{tid}"))
        .as_admin()
        .send()
        .expect(204);
    assert_eq!(server.node(nid)["field_genre"], json!([{"target_id": tid}]));
    let change = json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "Still patchable"}]});
    server
        .patch(&format!("/node/{nid}"))
        .as_admin()
        .json(change)
        .send()
        .expect(200);
}
