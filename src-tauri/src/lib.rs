//! Isolario: a digital repository, whole, in one program. ARCHITECTURE.md is the map.

pub mod actions;
pub mod api;
pub mod auth;
pub mod backup;
pub mod blobs;
pub mod check;
pub mod cli;
pub mod content;
pub mod db;
pub mod derive;
#[cfg(feature = "desktop")]
pub mod desktop;
mod durable;
pub mod events;
mod faults;
pub mod fields;
pub mod fixity;
pub mod formats;
pub mod jobs;
pub mod lan;
pub mod media_types;
pub mod records;
pub mod repository;
pub mod server;
pub mod watch;
mod xmp;
