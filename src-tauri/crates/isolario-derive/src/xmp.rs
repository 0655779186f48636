//! XMP (ISO 16684-1): what cameras and photo programs say of a picture, in RDF/XML. Watched folders find it beside files,
//! derivatives within them. Entities that a document defines are not looked at.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

/// The texts of every property that stands directly in an `rdf:Description`, by its name with the usual prefix
/// (`dc:title`), lists taken apart.
///
/// # Errors
/// A few words.
pub fn properties(text: &str) -> Result<BTreeMap<String, Vec<String>>, String> {
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

    /// What a camera may say of a picture.
    const CAMERA: &str = include_str!("../../../../tests/samples/camera.xmp");

    #[test]
    fn properties_are_said_in_the_long_and_in_the_short_way() {
        let said = properties(CAMERA).unwrap();
        assert_eq!(said["dc:title"], ["Fish & chips"]);
        assert_eq!(said["dc:subject"], ["sea", "food"]);
        assert_eq!(said["xmp:CreateDate"], ["1999-05-17T10:11:12+02:00"]);
    }

    #[test]
    fn bombs_and_halves_are_refused() {
        let bomb = r#"<!DOCTYPE a [<!ENTITY b "bbbb">]><rdf:Description><dc:title>&b;</dc:title></rdf:Description>"#;
        assert!(properties(bomb).is_err());
        assert!(properties("<rdf:Description><dc:title>A").is_err());
    }
}
