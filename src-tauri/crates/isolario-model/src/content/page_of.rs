//! Which page of which file an item is, where the program has made the item of that page.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Entity, Item};

/// Where an item keeps it. No field has this name, so no client reads or writes it as one, while revisions, records and
/// backups hold it like one. It is also the name of its row in the index.
pub const PAGE_OF: &str = "@page_of";

/// A page of a file at a version of its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageOf {
    pub fid: i64,
    pub version: i64,
    /// From 1 on.
    pub number: i64,
}

impl PageOf {
    /// The text by which the pages of a file are found, without the number of the page.
    pub fn key_of(fid: i64, version: i64) -> String {
        format!("{fid}/{version}/")
    }

    /// The text by which this page is found.
    pub fn key(&self) -> String {
        format!("{}{}", PageOf::key_of(self.fid, self.version), self.number)
    }
}

impl Entity {
    /// Which page it is.
    pub fn page_of(&self) -> Option<PageOf> {
        let item = self.items(PAGE_OF).first()?;
        serde_json::from_value(Value::Object(item.clone())).ok()
    }

    /// Notes which page it is.
    pub fn set_page_of(&mut self, page: &PageOf) {
        let item: Option<Item> = match serde_json::to_value(page) {
            Ok(Value::Object(item)) => Some(item),
            _ => None,
        };
        self.set(PAGE_OF, item.into_iter().collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::EntityKind;

    #[test]
    fn an_item_knows_which_page_it_is() {
        let mut item = Entity::new(EntityKind::Node, "page");
        assert_eq!(item.page_of(), None);
        let page = PageOf {
            fid: 12,
            version: 3,
            number: 40,
        };
        item.set_page_of(&page);
        assert_eq!(item.page_of(), Some(page.clone()));
        assert_eq!(page.key(), "12/3/40");
    }
}
