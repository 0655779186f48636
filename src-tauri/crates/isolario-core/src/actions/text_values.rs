//! Texts of tables and sidecars as the values that REST takes: terms by name, URI or id, dates, numbers, links. The
//! notation is that of Islandora Workbench (docs/TABLES.md).

use serde_json::{Map, Value, json};

use super::Refusal;
use isolario_db::{DbError, Read};
use isolario_model::content::{EntityKind, FieldDefinition};
use isolario_model::fields::{Violation, ViolationCode};

/// What a text says of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum TextValue {
    /// A value as REST takes it.
    Item(Value),
    /// A term that there is not, with the rest of its value.
    NewTerm(NewTerm),
}

/// A term that a text names, and that there is not.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTerm {
    pub vocabulary: String,
    pub name: String,
    /// What the value says beside the term, as the role of an agent.
    rest: Map<String, Value>,
}

impl NewTerm {
    /// The value, once the term is made.
    pub fn with_id(self, tid: i64) -> Value {
        let mut value = self.rest;
        value.insert("target_id".into(), tid.into());
        value.into()
    }
}

/// The value of one text.
///
/// # Errors
/// `InvalidFields` for a text that the field cannot have, and `Invalid` for a term that there is not and that could not be
/// made of the text; what the database refuses.
pub fn text_value(
    read: &Read<'_>,
    definition: &FieldDefinition,
    text: &str,
) -> Result<TextValue, Refusal> {
    Ok(TextValue::Item(match definition.field_type.as_str() {
        "entity_reference" if definition.target_kind() == Some(EntityKind::Term) => {
            return term_value(read, definition, text, Map::new());
        }
        "typed_relation" => {
            let (relator, name) = relator_of(text);
            let rest = Map::from_iter([("rel_type".to_owned(), relator.into())]);
            return term_value(read, definition, name, rest);
        }
        "comment" | "file" | "image" | "media_track" if text.starts_with('{') => {
            serde_json::from_str(text)
                .map_err(|_| invalid(definition, text, ViolationCode::WrongSyntax, "JSON"))?
        }
        "entity_reference" | "file" | "image" => json!({ "target_id": number(definition, text)? }),
        "link" => parts(text, &["uri", "title"]),
        "authority_link" if text.contains("%%") => parts(text, &["source", "uri", "title"]),
        "authority_link" => json!({ "uri": text, "source": "other" }),
        "geolocation" => point(definition, text)?,
        "integer" => json!({ "value": number(definition, text)? }),
        "boolean" => json!({ "value": flag(definition, text)? }),
        "path" => json!({ "alias": text }),
        _ => json!({ "value": text }),
    }))
}

fn invalid(
    definition: &FieldDefinition,
    text: &str,
    code: ViolationCode,
    expected: &str,
) -> Refusal {
    let words = format!("{text:?} in {} is no {expected}.", definition.name);
    Violation::of_field(&definition.name, code, words).into()
}

fn number(definition: &FieldDefinition, text: &str) -> Result<i64, Refusal> {
    text.parse()
        .map_err(|_| invalid(definition, text, ViolationCode::NotANumber, "whole number"))
}

fn flag(definition: &FieldDefinition, text: &str) -> Result<bool, Refusal> {
    match text.to_lowercase().as_str() {
        "1" | "true" | "yes" => Ok(true),
        "0" | "false" | "no" => Ok(false),
        _ => Err(invalid(
            definition,
            text,
            ViolationCode::NotAChoice,
            "1 or 0",
        )),
    }
}

fn point(definition: &FieldDefinition, text: &str) -> Result<Value, Refusal> {
    let degrees = text.split_once(',').and_then(|(lat, lng)| {
        let degrees = |text: &str| text.trim().parse::<f64>().ok();
        Some((degrees(lat)?, degrees(lng)?))
    });
    let (lat, lng) = degrees.ok_or_else(|| {
        invalid(
            definition,
            text,
            ViolationCode::WrongSyntax,
            "point such as 49.27,-123.1",
        )
    })?;
    Ok(json!({ "lat": lat, "lng": lng }))
}

/// Properties with `%%` between them. Those that say nothing are left out.
fn parts(text: &str, properties: &[&str]) -> Value {
    let parts = text.splitn(properties.len(), "%%").zip(properties);
    let said = parts.filter(|(part, _)| !part.is_empty());
    let map: Map<String, Value> = said
        .map(|(part, property)| ((*property).to_owned(), part.into()))
        .collect();
    map.into()
}

