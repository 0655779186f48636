//! What may happen to a disk, a connection or a clock, and what a client then sees.

mod broken_uploads;
pub mod clock;
pub mod disk;
mod full_disk;
mod lost_bytes;
mod read_only_disk;
mod replaced_download;
