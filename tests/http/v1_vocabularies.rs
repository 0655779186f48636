//! `/api/v1/vocabularies/{vocabulary}/…`: terms that nothing uses, and terms with similar names.

use serde_json::{Value, json};

use crate::support::{ADMIN, PLAIN, Person, TestServer};

/// The names of unused terms, page by page.
#[track_caller]
fn unused(server: &TestServer, person: Person, vocabulary: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut next = String::new();
    loop {
        let path = format!("/api/v1/vocabularies/{vocabulary}/unused?limit=2{next}");
        let page = server
            .get(&path)
            .signed_in(person)
            .send()
            .expect(200)
            .json();
        let terms = page["terms"].as_array().expect("terms");
        names.extend(
            terms
                .iter()
                .map(|term| term["name"].as_str().unwrap_or_default().to_owned()),
        );
        match page["next"].as_str() {
            Some(cursor) => next = format!("&after={cursor}"),
            None => return names,
        }
    }
}

fn groups(page: &Value) -> Vec<Vec<&str>> {
    let groups = page["groups"].as_array().into_iter().flatten();
    let named = groups.map(|group| {
        let terms = group["terms"].as_array().into_iter().flatten();
        terms
            .map(|term| term["name"].as_str().unwrap_or_default())
            .collect()
    });
    named.collect()
}

#[test]
fn terms_are_listed_that_nothing_uses() {
    let server = TestServer::start();
    let [above, used] = ["Above", "Used"].map(|name| server.create_term("subject", name));
    for name in ["Beta", "alpha", "Gamma"] {
        server.create_term("subject", name);
    }
    server.create_term_with("subject", "Zeta", json!({"parent": [{"target_id": above}]}));
    let nid = server.create_object_with("Item", json!({"field_subject": [{"target_id": used}]}));
    assert_eq!(
        unused(&server, ADMIN, "subject"),
        ["alpha", "Beta", "Gamma", "Zeta"]
    );
    server
        .delete(&format!("/api/v1/items/{nid}"))
        .as_admin()
        .send()
        .expect(200);
    assert!(unused(&server, ADMIN, "subject").contains(&"Used".to_owned()));
}

#[test]
fn a_use_that_the_viewer_may_not_see_is_not_told() {
    let server = TestServer::start();
    let used = server.create_term("subject", "Used in secret");
    let hidden = json!({"status": [{"value": false}], "field_subject": [{"target_id": used}]});
    server.create_object_with("Secret", hidden);
    let names = ["Used in secret".to_owned()];
    assert_eq!(unused(&server, PLAIN, "subject"), names);
    assert!(unused(&server, ADMIN, "subject").is_empty());
}

#[test]
fn similar_names_are_grouped_as_far_as_the_viewer_may_see_them() {
    let server = TestServer::start();
    for name in [
        "Zürich",
        "Mercator, Gerhard",
        "Atlas",
        "Zurich",
        "Gerhard Merkator",
    ] {
        server.create_term("subject", name);
    }
    let hidden = json!({"status": [{"value": false}]});
    server.create_term_with("subject", "atlas", hidden);
    let path = "/api/v1/vocabularies/subject/similar";
    let found = server.get(path).as_admin().send().expect(200).json();
    let mercator = vec!["Gerhard Merkator", "Mercator, Gerhard"];
    let zurich = vec!["Zurich", "Zürich"];
    assert_eq!(
        groups(&found),
        [vec!["Atlas", "atlas"], mercator.clone(), zurich.clone()]
    );
    let theirs = server.get(path).signed_in(PLAIN).send().expect(200).json();
    assert_eq!(groups(&theirs), [mercator, zurich.clone()]);
    let last = server
        .get(&format!("{path}?limit=2&after=2"))
        .as_admin()
        .send();
    let last = last.expect(200).json();
    assert_eq!((groups(&last), &last["next"]), (vec![zurich], &Value::Null));
}

#[test]
fn a_vocabulary_that_is_not_there_is_told() {
    let server = TestServer::shared();
    for list in ["unused", "similar"] {
        let path = format!("/api/v1/vocabularies/nothing/{list}");
        server.get(&path).as_admin().send().expect(404);
        let path = format!("/api/v1/vocabularies/tags/{list}?after=here");
        server.get(&path).as_admin().send().expect(400);
    }
}
