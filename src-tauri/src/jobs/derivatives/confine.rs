//! What a process may use that reads a file which may be hostile.

use std::time::Duration;

use rustix::io::{Errno, Result};
use rustix::process::{
    Resource, Rlimit, Signal, getppid, getrlimit, nice, set_parent_process_death_signal, setrlimit,
};
use rustix::thread::set_no_new_privs;

/// Bytes of address space.
pub const MEMORY: u64 = 1536 << 20;
/// Bytes of a file that it writes on its way.
const LARGEST_FILE: u64 = 4 << 30;
/// Files open at the same time.
const OPEN_FILES: u64 = 256;
/// The last that gets a processor.
const NICENESS: i32 = 19;
/// Names the process that started this one.
pub(super) const PARENT: &str = "ISOLARIO_PARENT";

/// Processor time that a product may take.
pub fn processor_time(kind: &str, mime: &str) -> Duration {
    let minutes = match (kind, mime.starts_with("video/")) {
        ("service", true) => 6 * 60,
        ("text", _) => 30,
        _ => 5,
    };
    Duration::from_secs(minutes * 60)
}

/// Confines this process for good, with whatever it starts: little memory, processor time only while nobody else wants
/// it, no rights beyond its own, and its end with that of its parent.
///
/// # Errors
/// What the system refuses; then nothing may be read.
pub fn confine(kind: &str, mime: &str) -> Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    refuse_orphans()?;
    set_no_new_privs(true)?;
    let seconds = processor_time(kind, mime).as_secs();
    for (resource, most) in [
        (Resource::Core, 0),
        (Resource::As, MEMORY),
        (Resource::Cpu, seconds),
        (Resource::Fsize, LARGEST_FILE),
        (Resource::Nofile, OPEN_FILES),
    ] {
        limit(resource, most)?;
    }
    // Somebody who started it by hand may have made it nicer already.
    let _ = nice(NICENESS);
    Ok(())
}

/// The parent may have ended before its end was to be this process's, too.
fn refuse_orphans() -> Result<()> {
    let Ok(parent) = std::env::var(PARENT) else {
        return Ok(());
    };
    let now = getppid().map(|process| process.as_raw_nonzero().to_string());
    match now.as_ref() == Some(&parent) {
        true => Ok(()),
        false => Err(Errno::SRCH),
    }
}

/// A limit that is lower already stays.
fn limit(resource: Resource, most: u64) -> Result<()> {
    let allowed = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let most = most.min(allowed);
    setrlimit(
        resource,
        Rlimit {
            current: Some(most),
            maximum: Some(most),
        },
    )
}
