//! How a resource is written: JSON, JSON-LD and Dublin Core.

pub mod configuration;
pub mod dublin_core;
pub mod file;
pub mod json;
pub mod jsonld;
pub mod user;
pub mod xml;
