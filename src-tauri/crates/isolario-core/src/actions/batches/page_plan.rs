//! What a batch that makes the pages of a file into items is to do, as the database keeps it.

use serde::{Deserialize, Serialize};

use isolario_db::Batch;

/// The name of this kind of change.
pub const MAKE_PAGES: &str = "make_pages";
/// Longest title of an item, in characters.
const LONGEST_TITLE: usize = 255;

/// The pages that are made, and of what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PagePlan {
    /// The item that gets the pages.
    pub nid: i64,
    /// Media with its original file, and the version of the bytes.
    pub mid: i64,
    pub fid: i64,
    pub version: i64,
    /// The title of the item when it was asked for.
    pub title: String,
    /// The titles of the pages, with `{title}` and `{page}`.
    pub pattern: String,
    /// How many pages the file has; 0 until they are counted.
    pub pages: i64,
    /// The weight before that of the first page; none where the pages get no weights.
    pub before: Option<i64>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
enum StoredChange {
    MakePages(PagePlan),
}

impl PagePlan {
    /// The plan of a batch; `None` where it does something else, or takes another one back.
    pub fn of(batch: &Batch) -> Option<PagePlan> {
        if batch.undoes.is_some() {
            return None;
        }
        let change = serde_json::from_str(&batch.change).ok()?;
        let StoredChange::MakePages(plan) = change;
        Some(plan)
    }

    /// Whether a batch makes pages, or takes that back.
    pub fn is_of(batch: &Batch) -> bool {
        serde_json::from_str::<StoredChange>(&batch.change).is_ok()
    }

    /// As the database keeps it.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&StoredChange::MakePages(self.clone()))
    }

    /// The title of a page. That of the item is cut off where it would be too long.
    pub fn title_of(&self, number: i64) -> String {
        let pattern = self.pattern.replace("{page}", &number.to_string());
        let titled = |title: &str| pattern.replace("{title}", title);
        let excess = titled(&self.title)
            .chars()
            .count()
            .saturating_sub(LONGEST_TITLE);
        if excess == 0 {
            return titled(&self.title);
        }
        let kept = self.title.chars().count().saturating_sub(excess + 1);
        let short: String = self.title.chars().take(kept).collect();
        titled(&format!("{}…", short.trim_end()))
            .chars()
            .take(LONGEST_TITLE)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(title: &str, pattern: &str) -> PagePlan {
        PagePlan {
            nid: 1,
            mid: 2,
            fid: 3,
            version: 1,
            title: title.into(),
            pattern: pattern.into(),
            pages: 9,
            before: Some(0),
        }
    }

    #[test]
    fn a_title_names_item_and_page() {
        let plan = plan("Log {page}", "{title}, page {page}");
        assert_eq!(plan.title_of(3), "Log {page}, page 3");
    }

    #[test]
    fn a_long_title_is_cut_off_before_the_number_of_the_page() {
        let plan = plan(&"å".repeat(255), "{title}, page {page}");
        let title = plan.title_of(12);
        assert_eq!(title.chars().count(), 255);
        assert!(title.ends_with("å…, page 12"), "{title}");
    }
}
