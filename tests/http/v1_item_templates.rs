//! `/api/v1/collections/{nid}/templates`: field values that a collection keeps for new items.

use serde_json::{Value, json};

use crate::support::{Response, TestServer, merge};

const AMATEUR: &str = "Photographs of an amateur";

fn collection(server: &TestServer, title: &str, fields: Value) -> i64 {
    let model = server.term("islandora_models", "Collection");
    let model = json!({"field_model": [{"target_id": model}]});
    server.create_object_with(title, merge(model, fields))
}

fn inside(nid: i64) -> Value {
    json!({"field_member_of": [{"target_id": nid}]})
}

fn keep(server: &TestServer, nid: i64, name: Option<&str>, values: Value) -> Response {
    server
        .put(&format!("/api/v1/collections/{nid}/templates"))
        .as_admin()
        .json(json!({"name": name, "type": "islandora_object", "values": values}))
        .send()
}

/// Name and first extent of the templates for a collection.
fn kept(server: &TestServer, nid: i64) -> Vec<[Value; 2]> {
    let path = format!("/api/v1/collections/{nid}/templates");
    let list = server.get(&path).as_admin().send().expect(200).json();
    let templates = list["templates"].as_array().expect("a list").iter();
    let facts = |one: &Value| {
        [
            one["name"].clone(),
            one["values"]["field_extent"][0]["value"].clone(),
        ]
    };
    templates.map(facts).collect()
}

/// A new item that asks for defaults, as it is then.
fn filled(server: &TestServer, fields: Value) -> Value {
    let body = merge(server.object("Filled"), fields);
    let request = server.post("/node?_format=json&defaults=true").as_admin();
    server.node(request.json(body).send().expect(201).created())
}

fn extent(value: &str) -> Value {
    json!({"field_extent": [{"value": value}]})
}

#[test]
fn a_new_item_gets_the_defaults_of_the_nearest_collection_where_it_asks_for_them() {
    let server = TestServer::shared();
    let fonds = collection(server, "Fonds", json!({}));
    let series = collection(server, "Series", inside(fonds));
    let hidden = json!({"status": [{"value": false}], "field_description": [{"value": AMATEUR}]});
    keep(server, fonds, None, merge(extent("1 plate"), hidden)).expect(200);
    let item = filled(server, inside(series));
    assert_eq!(item["field_extent"][0]["value"], "1 plate");
    assert_eq!(item["field_description"][0]["value"], AMATEUR);
    assert_eq!(item["status"][0]["value"], false);
    let own = merge(
        inside(series),
        json!({"field_extent": [], "status": [{"value": true}]}),
    );
    let item = filled(server, own);
    assert_eq!(
        (&item["field_extent"], &item["status"][0]["value"]),
        (&json!([]), &json!(true))
    );
    keep(server, series, None, extent("2 prints")).expect(200);
    let item = filled(server, inside(series));
    assert_eq!(item["field_extent"][0]["value"], "2 prints");
    assert_eq!(item["field_description"], json!([]));
    let unasked = server.node(server.create_object_with("Unasked", inside(series)));
    assert_eq!(unasked["field_extent"], json!([]));
}

#[test]
fn neither_collections_nor_pages_of_a_book_get_defaults() {
    let server = TestServer::shared();
    let shelf = collection(server, "Shelf", json!({}));
    keep(server, shelf, None, extent("1 volume")).expect(200);
    let book = filled(server, inside(shelf));
    assert_eq!(book["field_extent"][0]["value"], "1 volume");
    let page = filled(
        server,
        inside(book["nid"][0]["value"].as_i64().expect("a nid")),
    );
    assert_eq!(page["field_extent"], json!([]));
    let model = server.term("islandora_models", "Collection");
    let box_ = json!({"field_model": [{"target_id": model}]});
    let box_ = filled(server, merge(inside(shelf), box_));
    assert_eq!(box_["field_extent"], json!([]));
}

#[test]
fn defaults_never_refer_to_what_is_gone() {
    let server = TestServer::shared();
    let fonds = collection(server, "Fonds", json!({}));
    let [kept, gone] = ["Quays", "Piers"].map(|name| server.create_term("subject", name));
    let subjects = json!({"field_subject": [{"target_id": kept}, {"target_id": gone}]});
    keep(server, fonds, None, subjects).expect(200);
    let path = format!("/taxonomy/term/{gone}");
    server.delete(&path).as_admin().send().expect(204);
    let item = filled(server, inside(fonds));
    let targets: Vec<&Value> = item["field_subject"]
        .as_array()
        .expect("items")
        .iter()
        .collect();
    assert_eq!(targets.len(), 1, "{item}");
    assert_eq!(targets[0]["target_id"], kept);
}

#[test]
fn templates_are_kept_by_name_and_found_from_below() {
    let server = TestServer::shared();
    let fonds = collection(server, "Fonds", json!({}));
    let series = collection(server, "Series", inside(fonds));
    for (nid, name, value) in [
        (fonds, Some("Negative"), "1 negative"),
        (fonds, Some("Print"), "1 print"),
        (fonds, None, "1 sheet"),
        (series, Some("Print"), "2 prints"),
    ] {
        keep(server, nid, name, extent(value)).expect(200);
    }
    let named = |name: &str, value: &str| [json!(name), json!(value)];
    let sheet = [Value::Null, json!("1 sheet")];
    let [own, above] = [named("Print", "2 prints"), named("Negative", "1 negative")];
    assert_eq!(kept(server, series), [own, sheet.clone(), above.clone()]);
    keep(server, fonds, Some("Print"), json!({})).expect(200);
    assert_eq!(kept(server, fonds), [sheet, above]);
    let history = format!("/api/v1/items/{fonds}/revisions");
    let history = server.get(&history).as_admin().send().expect(200).json();
    assert_eq!(history["revisions"][0]["log"], "Template Print");
    assert_eq!(server.node(fonds)["field_extent"], json!([]));
}

#[test]
fn what_is_no_template_is_refused() {
    let server = TestServer::shared();
    let fonds = collection(server, "Fonds", json!({}));
    for values in [
        json!({"title": [{"value": "All alike"}]}),
        json!({"field_member_of": [{"target_id": fonds}]}),
        json!({"field_nothing": []}),
        json!({"field_edtf_date": [{"value": "yesterday"}]}),
        json!({"field_subject": [{"target_id": 999_999}]}),
        json!({"@templates": []}),
    ] {
        keep(server, fonds, None, values).expect(422);
    }
    keep(server, fonds, Some(" "), extent("1")).expect(422);
    keep(server, fonds, Some(&"x".repeat(129)), extent("1")).expect(422);
    keep(server, server.create_object("Item"), None, extent("1")).expect(422);
    keep(server, 999_999, None, extent("1")).expect(404);
    let path = "/node?_format=json&defaults=perhaps";
    let request = server.post(path).as_admin();
    request.json(server.object("Unclear")).send().expect(400);
    let body = merge(server.object("Sneaked in"), json!({"@templates": []}));
    server
        .post("/node")
        .as_admin()
        .json(body)
        .send()
        .expect(422);
    assert!(kept(server, fonds).is_empty());
}
