//! `/openapi.json`: what it says of parameters, answers and signing in is what the server does.

use serde_json::{Value, json};

use crate::openapi::{Ids, document, required_query};
use crate::support::TestServer;

const METHODS: [&str; 6] = ["get", "head", "post", "put", "patch", "delete"];

/// Calls with every operation: its method, its path and what the document says of it.
fn each_operation(document: &Value, mut call: impl FnMut(&str, &str, &Value)) {
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in METHODS {
            if let Some(operation) = item.get(method) {
                call(method, path, operation);
            }
        }
    }
}

/// Where something is named and nothing said of it.
fn empty_places(value: &Value, at: &str, found: &mut Vec<String>) {
    let named = ["schema", "description", "summary", "enum", "content", "*/*"];
    let is_empty = [json!({}), json!([]), json!(""), json!(null)].contains(value);
    if is_empty && named.iter().any(|name| at.ends_with(&format!("/{name}"))) {
        found.push(at.to_owned());
    }
    match value {
        Value::Object(members) => members
            .iter()
            .for_each(|(name, value)| empty_places(value, &format!("{at}/{name}"), found)),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(index, value)| empty_places(value, &format!("{at}/{index}"), found)),
        _ => {}
    }
}

#[test]
fn nothing_is_named_and_left_unsaid() {
    let mut found = Vec::new();
    empty_places(&document(TestServer::shared()), "", &mut found);
    assert!(found.is_empty(), "{found:#?}");
}

/// A schema, behind its name where it has one.
fn schema<'d>(document: &'d Value, parameter: &'d Value) -> &'d Value {
    let schema = &parameter["schema"];
    match schema["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).expect("a schema"),
        None => schema,
    }
}

/// Values that a schema has, and values that it has not.
fn samples(schema: &Value) -> (Vec<String>, Vec<String>) {
    if let Some(words) = schema["enum"].as_array() {
        let words = words.iter().map(|word| word.as_str().expect("a word"));
        return (
            words.map(str::to_owned).collect(),
            vec!["nothing_of_that".into()],
        );
    }
    if schema["type"] == "integer" {
        let number = |bound: &str| schema[bound].as_i64();
        let below = number("minimum").map(|least| (least - 1).to_string());
        let above = number("maximum").map(|most| (most + 1).to_string());
        let wrong = ["many", "1.5", "%2B5", ""].map(str::to_owned);
        return (
            number("maximum")
                .map(|most| most.to_string())
                .into_iter()
                .collect(),
            below.into_iter().chain(above).chain(wrong).collect(),
        );
    }
    match schema["format"].as_str() {
        Some("date-time") => (
            vec!["2026-11-22T09:30:00Z".into()],
            vec!["yesterday".into(), String::new()],
        ),
        _ => (Vec::new(), Vec::new()),
    }
}

#[test]
fn a_query_is_taken_as_the_document_says_and_refused_otherwise() {
    let server = TestServer::shared();
    let (document, ids) = (document(server), Ids::new(server));
    let mut tried = 0;
    each_operation(&document, |method, path, operation| {
        if method != "get" || path.ends_with("/events") {
            return;
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            if parameter["in"] != "query" {
                continue;
            }
            let name = parameter["name"].as_str().expect("a name");
            let needed = required_query(operation).replace("root", "1");
            let beginning = match needed.as_str() {
                needed if needed.is_empty() || needed.contains(name) => "?".to_owned(),
                needed => format!("{needed}&"),
            };
            let status = |value: &str| {
                let address = format!("{}{beginning}{name}={value}", ids.fill(path));
                (server.get(&address).as_admin().send().status, address)
            };
            let (right, wrong) = samples(schema(&document, parameter));
            tried += right.len() + wrong.len();
            for value in right {
                let (status, address) = status(&value);
                assert!(![400, 406, 422].contains(&status), "{address}: {status}");
            }
            for value in wrong {
                let (status, address) = status(&value);
                assert!([400, 406].contains(&status), "{address}: {status}");
            }
        }
    });
    assert!(tried > 100, "only {tried}");
}

#[test]
fn who_has_not_signed_in_gets_nothing_where_the_document_says_so() {
    let server = TestServer::shared();
    let (document, ids) = (document(server), Ids::new(server));
    let anybody = json!({});
    assert!(
        document["security"]
            .as_array()
            .expect("ways")
            .contains(&anybody)
    );
    let mut tried = 0;
    each_operation(&document, |method, path, operation| {
        let Some(ways) = operation["security"].as_array() else {
            return;
        };
        assert!(!ways.contains(&anybody), "{method} {path}");
        let path = format!("{}{}", ids.fill(path), required_query(operation));
        let request = server.request(&method.to_uppercase(), &path);
        assert_eq!(request.send().status, 401, "{method} {path}");
        tried += 1;
    });
    assert!(tried > 30, "only {tried}");
}

#[test]
fn a_list_of_values_is_no_object() {
    let server = TestServer::shared();
    let node = server.create_object("No list");
    let vid = server.node(node)["vid"][0]["value"].to_string();
    let revert = format!("/api/v1/items/{node}/revisions/{vid}/revert");
    for (method, path, body) in [
        ("PATCH", "/api/v1/server", json!([[false]])),
        ("PATCH", "/api/v1/server", json!({"lan": [false]})),
        ("POST", "/api/v1/backups", json!([null])),
        ("POST", revert.as_str(), json!([null, null])),
        ("POST", "/api/v1/watched-folders", json!(["/nowhere"])),
        (
            "POST",
            "/api/v1/watched-folders/dry-run",
            json!(["/nowhere"]),
        ),
    ] {
        let sent = server.request(method, path).as_admin().json(body.clone());
        let words = sent.send().expect(422).message();
        assert!(
            words.starts_with("The body makes no sense:"),
            "{body}: {words}"
        );
    }
    assert_eq!(server.node(node)["vid"][0]["value"].to_string(), vid);
}
