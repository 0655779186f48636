//! The kinds of change of many items, as requests name them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::content::field_roles;

/// What is done to each item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum ItemChange {
    /// Adds the values that a field lacks. A field for one value gets it only when it is empty.
    Add {
        field: String,
        #[schema(value_type = Vec<Object>)]
        values: Vec<Value>,
    },
    /// Removes values from a field.
    Remove {
        field: String,
        #[schema(value_type = Vec<Object>)]
        values: Vec<Value>,
    },
    /// Replaces all values of a field. Without values it is cleared.
    Set {
        field: String,
        #[schema(value_type = Vec<Object>)]
        values: Vec<Value>,
    },
    /// Replaces one value of a field by others, at its place.
    Replace {
        field: String,
        #[schema(value_type = Object)]
        find: Value,
        #[schema(value_type = Vec<Object>)]
        values: Vec<Value>,
    },
    /// Replaces a part of texts, wherever it occurs. A text of which nothing is left is removed.
    ReplaceText {
        /// Names of fields of text, dates or links. Without them: the title and every field of text.
        #[serde(default)]
        fields: Option<Vec<String>>,
        find: String,
        /// For an expression, `$1` and `${name}` stand for what its groups found, `$0` for all, `$$` for a dollar.
        by: String,
        /// How `find` is read.
        #[serde(default, rename = "match")]
        matching: TextMatch,
        /// Whether upper and lower case matter.
        #[serde(default)]
        match_case: bool,
    },
    /// Replaces a term by another one. An item that has the other one already only loses this one.
    ReplaceTerm {
        /// Names of fields of terms. Without them: every field that may have the other term.
        #[serde(default)]
        fields: Option<Vec<String>>,
        /// Id of the term that is replaced.
        find: i64,
        /// Id of the term that takes its place.
        by: i64,
    },
    /// Moves items from one collection to another.
    Move {
        /// The collection that they leave; without it all that they are in.
        #[serde(default)]
        from: Option<i64>,
        /// The collection that they come to; without it none.
        #[serde(default)]
        to: Option<i64>,
        /// Whether they also stay where they are.
        #[serde(default)]
        keep: bool,
    },
    /// Fills empty fields with what the original file says about itself.
    TakeFacts {},
    /// Gives values to several fields, as another item or a template has them. Items without such a field do without.
    Describe {
        /// Values by the name of the field.
        #[schema(value_type = BTreeMap<String, Vec<Object>>)]
        values: BTreeMap<String, Vec<Value>>,
        /// Whether they take the place of values that a field has.
        #[serde(default)]
        replace: bool,
    },
    /// Rotates the pictures of items. What is made of the original files follows; these stay as they are.
    Rotate {
        /// Degrees clockwise: 90, 180 or 270.
        #[schema(minimum = 90, maximum = 270, multiple_of = 90)]
        by: u16,
    },
    /// Makes copies of items, without their media and members.
    Duplicate {
        /// The title of a copy; `{title}` stands for the title of the item.
        #[schema(example = "{title} (copy)", max_length = 255)]
        title: String,
    },
    /// Gives items the weights that put them in order.
    Order { weights: Vec<ItemWeight> },
    /// Moves items to the trash.
    Delete {
        /// Whether their media and files go with them.
        #[serde(default)]
        with_media: bool,
        /// Whether an item that is also a member of another collection, which is not deleted, stays in that one.
        #[serde(default)]
        keep_shared: bool,
    },
    /// Restores entries of the trash, with what was deleted with them.
    Restore {},
    /// Purges entries of the trash, with what was deleted with them. This cannot be taken back.
    Purge {},
}

/// How the text to find is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextMatch {
    /// Anywhere, also within words.
    #[default]
    Text,
    /// As whole words.
    Word,
    /// As a regular expression (syntax of the Rust crate `regex`).
    Regex,
}

/// The place of an item among its siblings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ItemWeight {
    pub nid: i64,
    pub weight: i64,
}

impl ItemChange {
    /// Every kind of change, by name.
    pub const ACTS: [&str; 15] = [
        "add",
        "remove",
        "set",
        "replace",
        "replace_text",
        "replace_term",
        "move",
        "take_facts",
        "describe",
        "rotate",
        "duplicate",
        "order",
        "delete",
        "restore",
        "purge",
    ];

    /// The name of the kind.
    pub fn act(&self) -> &'static str {
        let index = match self {
            ItemChange::Add { .. } => 0,
            ItemChange::Remove { .. } => 1,
            ItemChange::Set { .. } => 2,
            ItemChange::Replace { .. } => 3,
            ItemChange::ReplaceText { .. } => 4,
            ItemChange::ReplaceTerm { .. } => 5,
            ItemChange::Move { .. } => 6,
            ItemChange::TakeFacts {} => 7,
            ItemChange::Describe { .. } => 8,
            ItemChange::Rotate { .. } => 9,
            ItemChange::Duplicate { .. } => 10,
            ItemChange::Order { .. } => 11,
            ItemChange::Delete { .. } => 12,
            ItemChange::Restore {} => 13,
            ItemChange::Purge {} => 14,
        };
        ItemChange::ACTS[index]
    }

    /// How many values of a field or how many fields the change names, whichever are more.
    pub(super) fn names(&self) -> usize {
        match self {
            ItemChange::Add { values, .. }
            | ItemChange::Remove { values, .. }
            | ItemChange::Set { values, .. }
            | ItemChange::Replace { values, .. } => values.len(),
            ItemChange::Describe { values, .. } => {
                let longest = values.values().map(Vec::len).max().unwrap_or(0);
                longest.max(values.len())
            }
            _ => self.fields().len(),
        }
    }

    /// The fields that the change names; none where it decides for each item.
    pub fn fields(&self) -> Vec<&str> {
        match self {
            ItemChange::Add { field, .. }
            | ItemChange::Remove { field, .. }
            | ItemChange::Set { field, .. }
            | ItemChange::Replace { field, .. } => vec![field],
            ItemChange::ReplaceText { fields, .. } | ItemChange::ReplaceTerm { fields, .. } => {
                fields.iter().flatten().map(String::as_str).collect()
            }
            ItemChange::Move { .. } => vec![&field_roles().member_of],
            ItemChange::Describe { values, .. } => values.keys().map(String::as_str).collect(),
            ItemChange::Order { .. } => vec![&field_roles().weight],
            ItemChange::TakeFacts {}
            | ItemChange::Rotate { .. }
            | ItemChange::Duplicate { .. }
            | ItemChange::Delete { .. }
            | ItemChange::Restore {}
            | ItemChange::Purge {} => Vec::new(),
        }
    }
}
