//! Items of a table (docs/TABLES.md): its rows are read and checked, and make or change items as a batch.
//!
//! The rows wait in a file in `imports/` until the batch has ended, so that it goes on after a restart. A row is read in
//! the transaction that carries it out, as the check has read it in a snapshot.

mod begin;
mod check;
mod columns;
mod files;
mod ods;
mod open_table;
mod prepared;
mod problem;
mod receive;
mod row;
mod row_file;
mod row_files;
mod row_part;
mod source;
mod step;
mod store_row;
pub mod terms;
mod unpack;
mod workbench_config;
mod xlsx;

pub use begin::{FOLDER, begin_table, remove_old_row_files, remove_rows_of};
pub use check::{ChangedCell, TableCheck, check_table};
pub use problem::{ProblemCode, TableProblem, TableProblemCode};
pub use receive::{read_table, receive_table};
pub use row_file::RowFile;
pub use step::{TableCursor, import_next};
pub use workbench_config::WorkbenchConfig;
