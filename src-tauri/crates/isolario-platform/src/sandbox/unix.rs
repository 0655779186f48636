//! Bounds, as every Unix has them.

use std::io;

use rustix::process::{Pid, Resource, Rlimit, getppid, getrlimit, nice, setrlimit};

use super::ProcessBounds;

/// The lowest scheduling priority.
const NICENESS: i32 = 19;

/// Sets the limits of this process. `code` is the address space of its own code, in bytes; `None` where the system does
/// not limit the address space.
pub(super) fn bound(bounds: &ProcessBounds, code: Option<u64>) -> io::Result<()> {
    limit(Resource::Core, 0)?;
    if let Some(code) = code {
        limit(Resource::As, bounds.memory + code)?;
    }
    limit(Resource::Cpu, bounds.seconds)?;
    limit(Resource::Fsize, bounds.file)?;
    limit(Resource::Nofile, bounds.open_files)
}

/// Lowers a limit. A lower one stays.
fn limit(resource: Resource, most: u64) -> io::Result<()> {
    let allowed = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let most = most.min(allowed);
    setrlimit(
        resource,
        Rlimit {
            current: Some(most),
            maximum: Some(most),
        },
    )?;
    Ok(())
}

pub(super) fn give_way() -> io::Result<()> {
    nice(NICENESS)?;
    Ok(())
}

/// Whether a process is still the parent of this one.
pub(super) fn is_parent(process: u32) -> bool {
    let parent = getppid().map(Pid::as_raw_nonzero);
    parent.is_some_and(|parent| u32::try_from(parent.get()) == Ok(process))
}
