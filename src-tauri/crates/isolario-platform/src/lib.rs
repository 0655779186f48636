//! What differs between systems: one module for each matter, and in it one file for each system. Whoever uses it names
//! no system.

#![allow(
    clippy::disallowed_methods,
    reason = "what others are to use instead is here"
)]

pub mod beneath;
pub mod channel;
pub mod files;
pub mod machine;
pub mod process;
pub mod sandbox;
pub mod signals;
