//! Work that follows a change. The change leaves a row in its own transaction, so a crash forgets nothing.
//!
//! There are two queues. `runner` does quick work of the program's own, in batches: a row of table `job` goes when its
//! work is done, which may be done twice; one row stands for one piece of work, however often it was asked for.
//! `derivatives` makes pictures, texts and facts of original files, one at a time, each in a process of its own: a row of
//! table `derivative` stays and says what became of it, and what was made is kept once.

mod derivatives;
mod runner;
mod work;

pub use derivatives::{ProcessLimits, enter_sandbox, make_derivatives, program_can_derive};
pub use runner::{finish, run};
