//! The program but for its window: the command line, the commands that a running program is asked for, and the
//! application that starts and stops all parts. ARCHITECTURE.md is the map.

pub mod app;
pub mod cli;
pub mod commands;
pub mod control;

use std::process::ExitCode;

use mimalloc::MiMalloc;
use tracing_subscriber::EnvFilter;

use app::Options;

/// Answers are made of many small values.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Opens the window, and returns when it has been closed.
pub type OpenWindow = fn(Options) -> ExitCode;

/// Does what the command line says; `open_window` is the window of a program that has one.
pub fn main(open_window: Option<OpenWindow>) -> ExitCode {
    isolario_platform::machine::keep_small();
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,tantivy=error"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // Nobody may read it any more: a terminal that has gone must not end what is being written.
        .log_internal_errors(false)
        .init();
    cli::run(open_window)
}
