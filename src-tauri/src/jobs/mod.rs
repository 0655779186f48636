//! Work that follows a change. The change leaves a row in its own transaction; the row goes when the
//! work is done, so a crash forgets nothing and the same work may be done twice. One row stands for
//! one piece of work, however often it was asked for.

mod runner;
mod work;

pub use runner::run;
