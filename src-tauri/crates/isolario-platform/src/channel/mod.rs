//! A channel between programs of one account on this machine, with an address for each directory.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::{Connection, Listener, connect};
#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::{Connection, Listener, connect};
