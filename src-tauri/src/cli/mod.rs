//! The command line: what `isolario` does besides opening its window.

pub mod arguments;
pub mod commands;
pub mod config;
pub mod control;
pub mod data_directory;
mod derive;
mod lock;
mod password;
pub mod progress;
mod run;
mod serve;
mod watching;

pub use run::run;
