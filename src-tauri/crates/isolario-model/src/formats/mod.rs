//! How a resource is written: JSON, JSON-LD, and the metadata formats of the crosswalk.

pub mod configuration;
pub mod crosswalk;
pub mod file;
pub mod json;
pub mod jsonld;
pub mod user;
pub mod xml;
