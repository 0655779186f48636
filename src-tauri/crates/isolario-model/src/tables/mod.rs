//! Tables of items: which columns there are, and how a cell is written and read (docs/TABLES.md).

mod cell;
mod column;

pub use cell::{guard, join, split, unguard};
pub use column::{Column, all_columns, columns};
