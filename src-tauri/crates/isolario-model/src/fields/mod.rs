//! One file per field type: how its values are read from a client, checked, written, indexed and
//! said in RDF. The registry below is the only list of them.

mod authority_link;
mod boolean;
mod bundle;
mod cell;
mod comment;
mod edtf;
mod entity_reference;
mod file;
mod geolocation;
mod html;
mod image;
mod index;
mod input;
mod integer;
mod language;
mod link;
mod list_string;
mod media_track;
mod path;
mod property;
mod string;
mod string_long;
mod text;
mod timestamp;
mod typed_relation;
mod violation;
mod written_item;

pub use cell::TermNotation;
pub use edtf::days_of;
pub use index::{FieldWords, field_words, index_rows};
pub use input::{InputError, check_items, read_items, same_item};
pub(crate) use link::is_uri;
pub use property::{Property, Shape};
pub use timestamp::{FORMAT as TIMESTAMP_FORMAT, iso};
pub use violation::{Violation, ViolationCode, message_of};
pub use written_item::WrittenItem;

use std::sync::Arc;

use serde_json::Value;

use crate::content::{
    ContentModel, EntityKind, FieldDefinition, FileUri, IndexValue, Item, Target,
};

/// Finds the targets of references while a field type reads and validates values.
pub trait ReferenceLookup {
    /// The live resource of that kind and id, if the actor may view it, and so refer to it.
    fn target(&self, kind: EntityKind, id: i64) -> Option<Target>;
    /// The id of the live resource of that kind and UUID, likewise.
    fn id_of_uuid(&self, kind: EntityKind, uuid: &str) -> Option<i64>;
}

/// What a field type reads to write values for a client.
pub trait FieldContext {
    /// The live resource of that kind and id, if the actor may view it.
    fn target(&self, kind: EntityKind, id: i64) -> Option<Arc<Target>>;
    /// Absolute address of a path that starts with `/`.
    fn absolute(&self, path: &str) -> String;
    /// Public path of a file's bytes.
    fn file_path(&self, uri: &FileUri) -> String;
    /// The URI of a term: its external one, otherwise that of its record in an authority file.
    fn uri_of_term(&self, term: &Target) -> Option<String>;
    /// The content model.
    fn model(&self) -> &ContentModel;
}

/// A triple's object under a predicate of its own (a relator), or under the field's predicates.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// Full IRI; `None` for the predicates of the field definition.
    pub predicate: Option<String>,
    /// A JSON-LD value object or node reference.
    pub object: Value,
}

impl Statement {
    /// A literal with a datatype of XML Schema.
    pub fn literal(value: &str, datatype: &str) -> Statement {
        Statement {
            predicate: None,
            object: serde_json::json!({
                "@value": value,
                "@type": format!("http://www.w3.org/2001/XMLSchema#{datatype}"),
            }),
        }
    }

    /// A literal in a language.
    pub fn text(value: &str, language: &str) -> Statement {
        Statement {
            predicate: None,
            object: serde_json::json!({ "@value": value, "@language": language }),
        }
    }

    /// A reference to a thing by its address.
    pub fn thing(id: String) -> Statement {
        Statement {
            predicate: None,
            object: serde_json::json!({ "@id": id }),
        }
    }
}

/// One type of field.
pub trait FieldType: Sync {
    /// The properties a client may send, the main one first.
    fn properties(&self) -> &'static [Property];

    /// Turns coerced properties into the item that is kept.
    ///
    /// # Errors
    /// The complete message where the reference refuses before it validates.
    fn accept(
        &self,
        _definition: &FieldDefinition,
        item: Item,
        _references: &dyn ReferenceLookup,
    ) -> Result<Item, String> {
        Ok(item)
    }

    /// Whether the item says nothing; such items are dropped.
    fn is_empty(&self, item: &Item) -> bool {
        match item.get(self.properties()[0].name) {
            None | Some(Value::Null) => true,
            Some(Value::String(text)) => text.is_empty(),
            Some(_) => false,
        }
    }

    /// The rules of this type. Shapes of properties are checked for all types alike.
    fn check(
        &self,
        _definition: &FieldDefinition,
        _item: &Item,
        _references: &dyn ReferenceLookup,
    ) -> Vec<Violation> {
        Vec::new()
    }

    /// The item as a client reads it.
    fn write<'i>(
        &self,
        _definition: &FieldDefinition,
        item: &'i Item,
        _context: &dyn FieldContext,
    ) -> WrittenItem<'i> {
        WrittenItem::Kept(item)
    }

    /// The item as one value in a cell of a table.
    fn cell(
        &self,
        _definition: &FieldDefinition,
        item: &Item,
        _context: &dyn FieldContext,
        _terms: TermNotation,
    ) -> String {
        cell::text_of(item, self.properties()[0].name)
    }

    /// The item in the shapes it is found by; the first of each shape is kept.
    fn index(&self, _definition: &FieldDefinition, _item: &Item) -> Option<IndexValue> {
        None
    }

    /// The words of the item by which it is found, as people read them.
    fn words(&self, definition: &FieldDefinition, item: &Item) -> Option<String> {
        match self.index(definition, item)? {
            IndexValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What the item says in RDF.
    fn statements(
        &self,
        _definition: &FieldDefinition,
        _item: &Item,
        _context: &dyn FieldContext,
    ) -> Vec<Statement> {
        Vec::new()
    }
}

/// The type of that name. Unknown names are read and kept as plain strings.
pub fn field_type(name: &str) -> &'static dyn FieldType {
    match name {
        "authority_link" => &authority_link::AuthorityLink,
        "boolean" => &boolean::Boolean,
        "bundle" => &bundle::BundleReference,
        "comment" => &comment::Comment,
        "edtf" => &edtf::EdtfDate,
        "entity_reference" => &entity_reference::EntityReference,
        "file" => &file::File,
        "geolocation" => &geolocation::Geolocation,
        "image" => &image::Image,
        "integer" => &integer::Integer,
        "language" => &language::Language,
        "link" => &link::Link,
        "list_string" => &list_string::ListString,
        "media_track" => &media_track::MediaTrack,
        "path" => &path::PathAlias,
        "string_long" => &string_long::StringLong,
        "text" | "text_long" => &text::FormattedText { summary: false },
        "text_with_summary" => &text::FormattedText { summary: true },
        "timestamp" => &timestamp::Timestamp,
        "typed_relation" => &typed_relation::TypedRelation,
        _ => &string::PlainString,
    }
}

#[cfg(test)]
mod tests;
