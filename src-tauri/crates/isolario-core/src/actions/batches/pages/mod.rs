//! Makes the pages of an item's original file into items of their own: a batch that counts the pages, and then makes one
//! after the other. `jobs` runs the processes that make their files.

mod begin;
mod original;
mod state;
mod step;
mod store_page;

pub use begin::{BegunPages, LONGEST_PATTERN, PATTERN, begin_pages};
pub use isolario_derive::has_pages as may_have_pages;
pub use original::{MOST_PAGES, PagedOriginal, pages_in};
pub use state::{PagesState, pages_state};
pub use step::{PageStep, PageTask, counted, next_step};
pub use store_page::{PageFile, PageUse, refuse_page, store_page};
