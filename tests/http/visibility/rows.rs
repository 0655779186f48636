//! The ids in answers.

use std::collections::BTreeSet;

use serde_json::Value;

pub(super) type Ids = BTreeSet<i64>;

pub(super) fn ids(rows: &Value, key: &str) -> Ids {
    let rows = rows.as_array().expect("rows").iter();
    rows.map(|row| row[key].as_i64().expect("an id")).collect()
}

/// The ids of resources that are there whole.
pub(super) fn whole_ids(resources: &Value, field: &str) -> Ids {
    let resources = resources.as_array().expect("resources").iter();
    let id = |resource: &Value| resource[field][0]["value"].as_i64().expect("an id");
    resources.map(id).collect()
}

pub(super) fn length(ids: &Ids) -> Value {
    ids.len().into()
}
