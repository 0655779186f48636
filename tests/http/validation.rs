//! What is said against values that break the rule of their field, and in which order.

use serde_json::{Value, json};

use crate::support::{TestServer, merge};

const TYPE: &str = "This value should be of the correct primitive type.";
const NULL: &str = "This value should not be null.";
const CHOICE: &str = "The value you selected is not a valid choice.";

/// What is said against an object with these fields.
#[track_caller]
fn refused(fields: Value, violations: &[String]) {
    let server = TestServer::shared();
    let body = merge(server.object("Checked"), fields);
    let answer = server.post("/node?_format=json").as_admin().json(body);
    let lines: Vec<&str> = violations.iter().map(String::as_str).collect();
    answer.send().expect_violations(&lines);
}

/// What an object keeps of one field.
#[track_caller]
fn kept(field: &str, sent: Value) -> Value {
    let server = TestServer::shared();
    let body = merge(server.object("Checked"), json!({field: sent}));
    let answer = server.post("/node?_format=json").as_admin().json(body);
    answer.send().expect(201).json()[field].clone()
}

#[test]
fn everything_that_is_wrong_is_told_in_the_order_of_the_fields() {
    refused(
        json!({
            "field_subject": [{"target_id": 99_999_999}, {"target_id": "abc"}],
            "field_edtf_date": [{"value": "2020-13-45"}],
            "field_extent": [{"value": "x".repeat(256)}],
            "field_model": [],
            "field_member_of": [{"target_id": 99_999_999}],
            "title": [],
            "status": [{"value": "abc"}],
            "langcode": [{"value": "zz"}],
        }),
        &[
            format!("langcode.0: {CHOICE}"),
            format!("status.0.value: {TYPE}"),
            format!("title: {NULL}"),
            "field_edtf_date.0: 2020-13-45 is not valid EDTF: Provided month value '13' is not valid.".into(),
            "field_edtf_date.0: 2020-13-45 is not valid EDTF: Provided day value '45' is not valid.".into(),
            "field_extent.0.value: Extent: may not be longer than 255 characters.".into(),
            "field_member_of.0.target_id: The referenced entity (node: 99999999) does not exist.".into(),
            format!("field_model: {NULL}"),
            "field_subject.0.target_id: The referenced entity (taxonomy_term: 99999999) does not exist.".into(),
            "field_subject.1.target_id: The referenced entity (taxonomy_term: abc) does not exist.".into(),
            format!("field_subject.1.target_id: {TYPE}"),
        ],
    );
}

#[test]
fn a_change_is_told_in_the_same_order_and_words() {
    let server = TestServer::shared();
    let nid = server.create_object("Stays right");
    let change = json!({
        "type": [{"target_id": "islandora_object"}],
        "field_weight": [{"value": "heavy"}],
        "field_model": [],
        "title": [{"value": "a"}, {"value": "b".repeat(256)}],
    });
    let answer = server.patch(&format!("/node/{nid}")).as_admin();
    answer.json(change).send().expect_violations(&[
        "title: Title: this field cannot hold more than 1 values.",
        "title.1.value: Title: may not be longer than 255 characters.",
        &format!("field_model: {NULL}"),
        "field_weight.0.value: This value should be a valid number.",
        &format!("field_weight.0.value: {TYPE}"),
    ]);
}

#[test]
fn numbers_places_and_lengths_have_their_rules() {
    for (field, sent, violations) in [
        (
            "field_weight",
            json!({"value": 0}),
            vec![
                "field_weight.0.value: Custom Sort Value: the value may be no less than 1."
                    .to_owned(),
            ],
        ),
        (
            "field_weight",
            json!({"value": 1.5}),
            vec![format!("field_weight.0.value: {TYPE}")],
        ),
        (
            "field_coordinates",
            json!({"lat": "x", "lng": 1}),
            vec![format!("field_coordinates.0.lat: {TYPE}")],
        ),
        (
            "field_coordinates",
            json!({"lat": 181, "lng": -181}),
            vec![
                "field_coordinates.0.lat: This value should be between -180 and 180.".to_owned(),
                "field_coordinates.0.lng: This value should be between -180 and 180.".to_owned(),
            ],
        ),
        (
            "field_coordinates",
            json!({"lat": 1}),
            vec![format!("field_coordinates.0.lng: {NULL}")],
        ),
        (
            "field_identifier",
            json!({"value": "é".repeat(256)}),
            vec![
                "field_identifier.0.value: Identifier: may not be longer than 255 characters."
                    .to_owned(),
            ],
        ),
        (
            "field_note",
            json!({"value": "x", "format": "php"}),
            vec![format!("field_note.0.format: {CHOICE}")],
        ),
    ] {
        refused(json!({field: [sent]}), &violations);
    }
    assert_eq!(
        kept(
            "field_identifier",
            json!("é".repeat(255))
                .as_str()
                .map(|text| json!([text]))
                .expect("text")
        )[0]["value"],
        "é".repeat(255)
    );
}

