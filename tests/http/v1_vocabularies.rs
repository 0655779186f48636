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

/// A vocabulary with two terms of which one is above the other, and a hidden one; the UUIDs of the two.
fn places(server: &TestServer) -> [String; 2] {
    let above = server.create_term_with(
        "geo_location",
        "Europe \"old\"",
        json!({"description": [{"value": "A part\nof the world", "format": "plain_text"}]}),
    );
    let below = json!({
        "parent": [{"target_id": above}],
        "field_geo_alt_name": [{"value": "Turicum"}, {"value": "Zurich"}],
        "field_authority_link": [{"uri": "https://sws.geonames.org/2657896", "source": "geonames"}],
    });
    let below = server.create_term_with("geo_location", "Zürich", below);
    let hidden = json!({"status": [{"value": false}]});
    server.create_term_with("geo_location", "Secret", hidden);
    [above, below].map(|tid| {
        let path = format!("/taxonomy/term/{tid}?_format=json");
        let term = server.get(&path).send().expect(200).json();
        term["uuid"][0]["value"]
            .as_str()
            .expect("a UUID")
            .to_owned()
    })
}

#[test]
fn a_vocabulary_leaves_as_a_table() {
    let server = TestServer::start();
    let [europe, zurich] = places(&server);
    let path = "/api/v1/vocabularies/geo_location/export";
    let table = server.get(path).signed_in(PLAIN).send().expect(200);
    let name = table.header("content-disposition").unwrap_or_default();
    assert!(name.contains("geo_location.csv"), "{name}");
    let text = table.text();
    assert!(
        text.starts_with("term_id,uuid,name,alternative_names,description,parent,"),
        "{text}"
    );
    let zurich = format!(
        "{zurich},Zürich,Turicum|Zurich,,\"Europe \"\"old\"\"\",{europe},https://sws.geonames.org/2657896,0\r\n"
    );
    assert!(text.contains(&zurich), "{text}");
    assert!(!text.contains("Secret"), "{text}");
}

#[test]
fn a_vocabulary_leaves_as_skos() {
    let server = TestServer::start();
    let [europe, zurich] = places(&server);
    let path = "/api/v1/vocabularies/geo_location/export?format=turtle";
    let text = server.get(path).as_admin().send().expect(200).text();
    let graph = oxttl::TurtleParser::new().for_slice(text.as_bytes());
    let triples: Vec<String> = graph
        .map(|triple| triple.expect("Turtle").to_string())
        .collect();
    let skos = "http://www.w3.org/2004/02/skos/core#";
    for said in [
        format!("<urn:uuid:{zurich}> <{skos}broader> <urn:uuid:{europe}>"),
        format!("<urn:uuid:{zurich}> <{skos}altLabel> \"Turicum\""),
        format!("<urn:uuid:{zurich}> <{skos}exactMatch> <https://sws.geonames.org/2657896>"),
        format!("<urn:uuid:{europe}> <{skos}prefLabel> \"Europe \\\"old\\\"\""),
        format!("<urn:uuid:{europe}> <{skos}definition> \"A part\\nof the world\""),
    ] {
        assert!(triples.contains(&said), "{said} in {triples:?}");
    }
    server
        .get("/api/v1/vocabularies/nothing/export")
        .send()
        .expect(404);
    server
        .get("/api/v1/vocabularies/tags/export?format=xml")
        .send()
        .expect(400);
}

#[test]
fn a_term_whose_uuid_is_any_text_leaves_as_skos() {
    let server = TestServer::start();
    let term = json!({"vid": [{"target_id": "tags"}], "name": [{"value": "Odd"}], "uuid": [{"value": "a <b> \" c"}]});
    let made = server.post("/taxonomy/term").as_admin().json(term).send();
    let uuid = made.expect(201).json()["uuid"][0]["value"].clone();
    assert_eq!(uuid, "a <b> \" c");
    let path = "/api/v1/vocabularies/tags/export?format=turtle";
    let text = server.get(path).as_admin().send().expect(200).text();
    assert!(text.contains("urn:uuid:a%20%3Cb%3E%20%22%20c"), "{text}");
}

/// The names of the terms directly below a term, and where the next page starts.
fn below(server: &TestServer, query: &str) -> (Vec<String>, Value) {
    let path = format!("/api/v1/vocabularies/subject/tree?{query}");
    let page = server.get(&path).as_admin().send().expect(200).json();
    let terms = page["terms"].as_array().cloned().unwrap_or_default();
    let name = |term: &Value| {
        format!(
            "{}{}",
            term["name"].as_str().unwrap_or_default(),
            if term["has_below"] == true { "/" } else { "" }
        )
    };
    (terms.iter().map(name).collect(), page["next"].clone())
}

#[test]
fn terms_lie_in_a_tree_by_weight_and_name() {
    let server = TestServer::start();
    let term = |name: &str, weight: i64, parents: &[i64]| {
        let parents: Vec<_> = parents
            .iter()
            .map(|tid| json!({"target_id": tid}))
            .collect();
        server.create_term_with(
            "subject",
            name,
            json!({"weight": [{"value": weight}], "parent": parents}),
        )
    };
    let maps = term("maps", 0, &[]);
    let atlases = term("Atlases", 0, &[]);
    term("Works", -1, &[]);
    let charts = term("Charts", 3, &[maps, atlases]);
    term("Plans", 2, &[maps]);
    let (first, next) = below(&server, "limit=2");
    assert_eq!(first, ["Works", "Atlases/"]);
    assert_eq!(
        below(
            &server,
            &format!("limit=2&after={}", next.as_str().unwrap_or_default())
        )
        .0,
        ["maps/"]
    );
    assert_eq!(
        below(&server, &format!("below={maps}")).0,
        ["Plans", "Charts"]
    );
    assert_eq!(below(&server, &format!("below={atlases}")).0, ["Charts"]);
    // What has lost its parents to the trash stands at the top, until they come back.
    let path = format!("/taxonomy/term/{maps}?_format=json");
    server.delete(&path).as_admin().send().expect(204);
    assert_eq!(below(&server, "").0, ["Works", "Atlases/", "Plans"]);
    let path = format!("/api/v1/trash/taxonomy_term/{maps}/restore");
    server.post(&path).as_admin().send().expect(204);
    assert_eq!(below(&server, "").0, ["Works", "Atlases/", "maps/"]);
    let moved = json!({"vid": [{"target_id": "subject"}], "parent": [], "weight": [{"value": -2}]});
    server
        .patch(&format!("/taxonomy/term/{charts}?_format=json"))
        .as_admin()
        .json(moved)
        .send()
        .expect(200);
    assert_eq!(
        below(&server, "").0,
        ["Charts", "Works", "Atlases", "maps/"]
    );
    server
        .get("/api/v1/vocabularies/subject/tree?below=x")
        .send()
        .expect(400);
}
