//! `NAME.xmp`: what cameras and photo programs say of a picture beside it.

use super::{Description, Said};
use crate::xmp::properties;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xmp::CAMERA;

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
        assert!(super::read(b"\xff").is_err());
    }
}