#[test]
fn customary_spellings_are_brought_into_shape() {
    for (field, sent, wanted) in [
        ("status", json!([{"value": "0"}]), json!([{"value": false}])),
        ("status", json!({"value": "1"}), json!([{"value": true}])),
        ("status", json!([0]), json!([{"value": false}])),
        ("title", json!([12]), json!([{"value": "12"}])),
        ("title", json!(["", "x", null]), json!([{"value": "x"}])),
        (
            "field_weight",
            json!([{"value": "5"}]),
            json!([{"value": 5}]),
        ),
        ("field_weight", json!([{"value": ""}]), json!([])),
        ("field_extent", Value::Null, json!([])),
        ("field_extent", json!([{"value": null}]), json!([])),
        (
            "created",
            json!([{"value": "1577836800"}]),
            json!([{"value": "2020-01-01T00:00:00+00:00", "format": "Y-m-d\\TH:i:sP"}]),
        ),
        (
            "created",
            json!([{"value": "2020-01-01T02:00:00+0200"}]),
            json!([{"value": "2020-01-01T00:00:00+00:00", "format": "Y-m-d\\TH:i:sP"}]),
        ),
        (
            "field_coordinates",
            json!([{"lat": "1.5", "lng": "-2"}]),
            json!([{"lat": 1.5, "lng": -2.0, "value": "1.5, -2", "data": []}]),
        ),
    ] {
        assert_eq!(kept(field, sent.clone()), wanted, "{field} {sent}");
    }
    for sent in [json!("x"), json!(12), json!(true)] {
        let server = TestServer::shared();
        let body = merge(server.object("Scalar"), json!({"title": sent}));
        let answer = server
            .post("/node?_format=json")
            .as_admin()
            .json(body)
            .send();
        answer.expect_message(
            422,
            "Field values for \"title\" must use an array structure",
        );
    }
}

#[test]
fn dates_of_every_level_are_kept_and_others_refused_in_words() {
    for level in [
        "1985-04-12",
        "1985-04",
        "1985",
        "1985-04-12T23:20:30Z",
        "1964/2008",
        "2004-02-01/2005",
        "Y170000002",
        "2001-21",
        "1984?",
        "2004-06~",
        "2004-06-11%",
        "201X",
        "20XX",
        "2004-XX",
        "1985-XX-XX",
        "1985-04-12/..",
        "../1985",
        "1985/",
        "-1985",
        "Y-17E7",
        "1950S2",
        "2001-34",
        "[1667,1668,1670..1672]",
        "[..1760-12-03]",
        "{1960,1961-12}",
        "2004-06~-11",
        "?2004-06-~11",
        "156X-12-25",
        "1XXX-XX",
        "2004-06-XX/2004-07-03",
    ] {
        let sent = json!([{"value": level}]);
        assert_eq!(kept("field_edtf_date", sent.clone()), sent);
    }
    for (text, words) in [
        ("garbage", "Could not parse the date 'garbage'."),
        ("2020-13", "Provided month value '13' is not valid."),
        (
            "20200101",
            "Years longer than 4 digits must be prefixed with a 'Y'.",
        ),
        ("[2020", "The set is improperly encoded."),
        ("1999/soon", "Could not parse the date 'soon'."),
    ] {
        refused(
            json!({"field_edtf_date": [{"value": text}]}),
            &[format!(
                "field_edtf_date.0: {text} is not valid EDTF: {words}"
            )],
        );
    }
}

