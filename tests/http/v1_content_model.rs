//! `/api/v1/content-model/definition`: fields, types and vocabularies that administrators change while everybody works.

use serde_json::{Value, json};

use crate::support::{Response, TestServer};

const PATH: &str = "/api/v1/content-model/definition";

fn definition(server: &TestServer) -> Value {
    server.get(PATH).as_admin().send().expect(200).json()
}

/// Replaces the model; the answer.
fn put(server: &TestServer, model: &Value) -> Response {
    server.put(PATH).as_admin().json(model.clone()).send()
}

fn check(server: &TestServer, model: &Value) -> Response {
    let path = format!("{PATH}?check=true");
    server.put(&path).as_admin().json(model.clone()).send()
}

/// A bundle of a model.
fn bundle<'m>(model: &'m mut Value, id: &str) -> &'m mut Value {
    let bundles = model["bundles"].as_array_mut().expect("bundles");
    let mut found = bundles.iter_mut().filter(|bundle| bundle["id"] == id);
    found.next().expect("a bundle")
}

fn fields<'m>(model: &'m mut Value, id: &str) -> &'m mut Vec<Value> {
    bundle(model, id)["fields"].as_array_mut().expect("fields")
}

fn field<'m>(model: &'m mut Value, id: &str, name: &str) -> &'m mut Value {
    let mut found = fields(model, id)
        .iter_mut()
        .filter(|field| field["name"] == name);
    found.next().expect("a field")
}

/// Takes a field out of items.
fn remove(model: &mut Value, name: &str) {
    fields(model, "islandora_object").retain(|field| field["name"] != name);
}

/// A field that items get.
fn with_material(server: &TestServer) -> Value {
    let mut model = definition(server);
    fields(&mut model, "islandora_object").insert(3, material());
    model
}

fn material() -> Value {
    json!({"name": "field_material", "label": "Material", "type": "string", "max_length": 255, "cardinality": -1,
        "description": "What it is made of", "group": "Object", "facet": "material", "predicates": ["dcterms:medium"]})
}

fn effect(field: &str, change: &str, resources: u64) -> Value {
    json!({"kind": "node", "bundle": "islandora_object", "field": field, "change": change, "resources": resources})
}

#[test]
fn a_new_field_is_in_forms_answers_configuration_and_searches_at_once() {
    let server = TestServer::start();
    server.until_searchable();
    server.create_object("An older item");
    let model = with_material(&server);
    let asked = check(&server, &model).expect(200).json();
    let added = json!({"changed": true, "effects": [effect("field_material", "field_added", 0)]});
    assert_eq!(asked, added);
    assert_eq!(put(&server, &model).expect(200).json(), added);
    let form = server
        .get("/api/v1/content-model")
        .send()
        .expect(200)
        .json();
    let form = &form["node_types"]["islandora_object"]["fields"];
    let shown = form
        .as_array()
        .expect("fields")
        .iter()
        .find(|field| field["name"] == "field_material");
    let shown = shown.expect("the new field");
    assert_eq!(
        [&shown["description"], &shown["group"], &shown["facet"]],
        ["What it is made of", "Object", "material"]
    );
    let nid = server.create_object_with("A vase", json!({"field_material": [{"value": "clay"}]}));
    assert_eq!(
        server.node(nid)["field_material"],
        json!([{"value": "clay"}])
    );
    let jsonld = server
        .get(&format!("/node/{nid}?_format=jsonld"))
        .as_admin()
        .send();
    assert!(
        jsonld
            .expect(200)
            .json()
            .to_string()
            .contains("http://purl.org/dc/terms/medium")
    );
    let path = "/entity/field_config/node.islandora_object.field_material?_format=json";
    let configured = server.get(path).as_admin().send().expect(200).json();
    assert_eq!(configured["label"], "Material");
    server.until_searchable();
    let found = "/api/v1/items?chosen=material:clay";
    let list = server.get(found).as_admin().send().expect(200).json();
    assert_eq!(list["total"], 1, "{list}");
    let table = server
        .get("/api/v1/export")
        .as_admin()
        .send()
        .expect(200)
        .text();
    assert!(
        table
            .lines()
            .next()
            .is_some_and(|heading| heading.contains("field_material"))
    );
}

#[test]
fn values_of_a_removed_field_come_back_with_it() {
    let server = TestServer::start();
    let before = with_material(&server);
    put(&server, &before).expect(200);
    let clay = json!({"field_material": [{"value": "clay"}]});
    let nid = server.create_object_with("A vase", clay.clone());
    let mut without = definition(&server);
    remove(&mut without, "field_material");
    let effects = json!([effect("field_material", "field_removed", 1)]);
    assert_eq!(
        check(&server, &without).expect(200).json()["effects"],
        effects
    );
    put(&server, &without).expect(200);
    assert_eq!(server.node(nid)["field_material"], Value::Null);
    let body = server.object("A jug");
    let body = crate::support::merge(body, clay);
    server
        .post("/node")
        .as_admin()
        .json(body)
        .send()
        .expect_refusal();
    let change =
        json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "A tall vase"}]});
    let path = format!("/node/{nid}?_format=json");
    server
        .patch(&path)
        .as_admin()
        .json(change)
        .send()
        .expect(200);
    let kept = definition(&server);
    let mut kept = kept.clone();
    let removed = &bundle(&mut kept, "islandora_object")["removed_fields"];
    assert_eq!(removed[0]["name"], "field_material");
    let effects = json!([effect("field_material", "field_returned", 1)]);
    assert_eq!(put(&server, &before).expect(200).json()["effects"], effects);
    assert_eq!(
        server.node(nid)["field_material"],
        json!([{"value": "clay"}])
    );
}

