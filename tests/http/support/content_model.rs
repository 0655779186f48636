//! The content model of a new repository, and values for its fields.

use serde_json::{Value, json};

use super::{TestServer, merge};

/// Every bundle of a kind (`node`, `media`, `taxonomy_term`), as the asset says it.
pub fn bundles(kind: &str) -> Vec<Value> {
    let text = include_str!("../../../assets/content-model.json");
    let model: Value = serde_json::from_str(text).expect("the asset is JSON");
    let bundles = model["bundles"].as_array().cloned().unwrap_or_default();
    bundles
        .into_iter()
        .filter(|bundle| bundle["kind"] == kind)
        .collect()
}

/// The fields of a bundle.
pub fn fields(bundle: &Value) -> &[Value] {
    bundle["fields"].as_array().map_or(&[], Vec::as_slice)
}

/// Values that no field may fall over: wrong types, wrong shapes, wrong sizes.
pub fn hostile_values() -> Vec<Value> {
    let wide: Vec<Value> = (0..300).map(|number| json!({"value": number})).collect();
    let mut deep = json!({"value": 1});
    for _ in 0..60 {
        deep = json!([{"value": deep}]);
    }
    [
        "null",
        "true",
        "0",
        "-1",
        "1e308",
        "1e400",
        "18446744073709551616",
        "-0.0",
        "\"\"",
        "\"x\"",
        "{}",
        "[]",
        "[null]",
        "[[]]",
        "[[[]]]",
        "[{}]",
        "[{\"value\":null}]",
        "[{\"value\":[]}]",
        "[{\"value\":{}}]",
        "[{\"value\":true}]",
        "[{\"value\":1.5}]",
        "[{\"value\":99999999999999999999}]",
        "[{\"value\":\"\\u0000\"}]",
        "[{\"value\":\"\\uD800\"}]",
        "[{\"target_id\":{}}]",
        "[{\"target_id\":[]}]",
        "[{\"target_id\":-9223372036854775808}]",
        "[{\"target_id\":\"1 OR 1=1\"}]",
        "[{\"target_id\":1e99}]",
        "[{\"target_uuid\":1}]",
        "[{\"target_uuid\":[]}]",
        "[{\"uri\":1}]",
        "[{\"uri\":[\"x\"]}]",
        "[{\"uri\":\"javascript:alert(1)\"}]",
        "[{\"lat\":\"x\",\"lng\":{}}]",
        "[{\"lat\":1e308,\"lng\":-1e308}]",
        "[{\"rel_type\":1,\"target_id\":1}]",
        "[{\"source\":{},\"uri\":\"http://a/\"}]",
        "[{\"format\":[]}]",
        "[{\"unknown\":1}]",
        "{\"0\":{\"value\":1}}",
    ]
    .into_iter()
    .filter_map(|text| serde_json::from_str(text).ok())
    .chain([
        Value::from(wide),
        deep,
        json!([{"value": "é".repeat(20_000)}]),
    ])
    .collect()
}

/// A pair for a field: what to send, and members that the answer must show. Nothing for fields
/// that only the service fills.
pub fn sample(server: &TestServer, field: &Value) -> Option<(Value, Value)> {
    let same = |item: Value| Some((json!([item]), item));
    match field["type"].as_str().unwrap_or_default() {
        "string" | "string_long" => same(json!({"value": "Ünïcödé & <b>"})),
        "text" | "text_long" | "text_with_summary" => same(json!({"value": "Plain words"})),
        "integer" => same(json!({"value": 12})),
        "boolean" => same(json!({"value": true})),
        "edtf" => same(json!({"value": "1571~"})),
        "geolocation" => same(json!({"lat": 45.4375, "lng": 12.3358})),
        "list_string" => same(json!({"value": field["allowed_values"][0]["value"]})),
        "link" => same(json!({"uri": "http://example.org/a", "title": "A"})),
        "authority_link" => {
            let source = field["authority_sources"].as_object()?.keys().next()?;
            same(json!({"uri": "http://example.org/a", "source": source}))
        }
        "typed_relation" => {
            let target = server.any_term(field)?;
            same(json!({"target_id": target, "rel_type": "relators:pht"}))
        }
        "entity_reference" if field["target_type"] == "taxonomy_term" => {
            same(json!({"target_id": server.any_term(field)?, "target_type": "taxonomy_term"}))
        }
        "entity_reference" if field["target_type"] == "node" => {
            same(json!({"target_id": server.create_object("Target"), "target_type": "node"}))
        }
        _ => None,
    }
}

impl TestServer {
    /// A term that a field may name; made if there is none.
    fn any_term(&self, field: &Value) -> Option<i64> {
        let vocabulary = field["target_bundles"][0].as_str()?;
        let path = format!("/api/v1/terms?vocabulary={vocabulary}&limit=1");
        let known = self.get(&path).as_admin().send().expect(200).json();
        Some(
            known["terms"][0]["tid"]
                .as_i64()
                .unwrap_or_else(|| self.create_term(vocabulary, "Anything")),
        )
    }

    /// A new term; its id.
    #[track_caller]
    pub fn create_term(&self, vocabulary: &str, name: &str) -> i64 {
        self.create_term_with(vocabulary, name, json!({}))
    }

    /// The same with further fields.
    #[track_caller]
    pub fn create_term_with(&self, vocabulary: &str, name: &str, fields: Value) -> i64 {
        let body = json!({"vid": [{"target_id": vocabulary}], "name": [{"value": name}]});
        let made = self.post("/taxonomy/term?_format=json").as_admin();
        let made = made.json(merge(body, fields)).send();
        made.expect(201).created()
    }
}

/// Fails unless every member of a sample is in the item.
#[track_caller]
pub fn assert_shows(what: &str, item: &Value, members: &Value) {
    for (key, value) in members.as_object().expect("a sample is an object") {
        let same = item[key] == *value
            || item[key]
                .as_f64()
                .is_some_and(|number| value.as_f64() == Some(number));
        assert!(same, "{what}: {key} should be {value}: {item}");
    }
}
