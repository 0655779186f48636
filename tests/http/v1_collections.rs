//! `/api/v1/collections`: which there are of a title.

use serde_json::{Value, json};

use crate::support::{Request, TestServer, merge};

/// A collection on that server; its id.
fn put(server: &TestServer, title: &str, fields: Value) -> i64 {
    let model = server.term("islandora_models", "Collection");
    let model = json!({"field_model": [{"target_id": model}]});
    server.create_object_with(title, merge(model, fields))
}

fn found(request: Request) -> Vec<i64> {
    let list = request.send().expect(200).json();
    let rows = list["collections"].as_array().expect("rows").iter();
    rows.map(|row| row["nid"].as_i64().expect("a nid"))
        .collect()
}

#[test]
fn collections_of_a_title_are_found_where_they_stand() {
    let server = TestServer::start();
    let top = put(&server, "Sheets", json!({}));
    let above = put(&server, "Shelf", json!({}));
    let member = json!({"field_member_of": [{"target_id": above}]});
    let inside = put(&server, "Sheets", member.clone());
    let hidden = put(&server, "sheets", json!({"status": [{"value": false}]}));
    put(&server, "Sheets, loose", json!({}));
    server.create_object_with("Sheets", member);
    let path = "/api/v1/collections?title=Sheets";
    assert_eq!(found(server.get(path).as_admin()), [top, hidden]);
    assert_eq!(found(server.get(path).as_plain()), [top]);
    let path = format!("{path}&parent={above}");
    assert_eq!(found(server.get(&path).as_plain()), [inside]);
    assert_eq!(
        found(server.get("/api/v1/collections?title=Shelves")),
        [0_i64; 0]
    );
}
