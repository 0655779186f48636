//! `isolario`: see `cli`.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use tracing_subscriber::EnvFilter;

/// Answers are made of many small values.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    keep_small();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    isolario::cli::run()
}

/// A value or two on each of many huge pages would take hundreds of megabytes (Linux, `PR_SET_THP_DISABLE`).
#[cfg(target_os = "linux")]
fn keep_small() {
    // A system that cannot do it gives its memory away more freely; that is all.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

#[cfg(not(target_os = "linux"))]
fn keep_small() {}