#[test]
fn what_a_narrower_field_concerns_is_counted() {
    let server = TestServer::start();
    put(&server, &with_material(&server)).expect(200);
    let two = json!({"field_material": [{"value": "clay"}, {"value": "terracotta"}]});
    server.create_object_with("A vase", two);
    server.create_object("Without");
    let subject = server.create_term("subject", "Vases");
    server.create_object_with(
        "Of a subject",
        json!({"field_subject": [{"target_id": subject}]}),
    );
    let mut model = definition(&server);
    let material = field(&mut model, "islandora_object", "field_material");
    material["required"] = true.into();
    material["cardinality"] = 1.into();
    material["max_length"] = 5.into();
    field(&mut model, "islandora_object", "field_subject")["target_bundles"] = json!(["genre"]);
    let effects = check(&server, &model).expect(200).json()["effects"].clone();
    let expected = [
        effect("field_material", "now_required", 2),
        effect("field_material", "fewer_values", 1),
        effect("field_material", "shorter", 1),
        effect("field_subject", "fewer_targets", 1),
    ];
    for one in &expected {
        assert!(
            effects.as_array().is_some_and(|all| all.contains(one)),
            "{one}: {effects}"
        );
    }
}

#[test]
fn a_new_vocabulary_is_open_to_the_roles_that_may_fill_all_others() {
    let server = TestServer::start();
    let mut model = definition(&server);
    let vocabulary =
        json!({"kind": "taxonomy_term", "id": "materials", "label": "Materials", "fields": []});
    model["bundles"]
        .as_array_mut()
        .expect("bundles")
        .push(vocabulary);
    let reference = json!({"name": "field_made_of", "label": "Made of", "type": "entity_reference",
        "target_type": "taxonomy_term", "target_bundles": ["materials"], "auto_create": true});
    fields(&mut model, "islandora_object").push(reference);
    put(&server, &model).expect(200);
    let clay = server.create_term("materials", "Clay");
    let nid = server.create_object_with("A vase", json!({"field_made_of": [{"target_id": clay}]}));
    assert_eq!(server.node(nid)["field_made_of"][0]["target_id"], clay);
    let path = "/entity/taxonomy_vocabulary/materials?_format=json";
    server.get(path).as_admin().send().expect(200);
    let mut without = definition(&server);
    let bundles = without["bundles"].as_array_mut().expect("bundles");
    bundles.retain(|bundle| bundle["id"] != "materials");
    fields(&mut without, "islandora_object").retain(|field| field["name"] != "field_made_of");
    let refused = put(&server, &without).expect(409).message();
    assert!(
        refused.starts_with("Materials cannot be removed: 1 "),
        "{refused}"
    );
}

#[test]
fn a_model_that_breaks_rules_is_refused_with_the_place() {
    let server = TestServer::start();
    let broken = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut model = with_material(&server);
        change(&mut model);
        let refusal = put(&server, &model).expect(422).json();
        let place = &refusal["violations"][0]["field"];
        assert_eq!(place, &format!("node.islandora_object.{name}"), "{refusal}");
    };
    let material = |key: &'static str, value: Value| {
        move |model: &mut Value| {
            field(model, "islandora_object", "field_material")[key] = value.clone();
        }
    };
    broken("Field Material", &material("name", "Field Material".into()));
    broken("title", &material("name", "title".into()));
    broken("field_material", &material("type", "comment".into()));
    broken("field_material", &material("type", "nothing".into()));
    broken("field_material", &material("label", " ".into()));
    broken("field_material", &material("cardinality", (-2).into()));
    broken("field_material", &material("max_length", 10_001.into()));
    broken(
        "field_material",
        &material("predicates", json!(["nobody:knows"])),
    );
    broken("field_material", &material("facet", "collection".into()));
    broken("field_material", &material("facet", "subject".into()));
    broken("field_material", &material("type", "list_string".into()));
    broken(
        "field_material",
        &material("type", "entity_reference".into()),
    );
    broken(
        "field_material",
        &material("default", json!([{"value": 7}, {"value": "x".repeat(256)}])),
    );
    broken("field_model", &|model| remove(model, "field_model"));
    broken("field_subject", &|model| {
        field(model, "islandora_object", "field_subject")["type"] = "string".into();
    });
    broken("field_subject", &|model| {
        field(model, "islandora_object", "field_subject")["target_bundles"] = json!(["nowhere"]);
    });
    for body in [
        json!({}),
        json!({"bundles": [7]}),
        json!({"bundles": [{"kind": "user"}]}),
    ] {
        put(&server, &body).expect(422);
    }
}

#[test]
fn only_administrators_change_it_and_only_what_they_have_read() {
    let server = TestServer::start();
    let read = server.get(PATH).as_admin().send().expect(200);
    let etag = read.etag().to_owned();
    server.get(PATH).send().expect(401);
    server.get(PATH).as_plain().send().expect(403);
    let model = with_material(&server);
    server
        .put(PATH)
        .as_plain()
        .json(model.clone())
        .send()
        .expect(403);
    let with_tag = |model: &Value| {
        let request = server
            .put(PATH)
            .as_admin()
            .header("If-Match", etag.as_str());
        request.json(model.clone()).send()
    };
    let changed = with_tag(&model).expect(200);
    assert_ne!(changed.etag(), etag);
    with_tag(&read.json()).expect(412);
    let same = put(&server, &definition(&server)).expect(200).json();
    assert_eq!(same, json!({"changed": false, "effects": []}));
    let mut more = definition(&server);
    more["namespaces"]["local"] = "https://example.org/terms/".into();
    let changed = put(&server, &more).expect(200).json();
    assert_eq!(changed, json!({"changed": true, "effects": []}));
}
