//! What may happen to a disk, a connection or a clock, and what a client then sees.

mod broken_database;
mod broken_uploads;
mod check_read_only;
pub mod clock;
pub mod disk;
mod full_disk;
mod full_disk_emptied;
mod lost_bytes;
mod read_only_disk;
mod replaced_download;
mod schedule;
mod special_files;
