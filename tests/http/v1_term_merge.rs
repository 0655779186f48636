//! `/api/v1/terms/{tid}/merge`: several terms become one, and come back with one undo.

use serde_json::{Value, json};

use crate::support::{ADMIN, Person, Response, TestServer, outcome};

/// May do everything with subjects, and nothing with items.
const INDEXER: Person = Person {
    uid: 4,
    name: "indexer",
    password: "an indexer's password",
    permissions: &["edit terms in subject", "delete terms in subject"],
};

fn ask(server: &TestServer, person: Person, path: &str, terms: &[i64]) -> Response {
    let request = server.post(path).signed_in(person);
    request.json(json!({ "terms": terms })).send()
}

#[track_caller]
fn merge(server: &TestServer, person: Person, into: i64, terms: &[i64]) -> Value {
    let path = format!("/api/v1/terms/{into}/merge");
    server.batch_ended(&ask(server, person, &path, terms).expect(202).json())
}

#[track_caller]
fn preview(server: &TestServer, person: Person, into: i64, terms: &[i64]) -> Response {
    let path = format!("/api/v1/terms/{into}/merge/preview");
    ask(server, person, &path, terms)
}

fn about(server: &TestServer, title: &str, subjects: &[i64]) -> i64 {
    let subjects: Vec<Value> = subjects
        .iter()
        .map(|tid| json!({"target_id": tid}))
        .collect();
    server.create_object_with(title, json!({ "field_subject": subjects }))
}

/// The ids to which a field refers.
#[track_caller]
fn ids(server: &TestServer, path: &str, field: &str) -> Vec<i64> {
    let path = format!("{path}?_format=json");
    let found = server.get(&path).as_admin().send().expect(200).json();
    let values = found[field].as_array().cloned().unwrap_or_default();
    let ids = values
        .iter()
        .filter_map(|value| value["target_id"].as_i64());
    ids.collect()
}

#[test]
fn what_used_the_terms_uses_the_one_that_stays_and_one_undo_takes_it_back() {
    let server = TestServer::start();
    let kept = server.create_term("subject", "Maps");
    let [first, second] = ["Map", "maps."].map(|name| server.create_term("subject", name));
    let below = json!({"parent": [{"target_id": first}]});
    let child = server.create_term_with("subject", "Sea charts", below);
    let both = about(&server, "Atlas", &[first, second, kept]);
    let one = about(&server, "Chart", &[second]);
    let found = preview(&server, ADMIN, kept, &[first, second])
        .expect(200)
        .json();
    assert_eq!(
        found["fields"],
        json!({"field_subject": 2, "parent": 1, "field_alternate_name": 1})
    );

    let batch = merge(&server, ADMIN, kept, &[first, second]);
    assert_eq!(outcome(&batch), [Some(6), Some(0)]);
    let state = || {
        let [both, one] =
            [both, one].map(|nid| ids(&server, &format!("/node/{nid}"), "field_subject"));
        let parents = ids(&server, &format!("/taxonomy/term/{child}"), "parent");
        let gone = server.get(&format!("/taxonomy/term/{first}?_format=json"));
        (both, one, parents, gone.as_admin().send().status)
    };
    assert_eq!(state(), (vec![kept], vec![kept], vec![kept], 404));

    let undo = server.undo_batch(&batch);
    assert_eq!(outcome(&undo), [Some(6), Some(0)]);
    let before = (vec![first, second, kept], vec![second], vec![first], 200);
    assert_eq!(state(), before);
    server.undo_batch(&undo);
    assert_eq!(state(), (vec![kept], vec![kept], vec![kept], 404));
}

