//! `/api/v1/batches`: text or a term is found in many items and replaced, shown before, and taken back as one.

use serde_json::{Value, json};

use crate::support::{ADMIN, TestServer, outcome};

fn replace(kind: &str, find: &str, by: &str) -> Value {
    json!({"act": "replace_text", "fields": ["title"], "find": find, "by": by, "match": kind})
}

fn titles(server: &TestServer, nids: &[i64]) -> Vec<Value> {
    let nodes = nids.iter().map(|nid| server.node(*nid));
    nodes
        .map(|node| node["title"][0]["value"].clone())
        .collect()
}

#[test]
fn whole_words_and_groups_of_an_expression_are_replaced_and_taken_back() {
    let server = TestServer::start();
    let nids = ["Map 12 of maps", "Maps"].map(|title| server.create_object(title));
    let items = json!({"nids": nids});
    let batch = server.run_batch(items.clone(), replace("word", "map", "Chart"));
    assert_eq!(outcome(&batch), [Some(1), Some(0)]);
    assert_eq!(titles(&server, &nids), ["Chart 12 of maps", "Maps"]);
    let turn = replace("regex", r"(?<what>\w+) (\d+)", "$2. ${what}");
    let turned = server.run_batch(items, turn);
    assert_eq!(titles(&server, &nids), ["12. Chart of maps", "Maps"]);
    server.undo_batch(&turned);
    server.undo_batch(&batch);
    assert_eq!(titles(&server, &nids), ["Map 12 of maps", "Maps"]);
}

#[test]
fn an_expression_that_cannot_be_is_refused_with_its_reason() {
    let server = TestServer::start();
    let huge = format!("{}a{}", "(".repeat(100), ")".repeat(100));
    let expressions = [
        ("(", ""),
        ("a{1000}{1000}", ""),
        ("[z-a]", ""),
        (&huge, ""),
        ("a", "$1"),
    ];
    for (find, by) in expressions {
        for path in ["/api/v1/batches", "/api/v1/batches/preview"] {
            let body = json!({"items": {"list": ""}, "change": replace("regex", find, by)});
            let refused = server.post(path).as_admin().json(body).send().expect(422);
            let words = refused.json()["message"].to_string();
            assert!(words.contains("expression"), "{find}: {words}");
        }
    }
}

#[test]
fn a_required_value_of_which_nothing_is_left_is_refused_and_listed() {
    let server = TestServer::start();
    let nids = ["Map", "Map of Venice"].map(|title| server.create_object(title));
    let change = replace("regex", "Map( of )?", "");
    let found = server.preview_batch(ADMIN, json!({"list": ""}), change.clone());
    let counts = ["changes", "invalid"].map(|name| found[name].as_u64());
    assert_eq!(counts, [Some(1), Some(1)]);
    assert_eq!(found["items"][1]["id"], nids[0]);
    let batch = server.run_batch(json!({"list": ""}), change);
    assert_eq!(outcome(&batch), [Some(1), Some(1)]);
    assert_eq!(titles(&server, &nids), ["Map", "Venice"]);
}

#[test]
fn a_term_takes_the_place_of_another_one_once() {
    let server = TestServer::start();
    let [old, new] = ["Venise", "Venice"].map(|name| server.create_term("person", name));
    let agents = |each: &[(i64, &str)]| -> Value {
        let agents = each
            .iter()
            .map(|(id, role)| json!({"target_id": id, "rel_type": format!("relators:{role}")}));
        agents.collect()
    };
    let before = agents(&[(old, "aut"), (new, "aut"), (old, "pht")]);
    let nid = server.create_object_with("Map", json!({"field_linked_agent": before}));
    let other = server.create_object("Without");
    let shown = || {
        let node = server.node(nid);
        let values = node["field_linked_agent"].as_array().expect("values");
        let of = |one: &Value| (one["target_id"].clone(), one["rel_type"].clone());
        values.iter().map(of).collect::<Vec<_>>()
    };
    let former = shown();
    let change = json!({"act": "replace_term", "find": old, "by": new});
    let batch = server.run_batch(json!({"nids": [nid, other]}), change.clone());
    assert_eq!(outcome(&batch), [Some(1), Some(0)]);
    let wanted = ["relators:aut", "relators:pht"].map(|role| (json!(new), json!(role)));
    assert_eq!(shown(), wanted);
    server.undo_batch(&batch);
    assert_eq!(shown(), former);
    let unknown = json!({"act": "replace_term", "fields": ["title"], "find": old, "by": new});
    let body = json!({"items": {"nids": [nid]}, "change": unknown});
    server
        .post("/api/v1/batches")
        .as_admin()
        .json(body)
        .send()
        .expect(422);
}
