//! From a resource of a site to the values of one here.

use std::collections::HashMap;

use isolario_core::actions::permitted_references::PermittedReferences;
use isolario_core::actions::request_body::{bundle_keys, definition_of};
use isolario_core::actions::validation::validate_field;
use isolario_db::{DbError, Read};
use isolario_model::content::base_fields::base_field;
use isolario_model::content::{Bundle, EntityKind, FieldDefinition, Item, Values};
use isolario_model::fields::{read_items, same_item};
use isolario_model::policy::Actor;
use serde_json::{Map, Value};

use crate::remote::{RemoteEntity, RemoteReference, reference_of};

/// What became of a resource of the site, by its kind and id there.
pub type Arrived = HashMap<(EntityKind, i64), Arrival>;

/// What a resource of the site is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// The resource with this id.
    Here(i64),
    /// It would come, if this were no check.
    Planned,
    /// It could not come.
    Failed,
}

/// The values that a resource has here.
#[derive(Debug, Default)]
pub struct Mapped {
    pub values: Values,
    /// Fields that lose values, with the reasons.
    pub lost: Vec<(String, String)>,
    /// Fields with values that the bundle does not have.
    pub unknown: Vec<String>,
    /// Whether it refers to a node that has not come yet.
    pub is_waiting: bool,
    /// Whether it refers to something that only a check leaves out.
    pub is_planned: bool,
}

/// Maps one resource, in one snapshot of the database.
pub struct Mapping<'a> {
    pub read: &'a Read<'a>,
    pub actor: &'a Actor,
    pub bundle: &'a Bundle,
    pub arrived: &'a Arrived,
    /// Whether nothing comes any more, so that what is missing is lost.
    pub is_last: bool,
}

enum Target {
    Here(i64),
    Planned,
    Waiting,
    Lost(String),
}

impl Mapping<'_> {
    /// The values of a resource.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn map(&self, remote: &RemoteEntity) -> Result<Mapped, DbError> {
        let mut mapped = Mapped::default();
        for (name, value) in &remote.fields {
            let is_empty = value.as_array().is_none_or(Vec::is_empty);
            let Some(definition) = taken(self.bundle, name) else {
                if !is_empty && !is_known(self.bundle, name) {
                    mapped.unknown.push(name.clone());
                }
                continue;
            };
            // What the program fills in from the file stays where the site has nothing.
            if is_empty && self.bundle.field_map.values().any(|field| field == name) {
                continue;
            }
            let items = self.items(definition, value, &mut mapped)?;
            mapped.values.insert(name.clone(), items);
        }
        Ok(mapped)
    }

    fn items(
        &self,
        definition: &FieldDefinition,
        value: &Value,
        mapped: &mut Mapped,
    ) -> Result<Vec<Item>, DbError> {
        let references = PermittedReferences::new(self.read, self.actor);
        let mut items: Vec<Item> = Vec::new();
        let mut lose = |reason: String| mapped.lost.push((definition.name.clone(), reason));
        for sent in value.as_array().into_iter().flatten() {
            let mut sent = sent.as_object().cloned().unwrap_or_default();
            match self.aim(definition, &mut sent)? {
                None | Some(Target::Here(_)) => {}
                Some(Target::Planned) => {
                    mapped.is_planned = true;
                    continue;
                }
                Some(Target::Waiting) => {
                    mapped.is_waiting = true;
                    continue;
                }
                Some(Target::Lost(reason)) => {
                    lose(reason);
                    continue;
                }
            }
            match read_items(definition, &Value::Array(vec![sent.into()]), &references) {
                Ok(read) => items.extend(read),
                Err(error) => lose(isolario_core::actions::Refusal::from(error).to_string()),
            }
        }
        let wrong = |item: &Item| {
            let alone = std::slice::from_ref(item);
            let violations = validate_field(self.bundle, definition, alone, &references);
            violations.first().map(|one| one.message.clone())
        };
        items.retain(|item| match wrong(item) {
            Some(message) => {
                lose(message);
                false
            }
            None => true,
        });
        if let Some(limit) = definition.limit().filter(|limit| items.len() > *limit) {
            lose(format!(
                "Only {limit} of {} values have a place.",
                items.len()
            ));
            items.truncate(limit);
        }
        references.settle(items)
    }

    /// Turns a reference to a resource of the site into one to a resource here. `None` where the item is no reference.
    fn aim(
        &self,
        definition: &FieldDefinition,
        item: &mut Map<String, Value>,
    ) -> Result<Option<Target>, DbError> {
        let Some(kind) = definition.target_kind() else {
            return Ok(None);
        };
        let Some(reference) = reference_of(kind, item) else {
            return Ok(None);
        };
        let target = self.target(&reference)?;
        if let Target::Here(id) = target {
            item.insert("target_id".into(), id.into());
            item.shift_remove("target_uuid");
        }
        Ok(Some(target))
    }

    fn target(&self, reference: &RemoteReference) -> Result<Target, DbError> {
        let RemoteReference { kind, id, uuid } = reference;
        let name = kind.target_type();
        match self.arrived.get(&(*kind, *id)) {
            Some(Arrival::Here(id)) => return Ok(Target::Here(*id)),
            Some(Arrival::Planned) => return Ok(Target::Planned),
            Some(Arrival::Failed) => {
                return Ok(Target::Lost(format!(
                    "It refers to {name} {id}, which did not come."
                )));
            }
            None => {}
        }
        let Some(uuid) = uuid else {
            return Ok(Target::Lost(format!(
                "It refers to {name} {id}, which the site does not show."
            )));
        };
        if let Some(here) = self.read.id_of_uuid(*kind, uuid)? {
            return Ok(Target::Here(here));
        }
        Ok(match self.is_last {
            true => Target::Lost(format!(
                "It refers to {name} {id}, which is not part of this import."
            )),
            false => Target::Waiting,
        })
    }
}

