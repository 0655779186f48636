//! What an item says, value by value, under the names by which rules ask for it.

use serde_json::Value;

use super::super::jsonld::mapped_fields;
use super::RecordContext;
use crate::content::{Bundle, Entity, EntityKind, FieldDefinition, Item, Target, field_roles};
use crate::fields::{FieldContext, field_type};

/// A value of an item.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Fact {
    /// Full IRIs of RDF properties or of a relator; names of facts without a property.
    pub sources: Vec<String>,
    /// What people read.
    pub text: String,
    /// What names the value elsewhere: the URI of a term, the address of an item, a link.
    pub uri: Option<String>,
    /// What an agent did: `aut`, and its name.
    pub relator: Option<(String, String)>,
    /// The bundle of what is referred to, such as `person`.
    pub kind: Option<String>,
    /// Language of a text.
    pub language: Option<String>,
}

impl Fact {
    fn named(source: &str, text: String, uri: Option<String>) -> Fact {
        Fact {
            sources: vec![source.to_owned()],
            text,
            uri,
            ..Fact::default()
        }
    }

    /// Whether a rule that asks for a source gets this value.
    pub fn is_of(&self, source: &str) -> bool {
        match source.strip_suffix('*') {
            Some(beginning) => {
                self.relator.is_some() && self.sources.iter().any(|own| own.starts_with(beginning))
            }
            None => self.sources.iter().any(|own| own == source),
        }
    }
}

/// All values of an item: those of its fields in their order, then those that are no fields.
pub(super) fn facts_of(item: &Entity, bundle: &Bundle, context: &RecordContext<'_>) -> Vec<Fact> {
    let fields = context.fields;
    let mut facts = Vec::new();
    for (definition, predicates) in mapped_fields(item, bundle) {
        let model = fields.model();
        let properties: Vec<String> = predicates.iter().map(|name| model.expand(name)).collect();
        for value in item.items(&definition.name) {
            add_value(&mut facts, definition, &properties, value, fields);
        }
    }
    facts.retain(|fact| !fact.text.is_empty());
    let model = item.reference(&field_roles().model);
    let model = model.and_then(|tid| fields.target(EntityKind::Term, tid));
    if let Some(model) = model {
        let uri = fields.uri_of_term(&model);
        facts.push(Fact::named("model", model.label.clone(), uri));
    }
    let address = fields.absolute(&item.kind.path(item.id));
    facts.push(Fact::named("address", address.clone(), Some(address)));
    let uuid = format!("urn:uuid:{}", item.uuid);
    facts.push(Fact::named("uuid", uuid.clone(), Some(uuid)));
    facts.push(Fact::named(
        "repository",
        context.repository.to_owned(),
        None,
    ));
    facts
}

/// What a field of an item says, for people.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldTexts {
    pub name: String,
    pub label: String,
    pub values: Vec<FieldText>,
}

/// A value of a field, for people.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldText {
    pub text: String,
    /// The URI of a term, the address of an item, a link.
    pub uri: Option<String>,
    /// Whether it is a text in a language.
    pub is_translatable: bool,
    /// What an agent did.
    pub role: Option<String>,
}

/// What an item says, field by field, without those that are empty.
#[must_use]
pub fn field_texts(item: &Entity, bundle: &Bundle, fields: &dyn FieldContext) -> Vec<FieldTexts> {
    let all = mapped_fields(item, bundle).into_iter();
    let said = all.map(|(definition, _)| {
        let mut facts = Vec::new();
        for value in item.items(&definition.name) {
            add_value(&mut facts, definition, &[], value, fields);
        }
        facts.retain(|fact| !fact.text.is_empty());
        FieldTexts {
            name: definition.name.clone(),
            label: definition.label.clone(),
            values: facts.into_iter().map(FieldText::of).collect(),
        }
    });
    said.filter(|field| !field.values.is_empty()).collect()
}

impl FieldText {
    fn of(fact: Fact) -> FieldText {
        FieldText {
            text: fact.text,
            uri: fact.uri,
            is_translatable: fact.language.is_some(),
            role: fact.relator.map(|(_, label)| label),
        }
    }
}

fn add_value(
    facts: &mut Vec<Fact>,
    definition: &FieldDefinition,
    properties: &[String],
    value: &Item,
    context: &dyn FieldContext,
) {
    let statements = field_type(&definition.field_type).statements(definition, value, context);
    let has_relator = statements.iter().any(|said| said.predicate.is_some());
    let target = target_of(definition, value, context);
    for statement in statements {
        let object = &statement.object;
        let sources = match statement.predicate {
            Some(relator) => vec![relator],
            // The relator says it more exactly.
            None if has_relator => continue,
            None => properties.to_vec(),
        };
        let relator = value.get("rel_type").and_then(Value::as_str);
        facts.push(Fact {
            text: text_of(value, object, target.as_deref()),
            uri: uri_of(object, target.as_deref(), context),
            relator: relator.and_then(|name| {
                let label = context.model().relators.get(name)?;
                let code = name.rsplit(':').next().unwrap_or(name);
                Some((code.to_owned(), label.clone()))
            }),
            kind: target.as_ref().map(|target| target.bundle.clone()),
            language: object
                .get("@language")
                .and_then(Value::as_str)
                .map(str::to_owned),
            sources,
        });
    }
}

/// The term or item that a value refers to. Others have no name of their own.
fn target_of(
    definition: &FieldDefinition,
    value: &Item,
    context: &dyn FieldContext,
) -> Option<std::sync::Arc<Target>> {
    let kind = definition.target_kind()?;
    let id = value.get("target_id").and_then(Value::as_i64)?;
    matches!(kind, EntityKind::Term | EntityKind::Node).then(|| context.target(kind, id))?
}

/// What people read: of a thing its name where it has one here.
fn text_of(value: &Item, object: &Value, target: Option<&Target>) -> String {
    let stored = value.get("value").and_then(Value::as_str);
    if let (true, Some(stored)) = (object.get("@type").is_some(), stored) {
        // RDF has no uncertain dates; people read them as they were written.
        return stored.to_owned();
    }
    match object.get("@value") {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(other) => other.to_string(),
        None => match target {
            Some(target) => target.label.clone(),
            None => object
                .get("@id")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
        },
    }
}

fn uri_of(object: &Value, target: Option<&Target>, context: &dyn FieldContext) -> Option<String> {
    match target {
        Some(term) if term.kind == EntityKind::Term => context.uri_of_term(term),
        _ => object.get("@id").and_then(Value::as_str).map(str::to_owned),
    }
}
