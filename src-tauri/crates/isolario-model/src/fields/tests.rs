//! Every field of the content model, and any JSON that somebody may send for it.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Number, json};

use super::*;
use crate::content::base_fields::base_fields;
use crate::content::{FileFacts, MimeType, seed};

/// Ids up to here are there.
const THERE: i64 = 9;

/// A repository that holds a few things of every kind, of the bundle that a field may refer to.
struct TestRepository<'a> {
    definition: &'a FieldDefinition,
    model: &'a ContentModel,
}

impl TestRepository<'_> {
    fn find(&self, kind: EntityKind, id: i64) -> Option<Target> {
        let endings = &self.definition.file_extensions;
        let name = format!("{id}.{}", endings.first().map_or("bin", String::as_str));
        let uri = FileUri::new("public", &name);
        (1..=THERE).contains(&id).then(|| Target {
            kind,
            id,
            uuid: format!("00000000-0000-4000-8000-00000000000{id}"),
            bundle: self
                .definition
                .target_bundles
                .first()
                .cloned()
                .unwrap_or_default(),
            label: name,
            published: true,
            owner: 1,
            uri: None,
            file: (kind == EntityKind::File).then_some(FileFacts {
                uri,
                mime: MimeType::from("image/png".to_owned()),
                size: 7,
                width: (id % 2 == 0).then_some(7),
                height: (id % 2 == 0).then_some(5),
            }),
        })
    }
}

impl ReferenceLookup for TestRepository<'_> {
    fn target(&self, kind: EntityKind, id: i64) -> Option<Target> {
        self.find(kind, id)
    }

    fn id_of_uuid(&self, kind: EntityKind, uuid: &str) -> Option<i64> {
        (1..=THERE).find(|id| {
            self.find(kind, *id)
                .is_some_and(|target| target.uuid == uuid)
        })
    }
}

impl FieldContext for TestRepository<'_> {
    fn target(&self, kind: EntityKind, id: i64) -> Option<Arc<Target>> {
        self.find(kind, id).map(Arc::new)
    }

    fn absolute(&self, path: &str) -> String {
        format!("http://127.0.0.1:8460{path}")
    }

    fn file_path(&self, uri: &FileUri) -> String {
        format!("/sites/default/files/{}", uri.path)
    }

    fn uri_of_term(&self, term: &Target) -> Option<String> {
        term.uri.clone()
    }

    fn model(&self) -> &ContentModel {
        self.model
    }
}

/// Every base field, and one configured field for each difference that its type could make.
fn definitions(model: &ContentModel) -> Vec<FieldDefinition> {
    let kinds = [EntityKind::Node, EntityKind::Media, EntityKind::Term];
    let mut all: Vec<&FieldDefinition> = kinds.into_iter().flat_map(base_fields).collect();
    let bundles = kinds.into_iter().flat_map(|kind| model.bundles_of(kind));
    all.extend(bundles.flat_map(|bundle| &bundle.fields));
    let mut found: Vec<FieldDefinition> = Vec::new();
    for definition in all {
        let is_alike = |other: &FieldDefinition| {
            let plain = |definition: &FieldDefinition| FieldDefinition {
                name: String::new(),
                label: String::new(),
                ..definition.clone()
            };
            format!("{:?}", plain(other)) == format!("{:?}", plain(definition))
        };
        if !found.iter().any(is_alike) {
            found.push(definition.clone());
        }
    }
    found
}

/// Names of members that some field type knows.
const MEMBERS: &[&str] = &[
    "value",
    "target_id",
    "target_uuid",
    "target_type",
    "uri",
    "title",
    "options",
    "source",
    "lat",
    "lng",
    "rel_type",
    "format",
    "summary",
    "alt",
    "width",
    "height",
    "display",
    "description",
    "label",
    "kind",
    "srclang",
    "default",
    "alias",
    "pid",
    "langcode",
    "status",
    "cid",
    "other",
];

