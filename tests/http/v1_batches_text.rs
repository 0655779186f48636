//! Changes of many items that find and replace texts.

use serde_json::{Value, json};

use crate::support::TestServer;

fn replacement(matching: &str, find: &str, by: &str) -> Value {
    json!({"act": "replace_text", "find": find, "by": by, "match": matching})
}

#[test]
fn texts_are_found_as_words_and_by_regular_expressions() {
    let server = TestServer::start();
    let fields = json!({"field_extent": [{"value": "12 x 7 cm"}, {"value": "gone"}]});
    let nid = server.create_object_with("Map of 1901-1902, mapped", fields);
    let after = |matching: &str, find: &str, by: &str| {
        let change = replacement(matching, find, by);
        let batch = server.run_batch(json!({"nids": [nid]}), change);
        (server.node(nid), batch)
    };
    let (node, _) = after("word", "map", "Chart");
    assert_eq!(node["title"][0]["value"], "Chart of 1901-1902, mapped");
    let (node, _) = after("regex", r"(?<from>\d{4})-(\d{4})", "$2 to ${from}");
    assert_eq!(node["title"][0]["value"], "Chart of 1902 to 1901, mapped");
    let (node, batch) = after("regex", r"^(\d+) x (\d+) cm$|^gone$", "$2$1");
    assert_eq!(node["field_extent"], json!([{"value": "712"}]));
    server.undo_batch(&batch);
    assert_eq!(
        server.node(nid)["field_extent"],
        json!([{"value": "12 x 7 cm"}, {"value": "gone"}])
    );
}

#[test]
fn an_expression_that_cannot_be_read_or_grows_too_far_is_refused_with_a_reason() {
    let server = TestServer::start();
    let nid = server.create_object(&"a".repeat(250));
    let ask = |find: &str, by: &str| {
        let body = json!({"items": {"nids": [nid]}, "change": replacement("regex", find, by)});
        let path = "/api/v1/batches/preview";
        server.post(path).as_admin().json(body).send()
    };
    for (find, words) in [
        ("(", "unclosed group"),
        ("a{2,1}", "cannot be read"),
        ("(a{900}){900}", "too long"),
    ] {
        let message = ask(find, "").expect(422).message();
        assert!(message.contains(words), "{message}");
    }
    // An expression that other engines try for years.
    ask("^(a+)+$!", "").expect(200);
    let large = ask("(a*)", &"$1".repeat(5_000)).expect(200).json();
    assert_eq!(large["changes"], 0, "{large}");
    assert_eq!(large["invalid"], 1, "{large}");
}
