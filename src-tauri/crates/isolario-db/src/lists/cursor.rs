//! Where a page of a list ended: the sort key and id of its last row, opaque to clients.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusqlite::types::Value;
use serde::{Deserialize, Serialize};

/// A sort key. Rows without one stand at the end of a list, whatever its direction.
#[derive(Debug, Clone, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Key {
    Number(i64),
    Text(String),
    /// A name, and the term or the weight that it has.
    Name(String, i64),
    None,
}

impl From<Key> for Value {
    fn from(key: Key) -> Value {
        match key {
            Key::Number(number) => Value::Integer(number),
            Key::Text(text) | Key::Name(text, _) => Value::Text(text),
            Key::None => Value::Null,
        }
    }
}

/// The end of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cursor {
    /// Which order the key belongs to.
    pub order: String,
    pub key: Key,
    pub id: i64,
}

/// Longer than any cursor that this program gives out.
const LONGEST: usize = 4096;

impl Cursor {
    /// The text a client sends back for the next page.
    pub fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_string(self).unwrap_or_default())
    }

    /// Reads what `encode` wrote for a list in the same order; `None` for anything else.
    pub fn decode(text: &str, order: &str) -> Option<Cursor> {
        if text.len() > LONGEST {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let cursor: Cursor = serde_json::from_slice(&bytes).ok()?;
        (cursor.order == order).then_some(cursor)
    }
}

/// A page of a list.
#[derive(Debug, Clone)]
pub struct Page<T> {
    pub rows: Vec<T>,
    /// Where the next page starts; `None` on the last.
    pub next: Option<Cursor>,
    pub total: Total,
}

impl<T> Page<T> {
    /// A list without rows.
    pub fn empty() -> Page<T> {
        Page {
            rows: Vec::new(),
            next: None,
            total: Total::exact(0),
        }
    }
}

/// How long a list is in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    pub count: i64,
    /// False: an estimate, because counting would have cost too much.
    pub is_exact: bool,
}

impl Total {
    /// A count that is known.
    pub fn exact(count: i64) -> Total {
        Total {
            count,
            is_exact: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_the_trip_and_only_in_its_order() {
        let name = Key::Name("Winds".into(), 12);
        for key in [
            Key::Number(-4),
            Key::Text("\u{e9}tude".into()),
            name,
            Key::None,
        ] {
            let cursor = Cursor {
                order: "title asc".into(),
                key,
                id: 7,
            };
            let text = cursor.encode();
            assert_eq!(Cursor::decode(&text, "title asc"), Some(cursor));
            assert_eq!(Cursor::decode(&text, "title desc"), None);
        }
    }

    #[test]
    fn noise_is_no_cursor() {
        for noise in [
            "",
            "x",
            "e30",
            "\u{0}",
            "bm9uc2Vuc2U",
            "////",
            &"A".repeat(5000),
        ] {
            assert_eq!(Cursor::decode(noise, "title asc"), None, "{noise:?}");
        }
    }
}
