//! Items as a client reads them, written without a copy of what is kept.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::content::Item;

/// Properties in their order.
pub type Properties = Vec<(&'static str, Value)>;

/// An item as a client reads it.
#[derive(Debug)]
pub enum WrittenItem<'i> {
    /// As it is kept.
    Kept(&'i Item),
    /// As it is kept, with further properties. They replace those of the same names.
    With(&'i Item, Properties),
    /// These properties alone.
    Of(Properties),
    /// Another item.
    Made(Item),
}

impl WrittenItem<'_> {
    /// The item as a value.
    pub fn into_item(self) -> Item {
        let named = |(name, value): (&str, Value)| (name.to_owned(), value);
        match self {
            WrittenItem::Kept(item) => item.clone(),
            WrittenItem::With(item, added) => {
                let mut written = item.clone();
                written.extend(added.into_iter().map(named));
                written
            }
            WrittenItem::Of(properties) => properties.into_iter().map(named).collect(),
            WrittenItem::Made(item) => item,
        }
    }
}

impl Serialize for WrittenItem<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            WrittenItem::Kept(item) => item.serialize(serializer),
            WrittenItem::Made(item) => item.serialize(serializer),
            WrittenItem::Of(properties) => {
                serializer.collect_map(properties.iter().map(|(name, value)| (name, value)))
            }
            WrittenItem::With(item, added) => {
                let mut written = serializer.serialize_map(None)?;
                for (name, kept) in *item {
                    let replaced = added.iter().find(|(other, _)| other == name);
                    written.serialize_entry(name, replaced.map_or(kept, |(_, value)| value))?;
                }
                for (name, value) in added.iter().filter(|(name, _)| !item.contains_key(*name)) {
                    written.serialize_entry(name, value)?;
                }
                written.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_item_is_written_as_its_value() {
        let kept = json!({ "target_id": 5, "url": "/old", "rel_type": "relators:aut" });
        let kept = kept.as_object().expect("an object");
        let added = || vec![("url", json!("/node/5")), ("target_type", json!("node"))];
        for written in [
            WrittenItem::Kept(kept),
            WrittenItem::With(kept, added()),
            WrittenItem::Of(added()),
            WrittenItem::Made(kept.clone()),
        ] {
            let text = serde_json::to_string(&written).expect("JSON");
            let value = serde_json::to_string(&written.into_item()).expect("JSON");
            assert_eq!(text, value);
        }
    }
}
