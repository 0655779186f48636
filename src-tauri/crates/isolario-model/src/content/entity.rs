//! A node, a media or a term: an id, a bundle, and values by field name.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::EntityKind;

/// One value of a field: its properties as they are kept (`value`, `target_id` …).
pub type Item = Map<String, Value>;

/// The values of a resource by field name, base fields among them. A missing key is an empty field.
pub type Values = BTreeMap<String, Vec<Item>>;

/// The field with the aliases of a resource.
pub const ALIASES: &str = "path";

/// The field with the time from which an item is public (Unix seconds; the name is that of the module Scheduler of the
/// reference).
pub const PUBLISH_ON: &str = "publish_on";
/// The field with the time from which an item is not public any more.
pub const UNPUBLISH_ON: &str = "unpublish_on";

/// The field that says how far an item that is not published is on its way: `DRAFT` or `IN_REVIEW` (the name is that of the
/// module Content Moderation of the reference).
pub const MODERATION_STATE: &str = "moderation_state";
/// The value of an item that is worked on.
pub const DRAFT: &str = "draft";
/// The value of an item that somebody is to look through and to publish.
pub const IN_REVIEW: &str = "in_review";
/// The field with the account that does the next step of an item.
pub const ASSIGNEE: &str = "assignee";
/// The field with what is said about that step.
pub const REVIEW_NOTE: &str = "review_note";
/// The fields of the review of an item. One that is published has none of them.
pub const REVIEW_FIELDS: [&str; 3] = [MODERATION_STATE, ASSIGNEE, REVIEW_NOTE];

/// A resource with revisions. Base fields (title, status, owner …) are values like all others,
/// so one code path reads, checks and writes them.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    pub kind: EntityKind,
    /// 0 until the database has given one.
    pub id: i64,
    pub uuid: String,
    /// Number of the current revision; 0 until the database has given one.
    pub revision: i64,
    pub bundle: String,
    pub values: Values,
}

impl Entity {
    /// An empty resource of a bundle with a fresh UUID.
    pub fn new(kind: EntityKind, bundle: &str) -> Entity {
        Entity {
            kind,
            id: 0,
            // Those of one time stand together in the index of UUIDs, so that a new one changes few pages (RFC 9562, 5.7).
            uuid: uuid::Uuid::now_v7().to_string(),
            revision: 0,
            bundle: bundle.to_owned(),
            values: Values::new(),
        }
    }

    /// Items of a field, empty when it has none.
    pub fn items(&self, field: &str) -> &[Item] {
        self.values.get(field).map_or(&[], Vec::as_slice)
    }

    /// Replaces all items of a field.
    pub fn set(&mut self, field: &str, items: Vec<Item>) {
        if items.is_empty() {
            self.values.remove(field);
        } else {
            self.values.insert(field.to_owned(), items);
        }
    }

    /// Sets a field to one plain value.
    pub fn set_value(&mut self, field: &str, value: impl Into<Value>) {
        self.set(field, vec![value_item(value)]);
    }

    /// Sets a field to one reference.
    pub fn set_reference(&mut self, field: &str, id: i64) {
        self.set(field, vec![reference_item(id)]);
    }

    fn first(&self, field: &str, property: &str) -> Option<&Value> {
        self.items(field).first()?.get(property)
    }

    /// The text of the first item.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.first(field, "value")?.as_str()
    }

    /// The number in the first item.
    pub fn integer(&self, field: &str) -> Option<i64> {
        self.first(field, "value")?.as_i64()
    }

    /// The id the first item refers to.
    pub fn reference(&self, field: &str) -> Option<i64> {
        self.first(field, "target_id")?.as_i64()
    }

    /// Every id the field refers to.
    pub fn references(&self, field: &str) -> Vec<i64> {
        self.items(field)
            .iter()
            .filter_map(|item| item.get("target_id")?.as_i64())
            .collect()
    }

    /// Its addresses beside its own.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        let items = self.items(ALIASES).iter();
        items.filter_map(|item| item.get("alias")?.as_str())
    }

    /// Title of a node, name of a media or term.
    pub fn label(&self) -> &str {
        self.text(self.kind.label_field()).unwrap_or_default()
    }

    /// Whether everybody with the view permission may see it.
    pub fn is_published(&self) -> bool {
        self.first("status", "value")
            .and_then(Value::as_bool)
            .unwrap_or(false)
    }

    /// User id of the owner; 0 where there is none.
    pub fn owner(&self) -> i64 {
        self.reference("uid").unwrap_or(0)
    }

    /// Unix seconds of the last change.
    pub fn changed(&self) -> i64 {
        self.integer("changed").unwrap_or(0)
    }

    /// When a node is to be published and unpublished (Unix seconds).
    pub fn schedule(&self) -> (Option<i64>, Option<i64>) {
        (self.integer(PUBLISH_ON), self.integer(UNPUBLISH_ON))
    }

    /// The first field of the review that has a value.
    pub fn review_field(&self) -> Option<&'static str> {
        let mut fields = REVIEW_FIELDS.into_iter();
        fields.find(|field| !self.items(field).is_empty())
    }

    /// Takes an item that is published out of the review.
    pub fn end_review(&mut self) {
        for field in REVIEW_FIELDS {
            self.set(field, Vec::new());
        }
    }

    /// Unix seconds of creation.
    pub fn created(&self) -> i64 {
        self.integer("created").unwrap_or(0)
    }
}

/// An item with one plain value.
pub fn value_item(value: impl Into<Value>) -> Item {
    Item::from_iter([("value".to_owned(), value.into())])
}

/// An item that refers to a resource by id.
pub fn reference_item(id: i64) -> Item {
    Item::from_iter([("target_id".to_owned(), Value::from(id))])
}
