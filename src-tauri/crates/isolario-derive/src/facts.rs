//! What is known about a file: its format, its measures, what it says about itself. The keys of the JSON are
//! listed in docs/DERIVATIVES.md; none changes its meaning, and what is not known is left out.

mod measures;
mod offered;

use std::io::Write;

use serde_json::{Map, Value, json};

use super::Derivative;
use super::refused::DeriveError;
use super::signature::{Signature, identify};
use super::source::Source;
use measures::Measures;

/// Facts by their keys.
type Facts = Map<String, Value>;

/// Writes the facts as one JSON object. A damaged file has facts, too: its format and its length.
pub(super) fn write(
    source: &mut Source,
    target: &mut dyn Write,
) -> Result<Derivative, DeriveError> {
    let found = identify(source)?;
    let mut facts = format(source, found);
    let measures = Measures::of(source, found.map_or("", Signature::mime));
    match measures {
        Ok(measures) => measures.add_to(&mut facts),
        Err(DeriveError::Unreadable(words)) => {
            facts.insert("damage".to_owned(), Value::from(words));
        }
        Err(refused) => return Err(refused),
    }
    serde_json::to_writer(&mut *target, &facts).map_err(DeriveError::not_written)?;
    Ok(Derivative {
        mime: "application/json",
        extension: "json",
        facts,
    })
}

fn format(source: &Source, found: Option<&Signature>) -> Facts {
    let mut facts = Facts::new();
    let declared = source.mime().split(';').next().unwrap_or_default().trim();
    facts.insert("bytes".to_owned(), json!(source.length()));
    facts.insert("declared_mime".to_owned(), json!(declared));
    let Some(found) = found else {
        return facts;
    };
    facts.insert("mime".to_owned(), json!(found.mime()));
    let differs = !is_same(declared, found.mime(), found.is_text());
    facts.insert("mime_differs".to_owned(), json!(differs));
    facts.insert("format".to_owned(), json!(found.format()));
    for (key, value) in [("puid", found.puid()), ("format_version", found.version())] {
        if let Some(value) = value {
            facts.insert(key.to_owned(), json!(value));
        }
    }
    facts
}

/// Types that are other names of each other, in the order: as it may be declared, as it is found.
const NAMES: [(&str, &str); 14] = [
    ("image/pjpeg", "image/jpeg"),
    ("image/jpx", "image/jp2"),
    ("image/x-bmp", "image/bmp"),
    ("image/x-ms-bmp", "image/bmp"),
    ("image/heic", "image/heif"),
    ("audio/wav", "audio/x-wav"),
    ("audio/vnd.wave", "audio/x-wav"),
    ("audio/aiff", "audio/x-aiff"),
    ("audio/x-flac", "audio/flac"),
    ("audio/mp3", "audio/mpeg"),
    ("audio/x-m4a", "audio/mp4"),
    ("text/xml", "application/xml"),
    ("text/rtf", "application/rtf"),
    ("application/x-zip-compressed", "application/zip"),
];

/// Whether a declared type says what was found, or nothing (`application/octet-stream`). Whatever is but text may be declared as a kind of text.
fn is_same(declared: &str, found: &str, is_text: bool) -> bool {
    let declared = declared.to_ascii_lowercase();
    let text = declared.starts_with("text/")
        || declared.ends_with("+xml")
        || declared.ends_with("/json")
        || declared.ends_with("+json")
        || declared.ends_with("/xml");
    declared == found
        || declared == "application/octet-stream"
        || NAMES.contains(&(declared.as_str(), found))
        || text
            && (is_text && found != "text/html" || found == "application/xml")
            && declared != "text/html"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_of_a_type_do_not_differ() {
        assert!(is_same("image/jpeg", "image/jpeg", false));
        assert!(is_same("Audio/WAV", "audio/x-wav", false));
        assert!(is_same("text/csv", "text/plain", true));
        assert!(is_same("text/plain", "application/json", true));
        assert!(!is_same("text/plain", "text/html", true));
        assert!(is_same("application/octet-stream", "image/jpeg", false));
        assert!(!is_same("image/png", "image/jpeg", false));
        assert!(!is_same("application/pdf", "text/plain", true));
    }

    #[test]
    fn a_damaged_file_has_facts() {
        let mut source = Source::of_memory(
            b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01".to_vec(),
            "image/png",
        );
        let mut out = Vec::new();
        let made = write(&mut source, &mut out).unwrap();
        assert_eq!(made.facts["puid"], "fmt/43");
        assert_eq!(made.facts["mime_differs"], true);
        assert!(made.facts.contains_key("damage"));
        assert_eq!(serde_json::from_slice::<Facts>(&out).unwrap(), made.facts);
    }
}
