//! Dates as people write them: the window says them in EDTF (`ui/src/fields/customary_date.ts`), a request is refused.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::{TestServer, merge};

const TABLE: &str = include_str!("../samples/customary_dates.json");

fn values<'t>(texts: impl Iterator<Item = &'t String>) -> Value {
    let items: Vec<Value> = texts.map(|text| json!({"value": text})).collect();
    json!({"field_edtf_date": items})
}

#[test]
fn what_the_window_sends_for_a_customary_date_is_edtf_and_the_date_itself_is_refused() {
    let server = TestServer::shared();
    let table: BTreeMap<String, String> = serde_json::from_str(TABLE).expect("a table");
    let make = |dates: Value| {
        let body = merge(server.object("Dated"), dates);
        server.post("/node?_format=json").as_admin().json(body)
    };
    let dates = values(table.values());
    let kept = make(dates.clone()).send().expect(201).json();
    assert_eq!(kept["field_edtf_date"], dates["field_edtf_date"]);

    let refused = make(values(table.keys())).send().expect(422).message();
    for (index, text) in table.keys().enumerate() {
        let words = format!("field_edtf_date.{index}: {text} is not valid EDTF: ");
        assert!(refused.contains(&words), "{words} is not in {refused}");
    }
}