/// The definition of a field whose values come. The owner does not: accounts are those of this repository.
pub fn taken<'b>(bundle: &'b Bundle, name: &str) -> Option<&'b FieldDefinition> {
    let kind = bundle.kind;
    let is_own =
        bundle_keys(kind).contains(&name) || name == "uid" || name == kind.revision_log_field();
    let definition = definition_of(bundle, name)?;
    (!is_own && !definition.computed).then_some(definition)
}

fn is_known(bundle: &Bundle, name: &str) -> bool {
    // What a site adds to every resource for its own pages is nothing that anybody described.
    const OF_THE_SITE: [&str; 2] = ["metatag", "menu_link"];
    bundle_keys(bundle.kind).contains(&name)
        || base_field(bundle.kind, name).is_some()
        || OF_THE_SITE.contains(&name)
}

/// What a resource refers to, of these kinds.
pub fn references(
    bundle: &Bundle,
    remote: &RemoteEntity,
    kinds: &[EntityKind],
) -> Vec<RemoteReference> {
    let names = remote.fields.keys();
    let definitions = names.filter_map(|name| taken(bundle, name));
    let references = definitions.filter_map(|definition| {
        let kind = definition.target_kind()?;
        kinds
            .contains(&kind)
            .then(|| remote.references(&definition.name, kind))
    });
    references.flatten().collect()
}

/// The values of the site, with those that say the same as the ones here replaced by these: a value may have properties
/// beside those of its type.
pub fn align(bundle: &Bundle, mut values: Values, here: &Values) -> Values {
    for (name, items) in &mut values {
        let (Some(definition), Some(kept)) = (definition_of(bundle, name), here.get(name)) else {
            continue;
        };
        let is_same = kept.len() == items.len()
            && kept
                .iter()
                .zip(&*items)
                .all(|(kept, item)| same_item(definition, kept, item));
        if is_same {
            items.clone_from(kept);
        }
    }
    values
}
