//! Fields, models and media uses are named in `assets/content-model.json`; code names their roles.

use std::collections::BTreeSet;

use serde_json::Value;

use super::rust_source::{without_tests, words};
use super::{assert_none, files, program_without_tests};

/// Files that may name fields or URIs, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "isolario-server/src/api/v1/items.rs",
        "examples of parameters in the OpenAPI document",
    ),
    ("ui/src/api/schema.d.ts", "generated from that document"),
    (
        "ui/src/fields/short_uri.ts",
        "abbreviates addresses of any authority, whatever they mean",
    ),
];

/// A field of a vocabulary, and a word of the content model's own language.
const AMBIGUOUS: &str = "field_type";

struct Facts {
    fields: BTreeSet<String>,
    uris: Vec<String>,
}

fn facts() -> Facts {
    let assets = files("assets", &["json"]);
    let model = assets
        .iter()
        .find(|file| file.path == "assets/content-model.json");
    let model: Value = serde_json::from_str(&model.expect("a model").text).expect("JSON");
    let all = |list: &Value, key: &str| -> Vec<String> {
        let items = list.as_array().expect("a list").iter();
        items
            .filter_map(|item| item[key].as_str().map(str::to_owned))
            .collect()
    };
    let bundles = model["bundles"].as_array().expect("bundles").iter();
    let fields = bundles.flat_map(|bundle| all(&bundle["fields"], "name"));
    let namespace = model["media_use_namespace"].as_str().expect("a namespace");
    let mut uris = vec![namespace.to_owned()];
    uris.extend(all(&model["models"], "uri"));
    uris.extend(all(&model["media_uses"], "uri"));
    Facts {
        fields: fields
            .filter(|name| name.starts_with("field_") && name != AMBIGUOUS)
            .collect(),
        uris,
    }
}

#[test]
fn facts_of_the_content_model_stand_once() {
    let facts = facts();
    assert!(facts.fields.contains("field_weight") && facts.uris.len() > 10);
    let mut sources = program_without_tests();
    for file in &mut sources {
        file.text = without_tests(&file.text).to_owned();
    }
    sources.extend(files("ui/src", &["ts", "svelte"]));
    sources.retain(|file| {
        let is_exception = EXCEPTIONS.iter().any(|(path, _)| file.path.ends_with(path));
        !is_exception && !file.path.ends_with(".test.ts")
    });
    let mut findings = Vec::new();
    for file in &sources {
        for (index, line) in file.text.lines().enumerate() {
            let names_field = words(line).any(|(_, word)| facts.fields.contains(word));
            if names_field || facts.uris.iter().any(|uri| line.contains(uri)) {
                findings.push(format!("{}:{} {}", file.path, index + 1, line.trim()));
            }
        }
    }
    assert_none(
        "named in code; give it a role in assets/content-model.json",
        &findings,
    );
}
