//! `NAME.xmp`: what cameras and photo programs say in RDF/XML (ISO 16684-1). Entities that a document
//! defines are not looked at.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::{Description, Said};

/// Longest description that is read, bytes.
const LONGEST: usize = 4 * 1024 * 1024;

/// Names of XMP and the fields that they fill; of several names for a field the first that is there counts.
const FIELDS: [(&str, &str); 12] = [
    ("dc:title", "title"),
    ("photoshop:Headline", "title"),
    ("dc:description", "field_description"),
    ("dc:subject", "field_subject"),
    ("dc:creator", "field_linked_agent"),
    ("dc:publisher", "field_publisher"),
    ("dc:rights", "field_rights"),
    ("dc:language", "field_language"),
    ("dc:identifier", "field_identifier"),
    ("photoshop:DateCreated", "field_edtf_date_created"),
    ("xmp:CreateDate", "field_edtf_date_created"),
    ("dc:date", "field_edtf_date_created"),
];

/// Reads one.
///
/// # Errors
/// A few words.
pub fn read(bytes: &[u8]) -> Result<Description, String> {
    if bytes.len() > LONGEST {
        return Err(format!("it has more than {LONGEST} bytes"));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let properties = properties(text)?;
    let mut description = Description::new();
    for (property, field) in FIELDS {
        let Some(values) = properties.get(property) else {
            continue;
        };
        let said = values
            .iter()
            .map(|value| Said::Text(in_field(field, value)));
        description
            .entry(field.to_owned())
            .or_insert_with(|| said.collect());
    }
    Ok(description)
}

fn in_field(field: &str, value: &str) -> String {
    match field {
        "field_linked_agent" => format!("relators:cre:person:{value}"),
        // A day is what EDTF and the clock of a camera agree on.
        "field_edtf_date_created" => value.split('T').next().unwrap_or(value).to_owned(),
        _ => value.to_owned(),
    }
}

/// The texts of every property that stands directly in an `rdf:Description`, lists taken apart.
///
/// # Errors
/// A few words.
pub(crate) fn properties(text: &str) -> Result<BTreeMap<String, Vec<String>>, String> {
    let mut reader = Reader::from_str(text);
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut path: Vec<String> = Vec::new();
    let mut said = String::new();
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(tag) => {
                path.push(name_of(&tag));
                said.clear();
                attributes(&tag, &mut found)?;
            }
            Event::Empty(tag) => attributes(&tag, &mut found)?,
            Event::Text(text) => said.push_str(&text),
            Event::CData(text) => said.push_str(&text),
            Event::GeneralRef(reference) => {
                let whole = format!("&{};", &*reference);
                said.push_str(&unescape(&whole).map_err(|error| error.to_string())?);
            }
            Event::End(_) => {
                note(&path, &said, &mut found);
                said.clear();
                path.pop();
            }
            Event::Eof if path.is_empty() => return Ok(found),
            Event::Eof => return Err("it ends in the middle".into()),
            _ => {}
        }
    }
}

fn name_of(tag: &BytesStart<'_>) -> String {
    tag.name().as_ref().to_owned()
}

/// A text at the end of an element: of a property itself, or of an item of its list.
fn note(path: &[String], said: &str, found: &mut BTreeMap<String, Vec<String>>) {
    let place = path.iter().rposition(|name| name == "rdf:Description");
    let Some(property) = place.and_then(|place| path.get(place + 1)) else {
        return;
    };
    let said = said.trim();
    let is_value =
        path.last() == Some(property) || path.last().is_some_and(|name| name == "rdf:li");
    if is_value && !said.is_empty() {
        found
            .entry(property.clone())
            .or_default()
            .push(said.to_owned());
    }
}

/// The short way to write properties.
fn attributes(
    tag: &BytesStart<'_>,
    found: &mut BTreeMap<String, Vec<String>>,
) -> Result<(), String> {
    if name_of(tag) != "rdf:Description" {
        return Ok(());
    }
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let name = attribute.key.as_ref().to_owned();
        let value = unescape(&attribute.value)
            .map_err(|error| error.to_string())?
            .trim()
            .to_owned();
        if !value.is_empty() {
            found.entry(name).or_default().push(value);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAMERA: &str = r#"<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmp:CreateDate="1999-05-17T10:11:12+02:00" xmlns:dc="http://purl.org/dc/elements/1.1/">
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Fish &amp; chips</rdf:li></rdf:Alt></dc:title>
        <dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>food</rdf:li></rdf:Bag></dc:subject>
        <dc:creator><rdf:Seq><rdf:li>Ann Smith</rdf:li></rdf:Seq></dc:creator>
      </rdf:Description></rdf:RDF></x:xmpmeta>"#;

    #[test]
    fn a_camera_describes_its_pictures() {
        let read = read(CAMERA.as_bytes()).unwrap();
        let text = |text: &str| Said::Text(text.into());
        assert_eq!(read["title"], [text("Fish & chips")]);
        assert_eq!(read["field_subject"], [text("sea"), text("food")]);
        assert_eq!(
            read["field_linked_agent"],
            [text("relators:cre:person:Ann Smith")]
        );
        assert_eq!(read["field_edtf_date_created"], [text("1999-05-17")]);
    }

    #[test]
    fn bombs_and_halves_are_refused() {
        let bomb = r#"<!DOCTYPE a [<!ENTITY b "bbbb">]><rdf:Description><dc:title>&b;</dc:title></rdf:Description>"#;
        assert!(super::read(bomb.as_bytes()).is_err());
        assert!(super::read(b"<rdf:Description><dc:title>A").is_err());
    }
}
