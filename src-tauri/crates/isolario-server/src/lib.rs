//! The REST interface of a repository, and the sockets that it is served on.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod api;
pub mod lan;
pub mod listeners;
