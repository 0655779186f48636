//! The command line, driven as its user drives it: the real program, its output and its exit codes.

mod accounts;
mod client;
mod data_directory;
mod faults;
mod large_upload;
mod ocfl;
mod program;
mod serve;
mod tokens;
