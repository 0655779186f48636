//! How a resource is written: JSON and JSON-LD.

pub mod json;
pub mod jsonld;
