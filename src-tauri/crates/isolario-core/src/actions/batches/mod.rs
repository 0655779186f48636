//! Changes of many items: preview, begin, change part by part, cancel, undo. Each item is changed as by `update_entity`,
//! with its own question to the policy, its own revision and event; all of them name the batch.

mod begin;
mod item_work;
mod part;
mod preview;

pub use begin::{ItemSource, begin, cancel, undo, visible_batch};
pub use part::{change_next, fail, resumable};
pub use preview::{ChangePreview, PreviewOutcome, PreviewRow, preview};
