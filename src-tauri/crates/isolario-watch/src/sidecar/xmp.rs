//! `NAME.xmp`: what cameras and photo programs say of a picture beside it.

use super::{Description, SidecarValue};
use isolario_derive::xmp::properties;
use isolario_model::content::field_roles;
use isolario_model::content::roles::FieldRoles;

/// Longest description that is read, bytes.
const LONGEST: usize = 4 * 1024 * 1024;

/// Names of XMP and the fields that they fill; of several names for a field the first that is there counts.
fn properties_of(fields: &FieldRoles) -> [(&str, &str); 12] {
    [
        ("dc:title", "title"),
        ("photoshop:Headline", "title"),
        ("dc:description", &fields.description),
        ("dc:subject", &fields.subject),
        ("dc:creator", &fields.agents),
        ("dc:publisher", &fields.publisher),
        ("dc:rights", &fields.rights),
        ("dc:language", &fields.language),
        ("dc:identifier", &fields.identifier),
        ("photoshop:DateCreated", &fields.date_created),
        ("xmp:CreateDate", &fields.date_created),
        ("dc:date", &fields.date_created),
    ]
}

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
    for (property, field) in properties_of(field_roles()) {
        let Some(values) = properties.get(property) else {
            continue;
        };
        let said = values
            .iter()
            .map(|value| SidecarValue::Text(in_field(field, value)));
        description
            .entry(field.to_owned())
            .or_insert_with(|| said.collect());
    }
    Ok(description)
}

fn in_field(field: &str, value: &str) -> String {
    let fields = field_roles();
    if field == fields.agents {
        format!("relators:cre:person:{value}")
    } else if field == fields.date_created {
        // A day is what EDTF and the clock of a camera agree on.
        value.split('T').next().unwrap_or(value).to_owned()
    } else {
        value.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAMERA: &str = include_str!("../../../../../tests/samples/camera.xmp");

    #[test]
    fn a_camera_describes_its_pictures() {
        let read = read(CAMERA.as_bytes()).unwrap();
        let text = |text: &str| SidecarValue::Text(text.into());
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
