//! The real program, killed (SIGKILL) under load and at the points where it hurts most, started again
//! and judged: what was acknowledged is there, byte for byte, and nothing is half there. `power` takes
//! away what was not synced, besides.
//!
//! `ROUNDS` and `SEED` in the environment say how long and with which chances; the seed is printed.

#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    reason = "a test or measurement reads what it made, and ends where it cannot go on"
)]

mod batch;
mod chance;
mod ledger;
mod load;
mod migration;
mod parts;
mod power;
#[path = "../cli/program.rs"]
#[expect(dead_code, reason = "the command line's own tests need more of it")]
mod program;
#[path = "../cli/recorded.rs"]
mod recorded;
mod rounds;
mod running;
mod trash;
#[path = "../cli/validators.rs"]
mod validators;
mod watched;
mod wire;
