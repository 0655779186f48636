//! The command line, driven as its user drives it: the real program, its output and its exit codes.

mod accounts;
mod backup;
mod check;
mod check_uploads;
mod client;
mod data_directory;
mod faults;
mod fixity;
mod fuzz;
mod holdings;
mod jsonld;
mod lan;
mod large_upload;
mod limits;
mod migration;
mod ocfl;
mod program;
mod rebuild;
mod recorded;
mod resumable_upload;
mod serve;
mod token_keys;
mod tokens;
mod validators;
