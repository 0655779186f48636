//! How a resource is written: JSON and JSON-LD.

pub mod html;
pub mod json;
pub mod jsonld;
