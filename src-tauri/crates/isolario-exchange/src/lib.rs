//! Exchanges content with a site that has the interface of Islandora: an import reads the site and calls the actions of
//! the repository, a push sends items of the repository to the site.

pub mod mapping;
pub mod merge;
mod paged_list;
pub mod remote;
mod report;
pub mod site;
mod task;

pub use paged_list::{Page, PagedList};
pub use report::{Counts, Gap, Loss, Outcome, Report};
pub use task::{ImportOrder, PushOrder, Task};
