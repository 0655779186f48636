//! `/api/v1/vocabularies/{vocabulary}/import`: terms that a table or a graph of SKOS makes and changes.

use serde_json::{Value, json};

use crate::support::{ADMIN, DEPOSITOR, Person, TestServer, outcome};

const SUBJECTS: &str = "/api/v1/vocabularies/subject";

/// May make and change subjects.
const INDEXER: Person = Person {
    uid: 4,
    name: "indexer",
    password: "an indexer's password",
    permissions: &[
        "create terms in subject",
        "edit terms in subject",
        "delete terms in subject",
    ],
};

/// What an import would do.
#[track_caller]
fn check(server: &TestServer, person: Person, name: &str, file: impl Into<Vec<u8>>) -> Value {
    let path = format!("{SUBJECTS}/import?check=true&name={name}");
    let request = server.post(&path).signed_in(person).body("text/csv", file);
    request.send().expect(200).json()
}

/// Imports a file, and waits until that has ended.
#[track_caller]
fn import(server: &TestServer, name: &str, file: impl Into<Vec<u8>>) -> Value {
    let path = format!("{SUBJECTS}/import?name={name}");
    let request = server.post(&path).as_admin().body("text/csv", file);
    server.batch_ended(&request.send().expect(202).json())
}

#[track_caller]
fn refused(server: &TestServer, name: &str, file: impl Into<Vec<u8>>) -> String {
    let path = format!("{SUBJECTS}/import?name={name}");
    let request = server.post(&path).as_admin().body("text/csv", file);
    let answer = request.send().expect(422).json();
    answer["message"].as_str().unwrap_or_default().to_owned()
}

fn counts(check: &Value) -> [Option<u64>; 3] {
    ["creates", "updates", "unchanged"].map(|name| check[name].as_u64())
}

fn exported(server: &TestServer, format: &str) -> String {
    let path = format!("{SUBJECTS}/export?format={format}");
    server.get(&path).as_admin().send().expect(200).text()
}

/// The only subject of a name.
#[track_caller]
fn subject(server: &TestServer, name: &str) -> Value {
    let path = format!(
        "/term_from_term_name?_format=json&vocab=subject&name={}",
        name.replace(' ', "+")
    );
    let found = server.get(&path).as_admin().send().expect(200).json();
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    found[0].clone()
}

#[track_caller]
fn parent_of(server: &TestServer, name: &str) -> Value {
    subject(server, name)["parent"][0]["target_id"].clone()
}

fn number(server: &TestServer) -> usize {
    exported(server, "csv").lines().count() - 1
}

#[test]
fn a_list_of_names_becomes_terms_and_one_undo_takes_them_back() {
    let server = TestServer::start();
    server.create_term("subject", "Maps");
    let table = "name;parent\nSea charts;Charts\nMaps;\nCharts;Maps\n";
    let seen = check(&server, ADMIN, "list.csv", table);
    assert_eq!(counts(&seen), [Some(2), Some(0), Some(1)], "{seen}");
    assert_eq!(number(&server), 1, "a check writes nothing");
    let batch = import(&server, "list.csv", table);
    assert_eq!(outcome(&batch), [Some(2), Some(0)], "{batch}");
    assert_eq!(batch["change"]["act"], "import_terms");
    assert_eq!(
        parent_of(&server, "Sea charts"),
        subject(&server, "Charts")["tid"][0]["value"]
    );
    assert_eq!(
        parent_of(&server, "Charts"),
        subject(&server, "Maps")["tid"][0]["value"]
    );
    let again = check(&server, ADMIN, "list.csv", table);
    assert_eq!(counts(&again), [Some(0), Some(0), Some(3)], "{again}");
    let undo = server.undo_batch(&batch);
    assert_eq!(outcome(&undo), [Some(2), Some(0)], "{undo}");
    assert_eq!(number(&server), 1);
    assert_eq!(
        subject(&server, "Maps")["parent"][0]["target_id"],
        Value::Null
    );
}

