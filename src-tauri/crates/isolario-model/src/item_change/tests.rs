//! What each kind of change makes of values, and what is refused.

use serde_json::{Value, json};

use super::*;
use crate::content::Target;

struct NoTargets;

impl ReferenceLookup for NoTargets {
    fn target(&self, _kind: EntityKind, _id: i64) -> Option<Target> {
        None
    }

    fn id_of_uuid(&self, _kind: EntityKind, _uuid: &str) -> Option<i64> {
        None
    }
}

fn field(name: &str, field_type: &str, cardinality: i64) -> FieldDefinition {
    FieldDefinition {
        name: name.into(),
        field_type: field_type.into(),
        cardinality,
        ..FieldDefinition::default()
    }
}

fn bundle() -> Bundle {
    let mut bundle = (*Bundle::unknown(EntityKind::Node, "item")).clone();
    bundle.fields = vec![
        field("many", "string", -1),
        field("one", "string", 1),
        field("long", "text_long", 1),
    ];
    bundle
}

/// The values of a field after a change, or why the item stays.
fn after(change: Value, name: &str, before: Value) -> Result<Value, StayReason> {
    let bundle = bundle();
    let mut item = Entity::new(EntityKind::Node, "item");
    let items = before.as_array().expect("values").iter();
    item.set(
        name,
        items
            .map(|value| serde_json::from_value(value.clone()).expect("an item"))
            .collect(),
    );
    let change: ItemChange = serde_json::from_value(change).expect("a change");
    let replacement = match &change {
        ItemChange::ReplaceText {
            find,
            by,
            matching,
            match_case,
            ..
        } => Some(TextReplacement::new(find, by, *matching, *match_case).expect("it makes sense")),
        _ => None,
    };
    let change = PreparedChange {
        change,
        replacement,
        weights: HashMap::new(),
    };
    match change
        .effect(&bundle, &item, None, &NoTargets)
        .expect("readable values")
    {
        ItemEffect::Changes(fields) => {
            let found = fields.iter().find(|(field, _)| field.name == name);
            Ok(json!(found.expect("the field changes").1))
        }
        ItemEffect::Stays(reason) => Err(reason),
    }
}

fn texts(words: &[&str]) -> Value {
    words.iter().map(|word| json!({ "value": word })).collect()
}

#[test]
fn values_are_added_once_and_as_far_as_there_is_room() {
    let add =
        |field: &str, words: &[&str]| json!({"act": "add", "field": field, "values": texts(words)});
    assert_eq!(
        after(add("many", &["b", "a", "b"]), "many", texts(&["a"])),
        Ok(texts(&["a", "b"]))
    );
    assert_eq!(
        after(add("many", &["a"]), "many", texts(&["a"])),
        Err(StayReason::Has)
    );
    assert_eq!(
        after(add("one", &["b"]), "one", texts(&["a"])),
        Err(StayReason::Filled)
    );
    assert_eq!(
        after(add("other", &["b"]), "one", texts(&["a"])),
        Err(StayReason::NoField)
    );
}

#[test]
fn values_are_removed_set_and_replaced_at_their_place() {
    let change =
        |act: &str, words: &[&str]| json!({"act": act, "field": "many", "values": texts(words)});
    assert_eq!(
        after(change("remove", &["a"]), "many", texts(&["a", "b"])),
        Ok(texts(&["b"]))
    );
    assert_eq!(
        after(change("remove", &["c"]), "many", texts(&["a"])),
        Err(StayReason::Lacks)
    );
    assert_eq!(
        after(change("set", &[]), "many", texts(&["a"])),
        Ok(json!([]))
    );
    assert_eq!(
        after(change("set", &["a"]), "many", texts(&["a"])),
        Err(StayReason::Same)
    );
    let replace = json!({"act": "replace", "field": "many", "find": {"value": "b"}, "values": texts(&["c", "a"])});
    assert_eq!(
        after(replace, "many", texts(&["a", "b", "d"])),
        Ok(texts(&["a", "c", "d"]))
    );
}

#[test]
fn a_part_of_texts_is_replaced_and_an_empty_text_goes() {
    let replace = |find: &str, by: &str, case: bool| json!({"act": "replace_text", "find": find, "by": by, "match_case": case});
    assert_eq!(
        after(replace("A.", "$0", true), "many", texts(&["xA.", "Ab"])),
        Ok(texts(&["x$0", "Ab"]))
    );
    assert_eq!(
        after(
            replace("MAP", "chart", false),
            "many",
            texts(&["Map of maps"])
        ),
        Ok(texts(&["chart of charts"]))
    );
    assert_eq!(
        after(replace("MAP", "chart", true), "many", texts(&["Map"])),
        Err(StayReason::Lacks)
    );
    assert_eq!(
        after(replace("map", "", true), "many", texts(&["map ", "b"])),
        Ok(texts(&["b"]))
    );
}

