//! Processes that this program starts.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

use std::fmt;

pub use system::{
    ProcessGroup, become_program, interruption, lead_group, own_program, standard_input,
};

/// Why the system ended a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// It took too much time of the processor, or somebody ended it.
    Time,
    /// It wrote too much into a file.
    FileSize,
    /// It gave up.
    Abort,
    /// A signal with this number (signal(7)).
    Signal(i32),
}

impl fmt::Display for Interruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Interruption::Time => f.write_str("time"),
            Interruption::FileSize => f.write_str("file size"),
            Interruption::Abort => f.write_str("abort"),
            Interruption::Signal(number) => write!(f, "signal {number}"),
        }
    }
}
