//! Converts the texts of sidecars into the values that REST takes: terms by name or URI, dates, numbers, links.

use serde_json::{Map, Value, json};

use super::WatchedFolder;
use super::sidecar::{Description, SidecarValue};
use isolario_core::actions::create_entity::{Creation, create_entity};
use isolario_core::actions::{Author, Refusal};
use isolario_db::{DbError, Read};
use isolario_model::content::base_fields::base_field;
use isolario_model::content::{Bundle, EntityKind, FieldDefinition};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// What happens with missing terms, if the rule allows new ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terms {
    Made,
    /// They are reported, but not made, because this is a dry run.
    Promised,
}

/// The body of a resource of a bundle, from the texts of its sidecars.
///
/// # Errors
/// `Invalid` with a sentence for a field that does not exist, and for a missing term that may not be made.
pub async fn body_of(
    watched: &WatchedFolder,
    actor: &Actor,
    bundle: &Bundle,
    description: &Description,
    terms: Terms,
) -> Result<Map<String, Value>, Refusal> {
    let mut body = Map::new();
    for (field, said) in description {
        let definition = base_field(bundle.kind, field).or_else(|| bundle.field(field));
        let definition = definition.ok_or_else(|| {
            Refusal::Invalid(format!(
                "There is no field {field}; the description names one."
            ))
        })?;
        let mut items = Vec::new();
        for said in said {
            items.extend(match said {
                SidecarValue::Item(item) => Some(item.clone()),
                SidecarValue::Text(text) => {
                    item(watched, actor, definition, text.trim(), terms).await?
                }
            });
        }
        body.insert(field.clone(), Value::Array(items));
    }
    Ok(body)
}

async fn item(
    watched: &WatchedFolder,
    actor: &Actor,
    definition: &FieldDefinition,
    text: &str,
    terms: Terms,
) -> Result<Option<Value>, Refusal> {
    Ok(Some(match definition.field_type.as_str() {
        "entity_reference" if definition.target_kind() == Some(EntityKind::Term) => {
            let Some(tid) = term(watched, actor, definition, text, terms).await? else {
                return Ok(None);
            };
            json!({ "target_id": tid })
        }
        "entity_reference" | "file" | "image" => json!({ "target_id": number(definition, text)? }),
        "typed_relation" => {
            let (relator, name) = relator_of(text);
            let Some(tid) = term(watched, actor, definition, name, terms).await? else {
                return Ok(None);
            };
            json!({ "target_id": tid, "rel_type": relator })
        }
        "link" => json!({ "uri": text }),
        "authority_link" => authority_link(text),
        "geolocation" => point(definition, text)?,
        "integer" => json!({ "value": number(definition, text)? }),
        "boolean" => {
            json!({ "value": matches!(text.to_lowercase().as_str(), "1" | "true" | "yes") })
        }
        _ => json!({ "value": text }),
    }))
}

fn number(definition: &FieldDefinition, text: &str) -> Result<i64, Refusal> {
    text.parse().map_err(|_| {
        Refusal::Invalid(format!(
            "{text:?} in {} is no whole number.",
            definition.name
        ))
    })
}

fn point(definition: &FieldDefinition, text: &str) -> Result<Value, Refusal> {
    let parts = text.split_once(',');
    let degrees = parts.and_then(|(lat, lng)| {
        let degrees = |text: &str| text.trim().parse::<f64>().ok();
        Some((degrees(lat)?, degrees(lng)?))
    });
    let (lat, lng) = degrees.ok_or_else(|| {
        Refusal::Invalid(format!(
            "{text:?} in {} is no point such as 49.27,-123.1.",
            definition.name
        ))
    })?;
    Ok(json!({ "lat": lat, "lng": lng }))
}

/// `source%%uri`, or a plain URI.
fn authority_link(text: &str) -> Value {
    match text.split_once("%%") {
        Some((source, uri)) => json!({ "source": source, "uri": uri }),
        None => json!({ "uri": text, "source": "other" }),
    }
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

/// The id of a term; `None` for one that a dry run only reports.
async fn term(
    watched: &WatchedFolder,
    actor: &Actor,
    definition: &FieldDefinition,
    text: &str,
    terms: Terms,
) -> Result<Option<i64>, Refusal> {
    let (vocabularies, name) = vocabularies(definition, text);
    let db = &watched.repository.db;
    let find = || db.read_here(|read| find_term(read, &vocabularies, name));
    if let Some(tid) = find()? {
        return Ok(Some(tid));
    }
    let is_uri = name.starts_with("http://") || name.starts_with("https://");
    let vocabulary = vocabularies.first().filter(|_| !is_uri && !name.is_empty());
    let (Some(vocabulary), true) = (vocabulary, watched.rule.create_terms) else {
        return Err(Refusal::Invalid(format!(
            "There is no term {name:?} for {}.",
            definition.label
        )));
    };
    if terms == Terms::Promised {
        return Ok(None);
    }
    // Two files that name the same new term make it once.
    let _turn = watched.turns.lock().await;
    if let Some(tid) = find()? {
        return Ok(Some(tid));
    }
    let body = json!({ "vid": [{ "target_id": vocabulary }], "name": [{ "value": name }] });
    let author = Author::new(actor, Origin::Watch);
    let term = Creation::new(EntityKind::Term, body.to_string().into_bytes());
    let made = create_entity(db, &watched.repository.model, term, actor, author).await?;
    Ok(Some(made.id))
}

/// Finds the term of a text in some vocabularies: by id, URI, or name regardless of case.
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
    for vocabulary in vocabularies {
        if let Some(tid) = read.term_by_name(vocabulary, text)? {
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
}
