//! Changes of many items: preview, begin, change part by part, cancel, undo. Each item is changed, deleted, restored or
//! purged as by a request of its own, with its own question to the policy, its own revision and event; all of them name
//! the batch. `copies` and `pages` make new items, `merge` makes one term of several.

mod begin;
mod company;
mod copies;
mod item_work;
mod merge;
mod merge_plan;
mod merge_values;
mod page_plan;
pub mod pages;
mod part;
mod preview;
mod report;
mod rotation;
pub mod table;
mod table_plan;
mod trash_move;
mod values;

pub use begin::{
    ItemPages, ItemSource, begin, below, cancel, pages_of, pause, undo, visible_batch,
};
pub use merge::{begin_merge, preview_merge};
pub use merge_plan::{MERGE_TERMS, MergePlan};
pub use page_plan::{MAKE_PAGES, PagePlan};
pub use part::{change_next, fail, resumable};
pub use preview::{ChangePreview, PreviewOutcome, PreviewRow, preview};
pub use report::report;
pub use table_plan::{IMPORT_TABLE, IMPORT_TERMS, TableFolder, TableOptions, TablePlan};
