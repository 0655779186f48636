//! Files and directories on disk: durable writes, regular files only, log files, and words for what a disk refuses.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod disk_fault;
pub mod durable;
pub mod faults;
pub mod log_file;
pub mod regular_file;
