//! What a file is, by PRONOM's registry of formats: assets/signatures.csv keeps its published signatures in a notation
//! of our own. The first row whose conditions all hold is what the file is.
//!
//! A condition is `WHERE:BYTES`. WHERE is an offset, a range `FROM-TO` in which the bytes begin, `any`, or `zip`; BYTES
//! are hexadecimal, `??` for any byte, or `'text'`. `name:EXTENSION` holds for files of that name, `text:EXTENSION` for
//! those of them that are nothing but characters, as formats without first bytes of their own are. `zip:NAME` holds where the archive has that entry, `zip:NAME=BYTES`
//! where the beginning of that entry has those bytes.

mod pattern;
mod sample;

use std::sync::LazyLock;

use self::pattern::Condition;
use self::sample::Sample;
use super::refused::DeriveError;
use super::source::Source;

/// A format with its signature.
#[derive(Debug)]
pub(super) struct Signature {
    puid: String,
    mime: String,
    format: String,
    version: String,
    conditions: Vec<Condition>,
}

impl Signature {
    /// PRONOM's identifier, where it has one for exactly this.
    pub fn puid(&self) -> Option<&str> {
        Some(self.puid.as_str()).filter(|puid| !puid.is_empty())
    }

    /// The MIME type.
    pub fn mime(&self) -> &str {
        &self.mime
    }

    /// PRONOM's name of the format.
    pub fn format(&self) -> &str {
        &self.format
    }

    /// Whether a file of that format is nothing but characters.
    pub fn is_text(&self) -> bool {
        let is_text = |one: &Condition| matches!(one, Condition::Named { text: true, .. });
        self.mime.starts_with("text/") || self.conditions.iter().any(is_text)
    }

    /// The version of the format, where the signature tells it.
    pub fn version(&self) -> Option<&str> {
        Some(self.version.as_str()).filter(|version| !version.is_empty())
    }
}

const TABLE: &str = include_str!("../../../../assets/signatures.csv");

static SIGNATURES: LazyLock<Vec<Signature>> = LazyLock::new(|| {
    let mut rows = csv::Reader::from_reader(TABLE.as_bytes());
    let rows = rows.records().filter_map(Result::ok);
    rows.filter_map(|row| signature(&row)).collect()
});

/// What has no signature, because everything is text.
static PLAIN_TEXT: LazyLock<Signature> = LazyLock::new(|| Signature {
    puid: "x-fmt/111".to_owned(),
    mime: "text/plain".to_owned(),
    format: "Plain Text File".to_owned(),
    version: String::new(),
    conditions: Vec::new(),
});

fn signature(row: &csv::StringRecord) -> Option<Signature> {
    let column = |at: usize| row.get(at).map(str::to_owned);
    let conditions = row.get(4)?.split(' ').map(Condition::parse);
    Some(Signature {
        puid: column(0)?,
        mime: column(1)?,
        format: column(2)?,
        version: column(3)?,
        conditions: conditions.collect::<Option<_>>()?,
    })
}

/// What a file is; `None` where nothing is known of it.
///
/// # Errors
/// The disk fails.
pub(super) fn identify(source: &mut Source) -> Result<Option<&'static Signature>, DeriveError> {
    let mut sample = Sample::of(source)?;
    for signature in SIGNATURES.iter() {
        let mut all = true;
        for condition in &signature.conditions {
            all = all && sample.has(condition)?;
        }
        if all {
            return Ok(Some(signature));
        }
    }
    Ok(sample.is_text().then_some(&*PLAIN_TEXT))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puid(bytes: &[u8]) -> Option<&'static str> {
        let mut source = Source::of_memory(bytes.to_vec(), "image/x");
        identify(&mut source).unwrap().and_then(Signature::puid)
    }

    fn mime_of_named(name: &str, bytes: &[u8]) -> &'static str {
        let mut source = Source::of_memory(bytes.to_vec(), "");
        source.set_name(name);
        identify(&mut source).unwrap().map_or("", Signature::mime)
    }

    #[test]
    fn a_name_tells_formats_apart_that_begin_alike() {
        assert_eq!(mime_of_named("a.CSV", b"a,b\n"), "text/csv");
        assert_eq!(mime_of_named("a.md", b"# <html>"), "text/markdown");
        assert_eq!(mime_of_named("a.eml", b"Subject: a"), "message/rfc822");
        assert_eq!(mime_of_named("a.json", b"{}"), "application/json");
        assert_eq!(mime_of_named("csv", b"a,b\n"), "text/plain");
        assert_eq!(mime_of_named("a.csv", b"GIF89a"), "image/gif");
        assert_eq!(mime_of_named("a.csv", b"\0\x01"), "");
        assert_eq!(mime_of_named("a.nef", b"MM\0*"), "image/x-nikon-nef");
        assert_eq!(mime_of_named("a.nef", b"Nikon"), "text/plain");
        let dng = b"II*\0\x08\0\0\0\x01\0\x12\xc6\x01\0\x04\0\0\0\x01\x04\0\0";
        assert_eq!(mime_of_named("a", dng), "image/x-adobe-dng");
        assert_eq!(
            mime_of_named("a", b"\0\0\0\x18ftypcrx "),
            "image/x-canon-cr3"
        );
    }

    #[test]
    fn every_row_is_understood() {
        assert_eq!(SIGNATURES.len(), TABLE.lines().count() - 1);
    }

    #[test]
    fn first_bytes_tell_formats_and_versions_apart() {
        assert_eq!(puid(b"GIF87a..."), Some("fmt/3"));
        assert_eq!(puid(b"GIF89a..."), Some("fmt/4"));
        assert_eq!(
            puid(b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x02"),
            Some("fmt/44")
        );
        assert_eq!(puid(b"\xff\xd8\xff\xdb"), Some("fmt/41"));
        assert_eq!(puid(b"%PDF-1.4\n%..."), Some("fmt/18"));
        assert_eq!(puid(b"RIFF\0\0\0\0WEBPVP8L"), Some("fmt/567"));
        assert_eq!(puid(b"<!DOCTYPE html><p>"), Some("fmt/471"));
        assert_eq!(puid("Größe".as_bytes()), Some("x-fmt/111"));
        assert_eq!(puid(b"\0\x01\x02\x03"), None);
        assert_eq!(puid(b""), None);
    }
}
