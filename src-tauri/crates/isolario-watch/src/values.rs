//! Converts the texts of sidecars into the values that REST takes, and makes the terms that they name.

use serde_json::{Map, Value, json};

use super::WatchedFolder;
use super::sidecar::{Description, SidecarValue};
use isolario_core::actions::create_entity::{Creation, create_entity};
use isolario_core::actions::text_values::{TextValue, no_term, text_value};
use isolario_core::actions::{Author, Refusal};
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
    let db = &watched.repository.db;
    let find = || db.read_here(|read| text_value(read, definition, text));
    let new = match find()? {
        TextValue::Item(item) => return Ok(Some(item)),
        TextValue::NewTerm(new) => new,
    };
    if !watched.rule.create_terms {
        return Err(no_term(definition, &new.name));
    }
    if terms == Terms::Promised {
        return Ok(None);
    }
    // Two files that name the same new term make it once.
    let _turn = watched.turns.lock().await;
    if let TextValue::Item(item) = find()? {
        return Ok(Some(item));
    }
    let body = json!({ "vid": [{ "target_id": new.vocabulary }], "name": [{ "value": new.name }] });
    let author = Author::new(actor, Origin::Watch);
    let term = Creation::new(EntityKind::Term, body.to_string().into_bytes());
    let made = create_entity(db, &watched.repository.model(), term, actor, author).await?;
    Ok(Some(new.with_id(made.id)))
}
