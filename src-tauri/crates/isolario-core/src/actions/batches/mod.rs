//! Changes of many items: preview, begin, change part by part, cancel, undo. Each item is changed, deleted, restored or
//! purged as by a request of its own, with its own question to the policy, its own revision and event; all of them name
//! the batch. `copies` and `pages` make new items, `merge` makes one term of several, `imports` notes what an
//! import brings.

mod begin;
mod company;
mod copies;
mod import_plan;
mod imports;
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
    ItemPages, ItemSource, begin, below, can_pause, cancel, is_visible, pages_of, pause, undo,
    visible_batch,
};
pub use import_plan::{BagPlan, IMPORT_BAG, IMPORT_SITE, ImportPlan};
pub use imports::{
    ImportTurn, begin_import, cancel_import, complete_import, import_turn, is_open, left_imports,
    note_changed, note_made, note_node,
};
pub use merge::{begin_merge, preview_merge};
pub use merge_plan::{MERGE_TERMS, MergePlan};
pub use page_plan::{MAKE_PAGES, PagePlan};
pub use part::{change_next, fail, resumable};
pub use preview::{ChangePreview, PreviewOutcome, PreviewRow, preview};
pub use report::report;
pub use table::FOLDER as IMPORT_FOLDER;
pub use table_plan::{IMPORT_TABLE, IMPORT_TERMS, TableFolder, TableOptions, TablePlan};
