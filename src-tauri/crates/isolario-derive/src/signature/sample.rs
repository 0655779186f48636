//! As much of a file as signatures look at.

use std::io::Read;

use zip::ZipArchive;

use super::super::refused::DeriveError;
use super::super::source::Source;
use super::pattern::Condition;

/// Where most signatures are.
const HEAD: u64 = 72 << 10;
/// Where those are looked for that can be anywhere: so much from the start, and from the end.
const ANYWHERE: u64 = 2 << 20;
/// Of an entry of an archive.
const ENTRY: u64 = 8 << 10;

/// The beginning of a file, and more when it is asked for.
pub(super) struct Sample<'a> {
    source: &'a mut Source,
    head: Vec<u8>,
    more: Option<Vec<u8>>,
}

impl<'a> Sample<'a> {
    /// Reads the beginning.
    ///
    /// # Errors
    /// The disk fails.
    pub fn of(source: &'a mut Source) -> Result<Sample<'a>, DeriveError> {
        Ok(Sample {
            head: source.head(HEAD)?,
            more: None,
            source,
        })
    }

    /// Whether a condition holds.
    ///
    /// # Errors
    /// The disk fails.
    pub fn has(&mut self, condition: &Condition) -> Result<bool, DeriveError> {
        Ok(match condition {
            Condition::At { from, to, bytes } => bytes.begins_within(&self.head, *from, *to),
            Condition::Any(bytes) => {
                let more = match self.more.take() {
                    Some(more) => more,
                    None => self.source.ends(ANYWHERE)?,
                };
                bytes.is_in(self.more.insert(more))
            }
            Condition::Named { extension, text } => {
                let name = self.source.name().unwrap_or_default();
                let has = name.rsplit_once('.').map(|(_, end)| end);
                has.is_some_and(|end| end.eq_ignore_ascii_case(extension))
                    && (!text || self.is_text())
            }
            Condition::Entry { name, bytes } => {
                let entry = self.entry(name)?;
                match (entry, bytes) {
                    (Some(entry), Some(bytes)) => bytes.is_in(&entry),
                    (entry, _) => entry.is_some(),
                }
            }
        })
    }

    /// The beginning of an entry, if there is one.
    fn entry(&mut self, name: &str) -> Result<Option<Vec<u8>>, DeriveError> {
        let Ok(mut archive) = ZipArchive::new(self.source.rewound()?) else {
            return Ok(None);
        };
        let Ok(entry) = archive.by_name(name) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        // What is damaged further on is found by who reads it.
        let _ = entry.take(ENTRY).read_to_end(&mut bytes);
        Ok(Some(bytes))
    }

    /// Whether the beginning is nothing but characters.
    pub fn is_text(&self) -> bool {
        let marked = self.head.starts_with(b"\xff\xfe") || self.head.starts_with(b"\xfe\xff");
        let control = |byte: &u8| *byte < 9 || (14..32).contains(byte) && *byte != 27;
        !self.head.is_empty() && (marked || !self.head.iter().any(control))
    }
}
