//! A channel between programs of one account on this machine, with an address for each directory.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub use system::{Connection, Listener, connect};
