//! How a resource is written: JSON and JSON-LD.

pub mod configuration;
pub mod file;
pub mod json;
pub mod jsonld;
pub mod user;
