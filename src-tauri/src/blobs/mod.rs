//! All file bytes: stage, place, read, remove, sweep. No other room opens a data file.

pub mod address;
pub mod name;
