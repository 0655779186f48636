//! The command line: what `isolario` does besides opening its window.

pub mod account_arguments;
mod arguments;
mod derive;
mod exchange;
mod export;
mod password;
mod run;
mod serve;
mod table_arguments;
pub mod terms;
mod watching;

pub use run::run;
