//! The wish of the system that the program ends in order.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::EndSignals;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::EndSignals;
