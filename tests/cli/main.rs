//! The command line, driven as its user drives it: the real program, its output and its exit codes.

#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    reason = "a test or measurement reads what it made, and ends where it cannot go on"
)]

mod access_tokens;
mod accounts;
mod audit_log;
mod backup;
mod bag;
mod bucket;
mod check;
mod check_bag;
mod check_uploads;
mod client;
mod data_directory;
mod derivatives;
mod derive;
mod disk_names;
mod export;
mod faults;
mod fixity;
mod fuzz;
mod harvest;
mod holdings;
mod hostile_files;
mod import;
mod import_bag;
mod import_bag_others;
mod import_table;
mod jsonld;
mod lan;
mod landing_page;
mod large_upload;
mod limits;
mod lost_database;
mod migration;
mod new_repository;
mod ocfl;
mod older_database;
mod passwords;
mod process;
mod program;
mod push;
mod rebuild;
mod recorded;
mod resumable_upload;
mod search_index;
mod secrets;
mod serve;
mod slow_readers;
mod stopping;
mod terms;
mod token_keys;
mod tokens;
mod validators;
mod watch;
