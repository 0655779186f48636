//! Lists: which resources a list holds, in which order, and who may see them. A page costs the same in a repository of
//! a thousand items and of a million. Joins are written as `CROSS JOIN`, because SQLite then reads the tables in the
//! written order. SQLite has no statistics here, and a worse order reads every reference to a common term.

mod access_tokens;
mod count;
mod cursor;
mod descendants;
mod event_seen;
mod field_sort;
mod filter;
mod history;
mod holdings;
mod item_filter;
mod item_lists;
mod item_row;
mod items_with_bytes;
mod list_id;
mod list_page;
mod list_query;
mod list_sql;
pub(super) mod listing_table;
mod media;
pub(super) mod node_set;
mod order;
mod page_of;
mod page_start;
mod picture;
mod position;
mod saved_searches;
mod snapshot;
mod sort_key;
mod sql_parts;
mod term_places;
mod term_uses;
mod term_words;
mod terms;
#[cfg(test)]
mod tests;
mod unused_terms;
mod users;
mod visible;
mod with_text;
mod without_original;

pub use access_tokens::ACCESS_TOKEN_ORDER;
pub use count::ViewCounts;
pub use cursor::{Cursor, Key, Page, Total};
pub use descendants::CountsBelow;
pub use field_sort::FieldSort;
pub use history::HISTORY_ORDER;
pub use holdings::{FormatHoldings, Holdings, MediaUseHoldings, MonthHoldings, TermHoldings};
pub use item_filter::{DateSpan, FieldPresence, FieldShape, ItemFilter, View};
pub use item_lists::collection_order;
pub use item_row::{ItemRow, Place, TermName};
pub use items_with_bytes::Holder;
pub use media::{MEDIA_ORDER, MediaFile, MediaRow};
pub use node_set::NodeSet;
pub use order::{ItemSort, Order};
pub use page_of::MemberWeights;
pub use page_start::Start;
pub use picture::{is_picture, original_of, picture_of};
pub use saved_searches::SAVED_SEARCH_ORDER;
pub use snapshot::Lists;
pub use sort_key::sort_key;
pub use term_places::{PLACE_ORDER, PlacedTerm, TermsBelow};
pub use terms::{TERM_ORDERS, TermFilter, TermRow};
pub use users::{USER_ORDER, UserFilter};
pub use visible::Viewer;
