//! Bodies of requests, with references to the resources of the site.

use isolario_model::content::base_fields::base_field;
use isolario_model::content::entity::ALIASES;
use isolario_model::content::{Bundle, Entity, EntityKind, FieldDefinition, Item};
use serde_json::{Map, Value, json};

use super::Push;
use crate::mapping::taken;
use crate::stop::Stop;

impl Push<'_> {
    /// The fields of a resource that a site may take: those of its bundle, and the base fields that people set.
    pub(super) fn fields<'b>(&self, bundle: &'b Bundle, of: &Entity) -> Vec<&'b FieldDefinition> {
        let names = of.values.keys();
        let definitions = names.filter_map(|name| taken(bundle, name));
        definitions
            .filter(|definition| definition.target_kind() != Some(EntityKind::File))
            .filter(|definition| definition.name != ALIASES)
            .collect()
    }

    /// The items of a field as the site takes them.
    pub(super) async fn items(
        &mut self,
        of: &Entity,
        definition: &FieldDefinition,
    ) -> Result<Value, Stop> {
        let Some(kind) = definition.target_kind() else {
            let items = of.items(&definition.name).iter();
            return Ok(items.cloned().map(Value::Object).collect());
        };
        let mut items = Vec::new();
        for item in of.items(&definition.name) {
            let id = item.get("target_id").and_then(Value::as_i64).unwrap_or(0);
            match self.remote_of(kind, id).await? {
                Some(remote) => items.push(aimed(item, kind, remote)),
                None => {
                    let reason = format!(
                        "It refers to {} {id}, which is not there.",
                        kind.target_type()
                    );
                    self.lose(of, Some(&definition.name), reason);
                }
            }
        }
        Ok(Value::Array(items))
    }

    async fn remote_of(&mut self, kind: EntityKind, id: i64) -> Result<Option<i64>, Stop> {
        match kind {
            EntityKind::Term => self.term(id).await,
            EntityKind::Node => self.sent_node(id),
            _ => Ok(None),
        }
    }
}

/// The item with the id of the target there.
fn aimed(item: &Item, kind: EntityKind, remote: i64) -> Value {
    let mut item = item.clone();
    item.insert("target_id".into(), remote.into());
    item.insert("target_type".into(), kind.target_type().into());
    Value::Object(item)
}

/// A body that names the bundle.
pub(super) fn body_of(of: &Entity) -> Map<String, Value> {
    let bundle = json!([{"target_id": of.bundle, "target_type": of.kind.bundle_target_type()}]);
    Map::from_iter([(of.kind.bundle_field().to_owned(), bundle)])
}

/// Whether a field has to be sent when a resource is made.
pub(super) fn is_needed(of: &Entity, definition: &FieldDefinition) -> bool {
    let is_base = base_field(of.kind, &definition.name).is_some();
    // What is not published must not be so for a moment.
    definition.required || (is_base && definition.name == "status" && !of.is_published())
}