#[test]
fn words_and_groups_of_expressions_are_replaced() {
    let replace = |kind: &str, find: &str, by: &str| {
        let change = json!({"act": "replace_text", "find": find, "by": by, "match": kind, "match_case": true});
        after(change, "many", texts(&["No. 12, maps and map"]))
    };
    assert_eq!(
        replace("word", "map", "chart"),
        Ok(texts(&["No. 12, maps and chart"]))
    );
    assert_eq!(
        replace("word", "No.", "Nr."),
        Ok(texts(&["Nr. 12, maps and map"]))
    );
    assert_eq!(replace("word", "ma", "x"), Err(StayReason::Lacks));
    assert_eq!(
        replace("regex", r"No\. (?<n>\d)(\d)", "$2x${n} $$ $0"),
        Ok(texts(&["2x1 $ No. 12, maps and map"]))
    );
    assert_eq!(
        replace("regex", "^", "The $"),
        Ok(texts(&["The $No. 12, maps and map"]))
    );
}

#[test]
fn expressions_are_bounded() {
    let new = |find: &str, by: &str| TextReplacement::new(find, by, TextMatch::Regex, true);
    for find in ["(", "a{1000}{1000}", &"(".repeat(600), &"a".repeat(1_001)] {
        assert!(new(find, "").is_err(), "{find}");
    }
    let refused = new("(a)", "$2").expect_err("there is no second group");
    assert!(refused.contains("no group 2"), "{refused}");
    // It gives back no time to look for another way, and each copy is counted.
    let text = format!("{}b", "a".repeat(200_000));
    let change = |find: &str, by: &str| {
        let change = new(find, by).expect("it makes sense");
        let value = serde_json::from_value(json!({"value": text})).expect("an item");
        change.replaced(&field("many", "string", -1), &[value])
    };
    assert!(matches!(change("(a|a|aa)+$", "x"), Ok(None)));
    assert!(change("(?s)(.+)", &"$1".repeat(100)).is_err());
    assert!(change(".*[^ab]|a", "x").is_err());
}

#[test]
fn a_description_fills_what_is_empty_or_takes_the_place_of_what_is_there() {
    let describe = |replace: bool| {
        let values = json!({"many": texts(&["b"]), "one": texts(&["c"]), "other": texts(&["d"])});
        json!({"act": "describe", "values": values, "replace": replace})
    };
    assert_eq!(
        after(describe(false), "one", texts(&[])),
        Ok(texts(&["c"])),
        "and the field that the item lacks is left out"
    );
    assert_eq!(
        after(describe(true), "many", texts(&["a"])),
        Ok(texts(&["b"]))
    );
    let one = |replace: bool| json!({"act": "describe", "values": {"one": texts(&["c"])}, "replace": replace});
    assert_eq!(
        after(one(false), "one", texts(&["a"])),
        Err(StayReason::Filled)
    );
    assert_eq!(
        after(one(true), "one", texts(&["c"])),
        Err(StayReason::Same)
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let model = ContentModel::default();
    let refused = |change: Value| {
        PreparedChange::new(serde_json::from_value(change).expect("a change"), &model).is_err()
    };
    let many = vec![1; MOST_NAMED + 1];
    assert!(refused(
        json!({"act": "set", "field": "title", "values": many})
    ));
    assert!(refused(
        json!({"act": "replace_text", "find": "", "by": "a"})
    ));
    assert!(refused(json!({"act": "set", "field": "nid", "values": []})));
    assert!(refused(json!({"act": "describe", "values": {}})));
    assert!(refused(
        json!({"act": "describe", "values": {"field_none": []}})
    ));
    assert!(refused(
        json!({"act": "add", "field": "field_none", "values": [1]})
    ));
}

#[test]
fn facts_fill_what_is_empty_and_a_title_that_is_the_name_of_the_file() {
    let (description, rights) = (&field_roles().description, &field_roles().rights);
    let mut bundle = bundle();
    bundle.fields = vec![
        field(description, "text_long", 1),
        field(rights, "string", -1),
    ];
    let mut item = Entity::new(EntityKind::Node, "item");
    item.set_value("title", "Map of Venice");
    item.set_value(rights, "kept");
    let offered = json!({"title": "Venetia", "description": " A map ", "rights": "free"});
    let facts = OriginalFacts {
        filename: "Map_of_Venice.tif".into(),
        offered: serde_json::from_value(offered).expect("an object"),
    };
    let change = PreparedChange {
        change: ItemChange::TakeFacts {},
        replacement: None,
        weights: HashMap::new(),
    };
    let effect = |item: &Entity| change.effect(&bundle, item, Some(&facts), &NoTargets);
    let ItemEffect::Changes(fields) = effect(&item).expect("readable values") else {
        panic!("it changes");
    };
    let values = fields
        .iter()
        .map(|(field, items)| (field.name.as_str(), json!(items)));
    let wanted = [
        ("title", texts(&["Venetia"])),
        (description.as_str(), texts(&["A map"])),
    ];
    assert_eq!(values.collect::<Vec<_>>(), wanted);
    item.set_value("title", "Named by hand");
    item.set_value(description, "there");
    assert_eq!(effect(&item), Ok(ItemEffect::Stays(StayReason::Filled)));
}
