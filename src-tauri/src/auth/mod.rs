//! Who is asking, and may they. Every door asks here and nowhere else.

pub mod actor;
mod argon;
pub mod authenticator;
mod basic;
mod bearer;
pub mod cookie;
mod flood;
mod hashers;
pub mod hosts;
mod known_permissions;
pub mod password;
pub mod permission;
mod secret;
mod tickets;
mod window_key;

pub use actor::Actor;
pub use authenticator::{Authenticator, SignInError};
pub use bearer::{KeyError, PublicKey, Rotation};
pub use permission::{Denial, Operation, Subject, Visibility, may, may_run_server, visibility};
pub use secret::{random_bytes, random_hex};
