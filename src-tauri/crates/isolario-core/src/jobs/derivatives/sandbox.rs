//! Limits the process that reads a file, which may be hostile: memory, time, files and rights.

use std::io;
use std::time::Duration;

use rustix::io::{Errno, Result};
use rustix::process::{
    Resource, Rlimit, Signal, getppid, getrlimit, nice, set_parent_process_death_signal, setrlimit,
};
use rustix::thread::set_no_new_privs;

use super::file_access;
use isolario_config::DerivativeRules;
use isolario_derive::Kind;

/// Bytes of a file that it writes on its way.
const LARGEST_FILE: u64 = 4 << 30;
/// Files open at the same time.
const OPEN_FILES: u64 = 256;
/// The lowest scheduling priority.
const NICENESS: i32 = 19;
/// Names the process that started this one.
pub(super) const PARENT: &str = "ISOLARIO_PARENT";

/// The limits of one process (`[derivatives]` in config.toml).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Address space beside that of the program's own code, in MB.
    pub memory: u64,
    /// Processor time for a picture or for facts, in seconds; others have several times as much.
    pub seconds: u64,
}

impl ProcessLimits {
    /// Those of a configuration.
    pub fn of(rules: &DerivativeRules) -> ProcessLimits {
        ProcessLimits {
            memory: rules.memory,
            seconds: rules.seconds,
        }
    }

    /// The processor time of a derivative.
    pub fn processor_time(&self, kind: &str, mime: &str) -> Duration {
        let times = match (kind, mime.starts_with("video/")) {
            ("service", true) => 72,
            ("text", _) => 6,
            _ => 1,
        };
        Duration::from_secs(self.seconds * times)
    }
}

/// Confines this process and its children permanently. They get little memory, the lowest scheduling priority, no files
/// but their own and no further rights, and they end with their parent.
///
/// # Errors
/// What the system refuses; then nothing may be read.
pub fn enter_sandbox(kind: Kind, mime: &str, bounds: &ProcessLimits) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    refuse_orphans()?;
    set_no_new_privs(true)?;
    let seconds = bounds.processor_time(kind.as_str(), mime).as_secs();
    for (resource, most) in [
        (Resource::Core, 0),
        (Resource::As, (bounds.memory << 20) + mapped_code()),
        (Resource::Cpu, seconds),
        (Resource::Fsize, LARGEST_FILE),
        (Resource::Nofile, OPEN_FILES),
    ] {
        limit(resource, most)?;
    }
    // Somebody who started it by hand may have made it nicer already.
    let _ = nice(NICENESS);
    file_access::restrict(kind)
}

/// The address space of the program and its libraries, in bytes: all but data (proc(5), status). It depends on the
/// build, not on the file.
#[expect(clippy::disallowed_methods, reason = "the system tells it in /proc")]
fn mapped_code() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.trim_end_matches("kB").trim().parse().ok());
        number.unwrap_or(0)
    };
    kilobytes("VmSize:").saturating_sub(kilobytes("VmData:")) << 10
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

/// Lowers a limit. A lower one stays.
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
