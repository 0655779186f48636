//! The repository without any channel to it: what may be done with it, and the work that follows.

pub mod actions;
pub mod audit_log;
pub mod backup;
pub mod bag;
mod byte_stream;
pub mod check;
mod container;
pub mod csv_table;
pub mod data_directory;
pub mod events;
pub mod export;
pub mod file_kinds;
pub mod finding_aid;
pub mod fixity;
pub mod harvest;
pub mod jobs;
pub mod print;
pub mod progress;
pub mod records;
pub mod repository;
pub mod schedule;
pub mod search;
pub mod similar_names;
pub mod vocabulary;
