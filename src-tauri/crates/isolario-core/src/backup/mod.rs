//! Backups: consistent copies of a whole repository in a folder of their own, made while it runs.
//!
//! A backup has every content once, named by its SHA-512, in `objects/`. A manifest says which file of the data
//! directory has which content. `isolario-backup.json` names the current manifest, and one rename replaces it. So an
//! interrupted backup leaves the former one intact, and the next one copies only the missing contents.

mod contents;
mod error;
mod files;
mod history;
mod manifest;
mod now;
mod pool;
mod restore;
mod run;
mod schedule;
mod target;

pub use error::BackupError;
pub use history::{BackupState, back_up_and_note, state};
pub use manifest::{DamagedFile, ManifestHead};
pub use now::{BackupNow, RunningBackup, back_up_now};
pub use restore::{RESTORING, RestoreSummary, restore};
pub use run::Summary;
use run::back_up;
pub use schedule::run_schedule;