/// Splits `relators:pht:person:Smith, Ann` into relator and agent. Without a relator the agent is a contributor.
fn relator_of(text: &str) -> (String, &str) {
    let mut parts = text.splitn(3, ':');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("relators"), Some(code), Some(name)) => (format!("relators:{code}"), name),
        _ => ("relators:ctb".into(), text),
    }
}

/// The vocabularies that a text may refer to, and the name in them. `person:Smith, Ann` names its vocabulary.
fn vocabularies<'t>(definition: &FieldDefinition, text: &'t str) -> (Vec<String>, &'t str) {
    match text.split_once(':') {
        Some((vocabulary, name))
            if definition
                .target_bundles
                .iter()
                .any(|one| one == vocabulary) =>
        {
            (vec![vocabulary.to_owned()], name.trim())
        }
        _ => (definition.target_bundles.clone(), text),
    }
}

fn term_value(
    read: &Read<'_>,
    definition: &FieldDefinition,
    text: &str,
    rest: Map<String, Value>,
) -> Result<TextValue, Refusal> {
    let (vocabularies, name) = vocabularies(definition, text);
    let is_named = name.len() < text.len();
    let found = match is_named {
        // A name that is a number is none, where its vocabulary says that it is a name.
        true => named_term(read, &vocabularies, name)?,
        false => None,
    };
    let found = match found {
        None => find_term(read, &vocabularies, name)?,
        found => found,
    };
    let is_uri = name.starts_with("http://") || name.starts_with("https://");
    let vocabulary = vocabularies
        .into_iter()
        .next()
        .filter(|_| !is_uri && !name.is_empty());
    let term = |vocabulary| NewTerm {
        vocabulary,
        name: name.to_owned(),
        rest,
    };
    match (found, vocabulary) {
        (Some(tid), _) => Ok(TextValue::Item(term(String::new()).with_id(tid))),
        (None, Some(vocabulary)) => Ok(TextValue::NewTerm(term(vocabulary))),
        (None, None) => Err(no_term(definition, name)),
    }
}

/// The refusal of a term that there is not.
pub fn no_term(definition: &FieldDefinition, name: &str) -> Refusal {
    Refusal::Invalid(format!(
        "There is no term {name:?} for {}.",
        definition.label
    ))
}

/// Finds the term of a text in some vocabularies: by id, URI, or name regardless of case.
///
/// # Errors
/// What the database refuses.
pub fn find_term(
    read: &Read<'_>,
    vocabularies: &[String],
    text: &str,
) -> Result<Option<i64>, DbError> {
    let belongs = |tid: i64| -> Result<Option<i64>, DbError> {
        let target = read.target(EntityKind::Term, tid)?;
        let fits = |bundle: &String| vocabularies.is_empty() || vocabularies.contains(bundle);
        Ok(target
            .filter(|target| fits(&target.bundle))
            .map(|target| target.id))
    };
    if let Ok(tid) = text.parse()
        && let Some(tid) = belongs(tid)?
    {
        return Ok(Some(tid));
    }
    let by_uri = match read.term_by_uri(text)? {
        None => read.term_by_authority(text)?,
        found => found,
    };
    if let Some(tid) = by_uri
        && let Some(tid) = belongs(tid)?
    {
        return Ok(Some(tid));
    }
    named_term(read, vocabularies, text)
}

fn named_term(
    read: &Read<'_>,
    vocabularies: &[String],
    name: &str,
) -> Result<Option<i64>, DbError> {
    for vocabulary in vocabularies {
        if let Some(tid) = read.term_by_name(vocabulary, name)? {
            return Ok(Some(tid));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_say_what_they_did() {
        assert_eq!(
            relator_of("relators:pht:person:Smith, Ann"),
            ("relators:pht".into(), "person:Smith, Ann")
        );
        assert_eq!(
            relator_of("Smith, Ann"),
            ("relators:ctb".into(), "Smith, Ann")
        );
    }

    #[test]
    fn a_vocabulary_can_be_named() {
        let definition = FieldDefinition {
            target_bundles: vec!["subject".into(), "person".into()],
            ..FieldDefinition::default()
        };
        let (named, name) = vocabularies(&definition, "person: Smith");
        assert_eq!((named, name), (vec!["person".to_owned()], "Smith"));
        let (all, name) = vocabularies(&definition, "History: general");
        assert_eq!((all.len(), name), (2, "History: general"));
    }

    #[test]
    fn links_have_a_title_behind_their_uri() {
        let link = |text| parts(text, &["source", "uri", "title"]);
        assert_eq!(
            link("viaf%%https://viaf.org/1%%A%%B"),
            json!({"source": "viaf", "uri": "https://viaf.org/1", "title": "A%%B"})
        );
        assert_eq!(link("viaf"), json!({"source": "viaf"}));
    }
}
