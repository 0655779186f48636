//! Who is asking, and may they. Every door asks here and nowhere else.

pub mod actor;
pub mod authenticator;
mod basic;
mod bearer;
mod cookie;
mod flood;
mod password;
pub mod permission;
mod tickets;
mod window_key;

pub use actor::Actor;
pub use authenticator::Authenticator;
pub use permission::{Denial, Operation, Subject, Visibility, may, visibility};
