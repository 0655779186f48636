//! Delivers committed changes to event streams.

mod listener;
mod streams;
mod visible_event;

pub use listener::Listener;
pub use streams::{StreamPermit, Streams};
pub use visible_event::{VisibleEvent, visible_event};
