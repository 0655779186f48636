//! `isolario`: see `cli`.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use tracing_subscriber::EnvFilter;

/// Answers are made of many small values.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    isolario::cli::run()
}
