//! Exchanges content with a site that has the interface of Islandora: an import reads the site and calls the actions of
//! the repository, a push sends items of the repository to the site.

mod bag_content;
mod bag_import;
mod import;
mod imports;
mod links;
mod mapping;
mod merge;
mod paged_list;
mod push;
mod remote;
mod report;
mod same_site;
mod site;
mod stop;
mod task;

pub use bag_import::{BagOrder, BegunBag, OpenBag, import_bag, resume_imports, start_staged};
pub use import::{import, may_import};
pub use imports::{Imports, RunningImport, import_now};
pub use push::push;
pub use report::{Counts, Gap, Loss, Report};
pub use site::SiteError;
pub use task::{ImportOrder, PushOrder, Task, TaskProgress};