#[test]
fn an_exported_vocabulary_comes_back_as_it_was_in_each_format() {
    let server = TestServer::start();
    let link = json!([{"uri": "http://id.loc.gov/1", "title": "Maps", "source": "lcsh"}]);
    let maps = server.create_term_with(
        "subject",
        "Maps",
        json!({
        "field_authority_link": link, "weight": [{"value": 3}],
        "description": [{"value": "<p>On “paper”</p>", "format": "basic_html"}]}),
    );
    server.create_term_with(
        "subject",
        "=Sea | charts",
        json!({"parent": [{"target_id": maps}]}),
    );
    for (format, name) in [
        ("csv", "a.csv"),
        ("turtle", "a.ttl"),
        ("jsonld", "a.jsonld"),
    ] {
        let file = exported(&server, format);
        let seen = check(&server, ADMIN, name, file.clone());
        assert_eq!(counts(&seen), [Some(0), Some(0), Some(2)], "{seen}");
        let other = TestServer::start_apart();
        let batch = import(&other, name, file);
        assert_eq!(outcome(&batch), [Some(2), Some(0)], "{batch}");
        let same = exported(&server, "turtle").replace(&server.base(), "");
        assert_eq!(
            exported(&other, "turtle").replace(&other.base(), ""),
            same,
            "{format}"
        );
    }
}

#[test]
fn only_what_differs_is_changed() {
    let server = TestServer::start();
    let link = json!([{"uri": "http://id.loc.gov/1", "source": "lcsh"}]);
    server.create_term_with("subject", "Map", json!({ "field_authority_link": link }));
    server.create_term("subject", "Charts");
    let table =
        "name,uri,parent,description\nMaps,http://id.loc.gov/1,Charts,On paper\nCharts,,,\n";
    let seen = check(&server, ADMIN, "a.csv", table);
    assert_eq!(counts(&seen), [Some(0), Some(1), Some(1)], "{seen}");
    let columns: Vec<_> = seen["changes"]
        .as_array()
        .expect("changes")
        .iter()
        .map(|one| one["column"].clone())
        .collect();
    assert_eq!(columns, ["name", "description", "parent"]);
    let batch = import(&server, "a.csv", table);
    assert_eq!(outcome(&batch), [Some(1), Some(0)], "{batch}");
    let maps = subject(&server, "Maps");
    assert_eq!(maps["field_authority_link"][0]["source"], "lcsh");
    assert_eq!(maps["description"][0]["value"], "On paper");
    server.undo_batch(&batch);
    assert_eq!(
        subject(&server, "Map")["parent"][0]["target_id"],
        Value::Null
    );
}

#[test]
fn a_thesaurus_of_others_keeps_its_addresses_and_its_labels() {
    let server = TestServer::start();
    let graph = r#"@prefix s: <http://www.w3.org/2004/02/skos/core#> . @base <http://example.org/> .
        <scheme> a s:ConceptScheme ; s:prefLabel "All" .
        <2> a s:Concept ; s:prefLabel "Karten"@de, "Maps"@en ; s:altLabel "Mappae" ; s:broader <1> .
        <1> s:prefLabel "Works"@en ; s:narrower <3> ; s:scopeNote "Of hands" . <3> s:prefLabel "Prints" ."#;
    let batch = import(&server, "a.ttl", graph);
    assert_eq!(outcome(&batch), [Some(3), Some(0)], "{batch}");
    let maps = subject(&server, "Maps");
    assert_eq!(
        maps["field_authority_link"][0]["uri"],
        "http://example.org/2"
    );
    let works = subject(&server, "Works")["tid"][0]["value"].clone();
    assert_eq!(
        [parent_of(&server, "Maps"), parent_of(&server, "Prints")],
        [works.clone(), works]
    );
    let expanded = json!([{"@id": "http://example.org/2", "http://www.w3.org/2004/02/skos/core#prefLabel": [{"@value": "Charts"}]}]);
    let seen = check(&server, ADMIN, "a.json", expanded.to_string());
    assert_eq!(counts(&seen), [Some(0), Some(1), Some(0)], "{seen}");
}

#[test]
fn every_problem_is_told_and_nothing_is_written() {
    let server = TestServer::start();
    server.create_term("subject", "Maps");
    let table = "name,parent,weight,uuid,uri\n,,,,\nA,Nowhere,x,,\nB,C,,,\nC,B,,,\nD,,,,no address\nD,,,,\nE,,,k,\nF,,,k,\n";
    let seen = check(&server, ADMIN, "a.csv", table);
    let problems = seen["problems"].as_array().expect("problems");
    let told: Vec<String> = problems
        .iter()
        .map(|one| format!("{} {}", one["row"], one["column"]))
        .collect();
    assert_eq!(
        told,
        [
            "3 \"weight\"",
            "3 \"parent\"",
            "5 \"parent\"",
            "6 \"uri\"",
            "6 \"uri\"",
            "7 \"name\"",
            "9 \"uuid\""
        ],
        "{seen}"
    );
    let words = refused(&server, "a.csv", table);
    assert!(
        words.starts_with("The file has 7 problems. The first one is in row 3"),
        "{words}"
    );
    let words = refused(&server, "a.csv", "nam,parent\nA,\n");
    assert!(words.contains("There is no such column."), "{words}");
    assert_eq!(number(&server), 1);
}

