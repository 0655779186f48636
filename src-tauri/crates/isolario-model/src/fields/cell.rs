//! Values as one text each, for the cells of tables (docs/TABLES.md). The notation is that of Islandora Workbench.

use serde_json::Value;

use crate::content::Item;

/// What stands for a term in a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TermNotation {
    /// `subject:Maps`: its vocabulary and its name.
    #[default]
    Names,
    /// Its URI; the name where it has none.
    Uris,
    /// Its id.
    Ids,
}

impl TermNotation {
    /// Every notation, as requests name it.
    pub const ALL: [(&str, TermNotation); 3] = [
        ("names", TermNotation::Names),
        ("uris", TermNotation::Uris),
        ("ids", TermNotation::Ids),
    ];
}

/// The text of a property. What is true is 1, what is false 0.
pub(super) fn text_of(item: &Item, property: &str) -> String {
    match item.get(property) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Bool(flag)) => u8::from(*flag).to_string(),
        Some(other) => other.to_string(),
    }
}

/// Several properties with `%%` between them; those at the end that say nothing are left out.
pub(super) fn texts_of(item: &Item, properties: &[&str]) -> String {
    let texts = properties.iter().map(|property| text_of(item, property));
    let mut texts: Vec<String> = texts.collect();
    while texts.last().is_some_and(String::is_empty) {
        texts.pop();
    }
    texts.join("%%")
}

/// All that is kept of an item, as JSON, where Workbench has no notation of its own.
pub(super) fn json_of(item: &Item) -> String {
    serde_json::to_string(item).unwrap_or_default()
}
