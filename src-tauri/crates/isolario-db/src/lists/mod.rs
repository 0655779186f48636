//! Lists: what stands in which list, in which order, and who may see it. Written so that a page
//! costs the same in a repository of a thousand items and of a million. Joins are written as
//! `CROSS JOIN`, which SQLite carries out in the order in which they stand: it has no statistics from
//! which to choose a better one, and a worse one reads everything that refers to a common term.

mod count;
mod cursor;
mod event_seen;
mod field_sort;
mod filter;
mod history;
mod holder;
mod item;
mod items;
pub(super) mod listing;
mod listing_page;
mod media;
mod node_list;
mod order;
mod picture;
mod position;
mod query;
mod search;
mod sort_key;
mod source;
mod start;
mod terms;
#[cfg(test)]
mod tests;
mod users;
mod visible;

pub use count::ViewCounts;
pub use cursor::{Cursor, Key, Page, Total};
pub use field_sort::FieldSort;
pub use history::HISTORY_ORDER;
pub use holder::Holder;
pub use item::{ItemRow, TermName};
pub use items::{DateSpan, FieldPresence, FieldShape, ItemFilter, View, collection_order};
pub use media::{MEDIA_ORDER, MediaFile, MediaRow};
pub use order::{ItemSort, Order};
pub use picture::{is_picture, original_of, picture_of};
pub use start::Start;
pub use terms::{TERM_ORDERS, TermFilter, TermRow};
pub use users::{USER_ORDER, UserFilter};
pub use visible::Viewer;
