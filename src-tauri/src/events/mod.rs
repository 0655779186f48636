//! Hands committed changes out to those who listen.

mod heard;
mod listener;

pub use heard::{Heard, heard};
pub use listener::Listener;
