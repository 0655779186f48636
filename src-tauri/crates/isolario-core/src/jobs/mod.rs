//! Jobs that follow a change. The transaction of the change adds their rows, so a crash loses none.
//!
//! There are two queues. `runner` runs quick jobs of the program itself, in batches. A row of the table `job` is
//! removed when its job is done. A job may run twice. It has one row, however often it was asked for. `derivatives`
//! makes pictures, texts and facts of original files, one at a time, each in a process of its own. A row of the table
//! `derivative` stays and has the outcome. A derivative is stored once.

mod batches;
mod derivatives;
mod inventories;
mod pages;
mod runner;
mod work;

pub use batches::{resume_batches, start_batch};
pub use derivatives::{
    ProcessLimits, TiledPicture, Tiles, enter_sandbox, make_derivatives, program_can_derive, tiles,
};
pub use runner::{finish, run};