/// What comes of a term with these fields.
fn term(vocabulary: &str, fields: Value) -> crate::support::Response {
    let body = json!({"vid": [{"target_id": vocabulary}], "name": [{"value": "Checked"}]});
    let request = TestServer::shared().post("/taxonomy/term?_format=json");
    request.as_admin().json(merge(body, fields)).send()
}

#[test]
fn links_lead_somewhere_that_a_browser_may_go() {
    let (model, person) = ("islandora_models", "person");
    for (vocabulary, field) in [
        (model, "field_external_uri"),
        (person, "field_authority_link"),
    ] {
        for uri in [
            "http://example.org/a?b#c",
            "HTTPS://example.org",
            "mailto:a@example.org",
        ] {
            let answer = term(vocabulary, json!({field: [{"uri": uri}]})).expect(201);
            assert_eq!(answer.json()[field][0]["uri"], uri);
        }
        for uri in ["not a uri", "/node/1", "http://"] {
            term(vocabulary, json!({field: [{"uri": uri}]})).expect_violations(&[
                &format!("{field}.0: The path '{uri}' is invalid."),
                &format!("{field}.0.uri: {TYPE}"),
            ]);
        }
        for uri in [
            "javascript:alert(1)",
            "data:text/html,x",
            "internal:/node/1",
            "file:///etc/passwd",
        ] {
            term(vocabulary, json!({field: [{"uri": uri}]}))
                .expect_violations(&[&format!("{field}.0: The path '{uri}' is invalid.")]);
        }
    }
}

#[test]
fn references_keep_to_their_vocabulary_and_to_what_one_may_see() {
    let server = TestServer::shared();
    let wrong = server.term("islandora_media_use", "Original File");
    let cannot = |field: &str, kind: &str, id: i64| {
        format!("{field}.0.target_id: This entity ({kind}: {id}) cannot be referenced.")
    };
    for field in ["field_model", "field_subject", "field_genre"] {
        refused(
            json!({field: [{"target_id": wrong}]}),
            &[cannot(field, "taxonomy_term", wrong)],
        );
    }
    let agent = json!({"field_linked_agent": [{"target_id": wrong, "rel_type": "relators:aut"}]});
    refused(
        agent,
        &[cannot("field_linked_agent", "taxonomy_term", wrong)],
    );
    let parent = json!({"parent": [{"target_id": wrong}]});
    term("subject", parent.clone()).expect_violations(&[&cannot("parent", "taxonomy_term", wrong)]);
    let subject = server.create_term("subject", "Moved");
    let change = merge(json!({"vid": [{"target_id": "subject"}]}), parent);
    let changed = server
        .patch(&format!("/taxonomy/term/{subject}"))
        .as_admin();
    let changed = changed.json(change).send();
    changed.expect_violations(&[&cannot("parent", "taxonomy_term", wrong)]);

    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let body = merge(
        server.object("Child"),
        json!({"field_member_of": [{"target_id": hidden}]}),
    );
    let child = server.post("/node").as_depositor().json(body).send();
    child.expect_violations(&[&format!(
        "field_member_of.0.target_id: The referenced entity (node: {hidden}) does not exist."
    )]);
}

#[test]
fn a_dangling_reference_stays_until_it_is_changed() {
    let server = TestServer::shared();
    let gone = server.create_term("subject", "Gone");
    let nid =
        server.create_object_with("Dangling", json!({"field_subject": [{"target_id": gone}]}));
    server
        .delete(&format!("/taxonomy/term/{gone}"))
        .as_admin()
        .send()
        .expect(204);
    let node = server.node(nid);
    assert_eq!(node["field_subject"], json!([{"target_id": gone}]));
    let patch = |body: Value| {
        server
            .patch(&format!("/node/{nid}"))
            .as_admin()
            .json(body)
            .send()
    };
    patch(node).expect(200);
    let missing = |delta: usize, id: i64| {
        format!(
            "field_subject.{delta}.target_id: The referenced entity (taxonomy_term: {id}) does not exist."
        )
    };
    let twice = json!({"type": "islandora_object", "field_subject": [gone, 99_999_999]});
    patch(twice).expect_violations(&[&missing(0, gone), &missing(1, 99_999_999)]);
    let body = merge(server.object("Another"), json!({"field_subject": [gone]}));
    let another = server.post("/node").as_admin().json(body).send();
    another.expect_violations(&[&missing(0, gone)]);
}
