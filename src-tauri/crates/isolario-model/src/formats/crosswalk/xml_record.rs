//! Records in XML: members of templates are elements, those with an `@` attributes, `#text` is the text between.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::xml::escape;
use super::{RecordFormat, RecordPart};

const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// A record with its namespaces.
pub(super) fn write(format: &RecordFormat, all: &[RecordPart<'_>]) -> String {
    let root = format.root.as_deref().unwrap_or_default();
    let mut xml = format!("<{root}");
    for (prefix, address) in &format.namespaces {
        let name = match prefix.is_empty() {
            true => "xmlns".to_owned(),
            false => format!("xmlns:{prefix}"),
        };
        xml.push_str(&format!("\n    {name}=\"{}\"", escape(address)));
    }
    xml.push_str(&format!("\n    xmlns:xsi=\"{XSI}\""));
    if !format.schema.is_empty() {
        let (namespace, schema) = (escape(&format.namespace), escape(&format.schema));
        xml.push_str(&format!(
            "\n    xsi:schemaLocation=\"{namespace} {schema}\""
        ));
    }
    xml.push_str(">\n");
    xml.push_str(&write_parts(all));
    xml.push_str(&format!("</{root}>\n"));
    xml
}

/// What is in a record.
pub(super) fn write_parts(all: &[RecordPart<'_>]) -> String {
    let mut xml = String::new();
    let mut wrapped: Vec<&str> = Vec::new();
    for written in all {
        match written.into {
            None => write_members(&mut xml, &written.value, 1),
            Some(name) if wrapped.contains(&name) => {}
            Some(name) => {
                wrapped.push(name);
                xml.push_str(&format!("  <{name}>\n"));
                for one in all.iter().filter(|one| one.into == Some(name)) {
                    write_members(&mut xml, &one.value, 2);
                }
                xml.push_str(&format!("  </{name}>\n"));
            }
        }
    }
    xml
}

fn write_members(xml: &mut String, value: &Value, depth: usize) {
    let members = value.as_object().into_iter().flatten();
    for (name, value) in members.filter(|(name, _)| !name.starts_with(['@', '#'])) {
        let one = std::slice::from_ref(value);
        for value in value.as_array().map_or(one, Vec::as_slice) {
            write_element(xml, name, value, depth);
        }
    }
}

fn write_element(xml: &mut String, name: &str, value: &Value, depth: usize) {
    let indent = "  ".repeat(depth);
    xml.push_str(&format!("{indent}<{name}"));
    let members = value.as_object();
    let text = match value {
        Value::String(text) => Some(text.as_str()),
        _ => members
            .and_then(|members| members.get("#text"))
            .and_then(Value::as_str),
    };
    for (name, value) in members.into_iter().flatten() {
        if let (Some(name), Some(value)) = (name.strip_prefix('@'), value.as_str()) {
            xml.push_str(&format!(" {name}=\"{}\"", escape(value)));
        }
    }
    match (text, members.is_some_and(has_elements)) {
        (Some(text), _) => xml.push_str(&format!(">{}</{name}>\n", escape(text))),
        (None, true) => {
            xml.push_str(">\n");
            write_members(xml, value, depth + 1);
            xml.push_str(&format!("{indent}</{name}>\n"));
        }
        (None, false) => xml.push_str("/>\n"),
    }
}

fn has_elements(members: &Map<String, Value>) -> bool {
    members.keys().any(|name| !name.starts_with(['@', '#']))
}

/// Whether a name can be that of an element or attribute with these prefixes (Namespaces in XML 1.0, section 4).
pub(super) fn check_name(name: &str, prefixes: &BTreeMap<String, String>) -> Result<(), String> {
    let (prefix, local) = name.split_once(':').unwrap_or(("", name));
    let is_plain = |part: &str| {
        let begins = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
        let goes_on =
            |letter: char| begins(letter) || letter.is_ascii_digit() || "-.".contains(letter);
        part.starts_with(begins) && part.chars().all(goes_on)
    };
    if !(prefix.is_empty() || is_plain(prefix)) || !is_plain(local) {
        return Err(format!("`{name}` is no name of an XML element"));
    }
    match prefix.is_empty() || matches!(prefix, "xml" | "xsi") || prefixes.contains_key(prefix) {
        true => Ok(()),
        false => Err(format!("`{name}` has an unknown prefix")),
    }
}
