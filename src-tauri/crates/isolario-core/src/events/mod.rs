//! Delivers committed changes to event streams.

mod listener;
mod streams;
mod visible_event;

pub use listener::Listener;
pub use streams::{StreamPermit, Streams};
pub(crate) use visible_event::name_of;
pub use visible_event::{VisibleEvent, visible_event};
