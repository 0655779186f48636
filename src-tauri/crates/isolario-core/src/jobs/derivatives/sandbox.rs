//! Limits the process that reads a file, which may be hostile: memory, time, files and rights.

use std::io;
use std::time::Duration;

use super::file_access;
use isolario_config::DerivativeRules;
use isolario_derive::Kind;
use isolario_platform::sandbox::{ProcessBounds, confine, restrict_files};

/// Bytes of a file that it writes on its way.
const LARGEST_FILE: u64 = 4 << 30;
/// Files open at the same time.
const OPEN_FILES: u64 = 256;
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
pub fn enter_sandbox(kind: Kind, mime: &str, limits: &ProcessLimits) -> io::Result<()> {
    let bounds = ProcessBounds {
        memory: limits.memory << 20,
        seconds: limits.processor_time(kind.as_str(), mime).as_secs(),
        file: LARGEST_FILE,
        open_files: OPEN_FILES,
    };
    // One that is started by hand has no such name.
    let parent = std::env::var(PARENT).ok();
    let parent = parent.map(|parent| parent.parse().map_err(io::Error::other));
    confine(&bounds, parent.transpose()?)?;
    restrict_files(&file_access::of(kind))
}
