//! Item templates: field values that a collection keeps for items in it and below it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Entity, EntityKind, FieldDefinition, Item, Values, field_roles};

/// Where a collection keeps its templates. No field has this name, so no client reads or writes it as one, while
/// revisions, records and backups hold it like one.
const KEPT_AS: &str = "@templates";

/// Base fields that a template may have values for.
const BASE_FIELDS: [&str; 2] = ["status", "langcode"];

/// A set of field values with a name; without a name, the defaults for new items of the collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemTemplate {
    pub name: Option<String>,
    /// The bundle whose fields these are.
    pub bundle: String,
    pub values: Values,
}

impl ItemTemplate {
    /// Whether templates may have values for a field: not for what belongs to one item only.
    pub fn may_have(definition: &FieldDefinition, is_base: bool) -> bool {
        let name = definition.name.as_str();
        let roles = field_roles();
        if is_base {
            return BASE_FIELDS.contains(&name);
        }
        !definition.computed
            && name != roles.member_of
            && name != roles.weight
            && definition.field_type != "comment"
            && definition.target_kind() != Some(EntityKind::File)
    }

    fn read(item: &Item) -> Option<ItemTemplate> {
        serde_json::from_value(Value::Object(item.clone())).ok()
    }

    fn write(&self) -> Option<Item> {
        match serde_json::to_value(self) {
            Ok(Value::Object(item)) => Some(item),
            _ => None,
        }
    }
}

impl Entity {
    /// The templates of a collection by name, its defaults first.
    pub fn templates(&self) -> Vec<ItemTemplate> {
        let items = self.items(KEPT_AS).iter();
        items.filter_map(ItemTemplate::read).collect()
    }

    /// Puts a template in the place of the one with its name. One without values only removes that.
    pub fn put_template(&mut self, template: ItemTemplate) {
        let mut templates = self.templates();
        templates.retain(|kept| kept.name != template.name);
        if !template.values.is_empty() {
            templates.push(template);
        }
        templates.sort_by(|a, b| a.name.cmp(&b.name));
        let items = templates.iter().filter_map(ItemTemplate::write).collect();
        self.set(KEPT_AS, items);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::entity::value_item;

    fn template(name: Option<&str>, value: &str) -> ItemTemplate {
        ItemTemplate {
            name: name.map(str::to_owned),
            bundle: "page".into(),
            values: Values::from([("body".into(), vec![value_item(value)])]),
        }
    }

    #[test]
    fn a_template_takes_the_place_of_the_one_with_its_name() {
        let mut collection = Entity::new(EntityKind::Node, "page");
        for one in [
            template(Some("Negative"), "a"),
            template(None, "b"),
            template(Some("Negative"), "c"),
        ] {
            collection.put_template(one);
        }
        let kept = [template(None, "b"), template(Some("Negative"), "c")];
        assert_eq!(collection.templates(), kept);
        collection.put_template(ItemTemplate {
            values: Values::new(),
            ..template(None, "")
        });
        assert_eq!(collection.templates(), kept[1..]);
    }
}