#[test]
fn a_term_is_never_put_below_itself() {
    let server = TestServer::start();
    let top = server.create_term("subject", "Top");
    let middle =
        server.create_term_with("subject", "Middle", json!({"parent": [{"target_id": top}]}));
    server.create_term_with("subject", "Low", json!({"parent": [{"target_id": middle}]}));
    let uuid = |name| {
        let uuid = subject(&server, name)["uuid"][0]["value"].clone();
        uuid.as_str().unwrap_or_default().to_owned()
    };
    let [first, second, third] = ["Top", "Middle", "Low"].map(uuid);
    let table = format!("uuid,name,parent\n{first},Top,Low\n");
    let seen = check(&server, ADMIN, "a.csv", table.clone());
    assert_eq!(
        seen["problems"][0]["reason"], "The terms above it lead back to itself.",
        "{seen}"
    );
    let body = json!({"vid": [{"target_id": "subject"}], "parent": [{"target_id": middle}]});
    let path = format!("/taxonomy/term/{top}?_format=json");
    let answer = server
        .patch(&path)
        .as_admin()
        .json(body)
        .send()
        .expect(422)
        .text();
    assert!(answer.contains("cannot be below itself"), "{answer}");
    // Turned around, it is none.
    let table = format!("{table}{second},Middle,\n{third},Low,Middle\n");
    let batch = import(&server, "a.csv", table);
    assert_eq!(outcome(&batch), [Some(2), Some(0)], "{batch}");
    assert_eq!(parent_of(&server, "Middle"), Value::Null);
}

#[test]
fn what_no_vocabulary_can_be_is_refused_in_words() {
    let server = TestServer::start();
    let deep = "[".repeat(100_000);
    let long = format!(
        "@prefix a: <http://{}> . a:b a:c a:d .",
        "a".repeat(100_000)
    );
    let wrong = "<a> <http://www.w3.org/2004/02/skos/core#prefLabel> <b> ; a <http://www.w3.org/2004/02/skos/core#Concept> .";
    let remote = r#"{"@context": "http://127.0.0.1:1/context.jsonld", "@id": "a:b"}"#;
    let expected: [(&str, Vec<u8>, &str); 11] = [
        ("a.json", deep.clone().into(), "more than 100 objects"),
        ("a.ttl", "( ".repeat(100_000).into(), "cannot be read"),
        ("a.ttl", long.into(), "more than 2000 bytes"),
        ("a.ttl", vec![0xff, 0xfe, 0x00], "cannot be read"),
        ("a.csv", b"name\n\xff\xfe\n".to_vec(), "not in UTF-8"),
        ("a.json", remote.into(), "Write the context into the file"),
        ("a.json", b"{}".to_vec(), "no concept"),
        ("a.ttl", wrong.into(), "A concept cannot have this"),
        ("a.rdf", b"<rdf/>".to_vec(), "does not end in"),
        ("a.csv", b"name\n".to_vec(), "no row"),
        (
            "a.csv",
            format!("name\n{}", "a\n".repeat(100_001)).into(),
            "at most 100000 terms",
        ),
    ];
    for (name, file, words) in expected {
        let told = refused(&server, name, file);
        assert!(told.contains(words), "{name}: {told}");
    }
    let path = "/api/v1/vocabularies/nothing/import";
    server
        .post(path)
        .as_admin()
        .body("text/csv", "name\nA\n")
        .send()
        .expect(404);
}

#[test]
fn whoever_may_make_no_terms_is_told_so_before() {
    let server = TestServer::start();
    server.introduce(INDEXER);
    let seen = check(&server, DEPOSITOR, "a.csv", "name\nMaps\n");
    assert_eq!(seen["problems"].as_array().map(Vec::len), Some(1), "{seen}");
    let seen = check(&server, INDEXER, "a.csv", "name\nMaps\n");
    assert_eq!(counts(&seen), [Some(1), Some(0), Some(0)], "{seen}");
    server
        .post(&format!("{SUBJECTS}/import"))
        .body("text/csv", "name\nA\n")
        .send()
        .expect(401);
}
