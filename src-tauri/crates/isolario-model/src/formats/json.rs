//! Resources as JSON (interface, Resources and their fields), escaped as the reference escapes.

use std::io;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;
use serde_json::{Value, json};

use crate::content::base_fields::base_fields;
use crate::content::entity::{ALIASES, PUBLISH_ON, REVIEW_FIELDS, UNPUBLISH_ON};
use crate::content::{Bundle, Entity, EntityKind, FieldDefinition, Item, model_roles};
use crate::fields::{FieldContext, field_type};

/// Any value as the bytes of a response body: `/`, `<`, `>`, `&` and `'` escaped, non-ASCII as `\uXXXX`.
pub fn encode(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(1024);
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, EscapingFormatter);
    // Writing a tree of values into memory cannot fail.
    let _ = value.serialize(&mut serializer);
    bytes
}

struct EscapingFormatter;

impl Formatter for EscapingFormatter {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.bytes().position(is_escaped) {
            let (plain, special) = rest.split_at(at);
            writer.write_all(plain.as_bytes())?;
            let mut letters = special.chars();
            if let Some(letter) = letters.next() {
                write_escaped(writer, letter)?;
            }
            rest = letters.as_str();
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        escape: serde_json::ser::CharEscape,
    ) -> io::Result<()> {
        if let serde_json::ser::CharEscape::Quote = escape {
            return writer.write_all(b"\\u0022");
        }
        serde_json::ser::CompactFormatter.write_char_escape(writer, escape)
    }
}

/// Whether a byte begins a letter that is not written as it is.
fn is_escaped(byte: u8) -> bool {
    !byte.is_ascii() || matches!(byte, b'/' | b'<' | b'>' | b'&' | b'\'')
}

fn write_escaped<W: ?Sized + io::Write>(writer: &mut W, character: char) -> io::Result<()> {
    if character == '/' {
        return writer.write_all(b"\\/");
    }
    let mut units = [0u16; 2];
    for unit in character.encode_utf16(&mut units) {
        write!(writer, "\\u{unit:04X}")?;
    }
    Ok(())
}

/// A node, media or term as a client reads it, as the bytes of a response body: base fields in their
/// order, then fields by name.
pub fn encode_entity(entity: &Entity, bundle: &Bundle, context: &dyn FieldContext) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 * 1024);
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, EscapingFormatter);
    // Writing into memory cannot fail.
    let _ = serialize_entity(&mut serializer, entity, bundle, context);
    bytes
}

/// The same as a value, to stand within another answer.
pub fn write_entity(entity: &Entity, bundle: &Bundle, context: &dyn FieldContext) -> Value {
    // Writing into memory cannot fail.
    serialize_entity(serde_json::value::Serializer, entity, bundle, context).unwrap_or_default()
}

fn serialize_entity<S: Serializer>(
    serializer: S,
    entity: &Entity,
    bundle: &Bundle,
    context: &dyn FieldContext,
) -> Result<S::Ok, S::Error> {
    let mut resource = serializer.serialize_map(None)?;
    for definition in base_fields(entity.kind) {
        serialize_base(&mut resource, entity, bundle, (definition, context))?;
    }
    for definition in bundle.fields_by_name() {
        let items = FieldItems::new(definition, entity.items(&definition.name), context);
        resource.serialize_entry(&definition.name, &items)?;
    }
    resource.end()
}

/// The items of a field, written one after the other without a copy.
struct FieldItems<'w> {
    definition: &'w FieldDefinition,
    items: &'w [Item],
    context: &'w dyn FieldContext,
}

impl<'w> FieldItems<'w> {
    fn new(
        definition: &'w FieldDefinition,
        items: &'w [Item],
        context: &'w dyn FieldContext,
    ) -> FieldItems<'w> {
        FieldItems {
            definition,
            items,
            context,
        }
    }
}

impl Serialize for FieldItems<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kind = field_type(&self.definition.field_type);
        let items = self.items.iter();
        serializer.collect_seq(items.map(|item| kind.write(self.definition, item, self.context)))
    }
}

/// A single plain value as an item.
#[derive(Serialize)]
struct ValueItem<T> {
    value: T,
}

/// A bundle as an item.
#[derive(Serialize)]
struct BundleItem<'b> {
    target_id: &'b str,
    target_type: &'static str,
    target_uuid: &'b str,
}

/// An address that nobody has given.
#[derive(Serialize)]
struct NoAlias {
    alias: (),
    pid: (),
    langcode: &'static str,
}

fn serialize_base<M: SerializeMap>(
    resource: &mut M,
    entity: &Entity,
    bundle: &Bundle,
    (definition, context): (&FieldDefinition, &dyn FieldContext),
) -> Result<(), M::Error> {
    let name = definition.name.as_str();
    let kind = entity.kind;
    let stored = match name {
        _ if name == kind.id_field() => {
            return resource.serialize_entry(name, &[ValueItem { value: entity.id }]);
        }
        _ if name == kind.revision_field() => {
            let value = entity.revision;
            return resource.serialize_entry(name, &[ValueItem { value }]);
        }
        "uuid" => {
            let value = entity.uuid.as_str();
            return resource.serialize_entry(name, &[ValueItem { value }]);
        }
        _ if name == kind.bundle_field() => {
            let item = BundleItem {
                target_id: &bundle.id,
                target_type: bundle.kind.bundle_target_type(),
                target_uuid: &bundle.uuid,
            };
            return resource.serialize_entry(name, &[item]);
        }
        "default_langcode" | "revision_translation_affected" => {
            return resource.serialize_entry(name, &[ValueItem { value: true }]);
        }
        "content_translation_source" => {
            return resource.serialize_entry(name, &[ValueItem { value: "und" }]);
        }
        "content_translation_outdated" => {
            return resource.serialize_entry(name, &[ValueItem { value: false }]);
        }
        PUBLISH_ON | UNPUBLISH_ON if entity.items(name).is_empty() => return Ok(()),
        _ if REVIEW_FIELDS.contains(&name) && entity.items(name).is_empty() => return Ok(()),
        ALIASES if !entity.items(ALIASES).is_empty() => ALIASES,
        ALIASES if !has_path(kind, bundle) => return Ok(()),
        ALIASES => {
            let item = NoAlias {
                alias: (),
                pid: (),
                langcode: "en",
            };
            return resource.serialize_entry(name, &[item]);
        }
        "parent" if entity.items(name).is_empty() => {
            return resource.serialize_entry(name, &json!([{ "target_id": null }]));
        }
        "content_translation_uid" => "uid",
        "content_translation_created" => "created",
        _ => name,
    };
    let items = FieldItems::new(definition, entity.items(stored), context);
    resource.serialize_entry(name, &items)
}

/// The reference shows an empty `path` on terms and on bundles that came with its core.
fn has_path(kind: EntityKind, bundle: &Bundle) -> bool {
    match kind {
        EntityKind::Node => bundle.id != model_roles().bundles.item,
        EntityKind::Media => !matches!(bundle.id.as_str(), "image" | "file" | "audio" | "video"),
        _ => true,
    }
}
