//! `/openapi.json`: the document is whole, and the one that the user interface was built from.

use serde_json::Value;

use crate::support::TestServer;

fn document(server: &TestServer) -> Value {
    server.get("/openapi.json").send().expect(200).json()
}

#[test]
fn the_user_interface_knows_this_very_interface() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/openapi.json");
    let kept: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("ui/openapi.json is there"))
            .expect("it is JSON");
    let served = document(TestServer::shared());
    assert!(
        kept == served,
        "ui/openapi.json is not what the server says now: write it anew and run the generator of the types"
    );
}

#[test]
fn every_reference_has_its_schema() {
    let document = document(TestServer::shared());
    assert!(
        document["openapi"]
            .as_str()
            .is_some_and(|version| version.starts_with("3."))
    );
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap_or_default();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
}

#[test]
fn every_documented_path_is_served() {
    let server = TestServer::shared();
    let nid = server.create_object("Documented");
    let mid = server.upload_image(nid, "public://openapi/a.png");
    let document = document(server);
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.keys().any(|path| path.starts_with("/api/v1/")));
    for (path, methods) in paths {
        let Some(get) = methods.get("get") else {
            continue;
        };
        let filled = fill(path, nid, mid);
        if filled.contains("/events") {
            continue;
        }
        let query = required_query(get);
        let answer = server.get(&format!("{filled}{query}")).as_admin().send();
        assert!(
            answer.status != 404 && answer.status < 500,
            "{path}: {} {}",
            answer.status,
            answer.text()
        );
    }
}

fn fill(path: &str, nid: i64, mid: i64) -> String {
    let id = if path.starts_with("/media") || path.contains("/media/{") {
        mid
    } else {
        nid
    };
    path.split('/')
        .map(|part| {
            if part.starts_with('{') {
                id.to_string()
            } else {
                part.to_owned()
            }
        })
        .collect::<Vec<_>>()
        .join("/")
}

fn required_query(operation: &Value) -> String {
    let parameters = operation["parameters"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let names: Vec<String> = parameters
        .iter()
        .filter(|parameter| parameter["in"] == "query" && parameter["required"] == true)
        .map(|parameter| format!("{}=root", parameter["name"].as_str().unwrap_or_default()))
        .collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("?{}", names.join("&"))
    }
}
