//! Conditions of a signature, and the bytes that they look for.

/// What has to be in a file.
#[derive(Debug)]
pub(super) enum Condition {
    /// Bytes that begin at an offset from `from` to `to`.
    At {
        from: usize,
        to: usize,
        bytes: Pattern,
    },
    /// Bytes anywhere.
    Any(Pattern),
    /// The extension of the file's name, and perhaps nothing but characters.
    Named { extension: String, text: bool },
    /// An entry of an archive, and perhaps bytes at its beginning.
    Entry {
        name: String,
        bytes: Option<Pattern>,
    },
}

/// Bytes, some of which may be any.
#[derive(Debug)]
pub(super) struct Pattern(Vec<Option<u8>>);

impl Condition {
    /// Reads `WHERE:BYTES`; `None` where that is not understood.
    pub fn parse(text: &str) -> Option<Condition> {
        let (place, bytes) = text.split_once(':')?;
        match place {
            "zip" => {
                let (name, bytes) = match bytes.split_once('=') {
                    Some((name, bytes)) => (name, Some(Pattern::parse(bytes)?)),
                    None => (bytes, None),
                };
                let name = name.to_owned();
                Some(Condition::Entry { name, bytes })
            }
            "name" | "text" => Some(Condition::Named {
                extension: bytes.to_owned(),
                text: place == "text",
            }),
            "any" => Some(Condition::Any(Pattern::parse(bytes)?)),
            _ => {
                let (from, to) = place.split_once('-').unwrap_or((place, place));
                Some(Condition::At {
                    from: from.parse().ok()?,
                    to: to.parse().ok()?,
                    bytes: Pattern::parse(bytes)?,
                })
            }
        }
    }
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        let mut bytes = Vec::new();
        for (number, part) in text.split('\'').enumerate() {
            // Every other part is within quotes.
            if number % 2 == 1 {
                bytes.extend(part.bytes().map(Some));
                continue;
            }
            for at in (0..part.len()).step_by(2) {
                bytes.push(match part.get(at..at + 2)? {
                    "??" => None,
                    digits => Some(u8::from_str_radix(digits, 16).ok()?),
                });
            }
        }
        Some(Pattern(bytes)).filter(|pattern| !pattern.0.is_empty())
    }

    /// Whether the bytes begin at one of these offsets.
    pub fn begins_within(&self, bytes: &[u8], from: usize, to: usize) -> bool {
        let end = to.saturating_add(self.0.len()).min(bytes.len());
        let range = bytes.get(from..end).unwrap_or_default();
        range.windows(self.0.len()).any(|window| {
            let mut pairs = window.iter().zip(&self.0);
            pairs.all(|(byte, wanted)| wanted.is_none_or(|wanted| wanted == *byte))
        })
    }

    /// Whether the bytes are anywhere.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        match self.0.iter().copied().collect::<Option<Vec<u8>>>() {
            Some(plain) => memchr::memmem::find(bytes, &plain).is_some(),
            None => self.begins_within(bytes, 0, bytes.len()),
        }
    }
}