#[test]
fn names_and_addresses_go_over_to_the_term_that_stays() {
    let server = TestServer::shared();
    let link =
        |number: u8| json!({"uri": format!("https://example.org/{number}"), "source": "viaf"});
    let kept = json!({"field_authority_link": [link(1)]});
    let kept = server.create_term_with("person", "Mercator, Gerard", kept);
    let merged = json!({
        "field_alternate_name": [{"value": "Kremer, Gerard"}],
        "field_authority_link": [link(1), link(2)],
    });
    let merged = server.create_term_with("person", "Mercator, Gerhard", merged);
    let batch = merge(server, ADMIN, kept, &[merged]);
    let read = || {
        let path = format!("/taxonomy/term/{kept}?_format=json");
        let term = server.get(&path).send().expect(200).json();
        let texts = |field: &str, key: &str| {
            let values = term[field].as_array().cloned().unwrap_or_default();
            values
                .iter()
                .map(|value| value[key].clone())
                .collect::<Vec<_>>()
        };
        (
            texts("field_alternate_name", "value"),
            texts("field_authority_link", "uri"),
        )
    };
    let (names, links) = read();
    assert_eq!(names, ["Mercator, Gerhard", "Kremer, Gerard"]);
    assert_eq!(links, ["https://example.org/1", "https://example.org/2"]);
    server.undo_batch(&batch);
    assert_eq!((read().0.len(), read().1.len()), (0, 1));
}

#[test]
fn the_use_of_a_media_moves_and_comes_back() {
    let server = TestServer::start();
    let mid = server.upload_image(server.create_object("Sheet"), "public://merge/sheet.png");
    let from = server.term("islandora_media_use", "Original File");
    let into = server.term("islandora_media_use", "Intermediate File");
    let uses = || ids(&server, &format!("/media/{mid}"), "field_media_use");
    assert_eq!(uses(), [from]);
    let batch = merge(&server, ADMIN, into, &[from]);
    assert_eq!(uses(), [into]);
    server.undo_batch(&batch);
    assert_eq!(uses(), [from]);
}

#[test]
fn a_merge_that_makes_no_sense_is_refused_in_words() {
    let server = TestServer::shared();
    let [above, other] = ["Above", "Beside"].map(|name| server.create_term("subject", name));
    let place = server.create_term("geo_location", "Elsewhere");
    let below = json!({"parent": [{"target_id": above}]});
    let below = server.create_term_with("subject", "Below", below);
    for (into, terms, words) in [
        (above, vec![above], "A term cannot be merged into itself."),
        (below, vec![above], "lies below one of the terms"),
        (above, vec![place], "terms of different vocabularies"),
        (above, vec![99_999_999], "There is no term 99999999."),
        (other, vec![], "The request names no terms."),
    ] {
        let path = format!("/api/v1/terms/{into}/merge");
        let said = ask(server, ADMIN, &path, &terms).expect(422).json();
        let message = said["message"].as_str().unwrap_or_default();
        assert!(message.contains(words), "{message}");
    }
    preview(server, ADMIN, 99_999_999, &[above]).expect(404);
}

#[test]
fn a_term_stays_that_is_used_by_what_the_actor_may_not_change() {
    let server = TestServer::start();
    server.introduce(INDEXER);
    let [kept, merged] = ["Maps", "Map"].map(|name| server.create_term("subject", name));
    let nid = about(&server, "Atlas", &[merged]);
    let batch = merge(&server, INDEXER, kept, &[merged]);
    assert_eq!(batch["refused"], 2, "the item and the term: {batch}");
    assert_eq!(
        ids(&server, &format!("/node/{nid}"), "field_subject"),
        [merged]
    );
    let models = ["Image", "Video"].map(|name| server.term("islandora_models", name));
    preview(&server, INDEXER, models[0], &[models[1]]).expect(403);
}

#[test]
fn what_the_actor_may_not_view_is_not_told() {
    let server = TestServer::start();
    server.introduce(INDEXER);
    let [kept, merged] = ["Maps", "Map"].map(|name| server.create_term("subject", name));
    let hidden = json!({"status": [{"value": false}], "field_subject": [{"target_id": merged}]});
    server.create_object_with("Secret", hidden);
    let found = preview(&server, INDEXER, kept, &[merged]).expect(200);
    assert!(!found.text().contains("Secret"));
    assert_eq!(found.json()["fields"], json!({"field_alternate_name": 1}));
    let batch = merge(&server, INDEXER, kept, &[merged]);
    assert_eq!((&batch["total"], &batch["refused"]), (&json!(2), &json!(0)));
}