/// Texts that some field type looks at more closely.
const TEXTS: &[&str] = &[
    "",
    " ",
    "0",
    "1",
    "7",
    "-1",
    "true",
    "en",
    "zz",
    "1e3",
    " 7 ",
    "9223372036854775807",
    "9223372036854775808",
    "NaN",
    "inf",
    "2020-02-29T12:00:00+01:00",
    "2020-02-30T12:00:00Z",
    "9999-12-31T23:59:59-14:00",
    "1569/1571~",
    "Y-17E7",
    "../..",
    "156X-21",
    "[1667,1668..]",
    "-9999999999",
    "http://a.example/b",
    "javascript:alert(1)",
    "a:",
    "basic_html",
    "<script>alert(1)</script><b>",
    "relators:pht",
    "viaf",
    "00000000-0000-4000-8000-000000000004",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "e\u{301}",
];

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2..=THERE + 2).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
        select(vec![0.5, -0.0, 90.0, 180.5, 1e300, 253_402_300_799.0]).prop_map(Value::from),
        select(TEXTS).prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
        "[0-9X?~%/.\\[\\]{}T:Y E-]{0,14}".prop_map(Value::from),
        (250..260_usize).prop_map(|length| "é".repeat(length).into()),
    ]
}

fn object_of(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let member = (select(MEMBERS), value);
    vec(member, 0..4).prop_map(|members| {
        let named = members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        Value::Object(named.collect::<Map<_, _>>())
    })
}

fn any_json() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 16, 4, |inner| {
        let list = vec(inner.clone(), 0..4).prop_map(Value::Array);
        prop_oneof![list, object_of(inner)]
    })
}

/// What may be sent for a field: mostly lists of objects with leaves, sometimes anything.
fn sent() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => vec(object_of(leaf()), 0..4).prop_map(Value::Array),
        1 => vec(leaf(), 0..4).prop_map(Value::Array),
        1 => object_of(leaf()),
        2 => any_json(),
    ]
}

/// What a client gets of values that were taken; `None` when they are refused.
fn exchange(
    definition: &FieldDefinition,
    references: &TestRepository<'_>,
    sent: &Value,
) -> Option<Value> {
    let items = match read_items(definition, sent, references) {
        Ok(items) => items,
        Err(error) => {
            let message = match error {
                InputError::Message(message) => message,
                InputError::Violation(violation) => violation.message,
            };
            assert!(!message.is_empty(), "{}: {sent}", definition.name);
            return None;
        }
    };
    let violations = check_items(definition, &items, references);
    for violation in &violations {
        assert_eq!(violation.field, definition.name, "{violation:?}");
        assert!(!violation.message.is_empty(), "{violation:?}");
    }
    if !violations.is_empty() {
        return None;
    }
    let kind = field_type(&definition.field_type);
    let written = items.iter().map(|item| {
        kind.index(definition, item);
        for statement in kind.statements(definition, item, references) {
            assert!(statement.object.is_object(), "{sent}: {statement:?}");
        }
        Value::Object(kind.write(definition, item, references).into_item())
    });
    Some(written.collect())
}

#[test]
fn whatever_is_sent_is_refused_in_words_or_comes_back_and_may_be_sent_again() {
    let model = seed::content_model().expect("a model");
    let definitions = definitions(&model);
    let references: Vec<TestRepository> = definitions
        .iter()
        .map(|definition| TestRepository {
            definition,
            model: &model,
        })
        .collect();
    let taken = std::cell::Cell::new(0);
    proptest!(ProptestConfig::with_cases(1500), |(sent in sent())| {
        for (definition, references) in definitions.iter().zip(&references) {
            let Some(written) = exchange(definition, references, &sent) else { continue };
            let again = exchange(definition, references, &written);
            prop_assert_eq!(again.as_ref(), Some(&written), "{} of {}", sent, definition.name);
            taken.set(taken.get() + usize::from(written != json!([])));
        }
    });
    // Otherwise the sentence above would say nothing.
    assert!(taken.get() > 1000, "only {} values were taken", taken.get());
}

#[test]
fn every_field_type_is_among_those_asked() {
    let model = seed::content_model().expect("a model");
    let types: std::collections::BTreeSet<String> = definitions(&model)
        .into_iter()
        .map(|definition| definition.field_type)
        .collect();
    let registry = include_str!("mod.rs")
        .split("match name {")
        .nth(1)
        .expect("the registry");
    let named = registry.split('"').skip(1).step_by(2);
    let missed: Vec<&str> = named.filter(|name| !types.contains(*name)).collect();
    assert_eq!(missed, Vec::<&str>::new(), "not in the content model");
}
