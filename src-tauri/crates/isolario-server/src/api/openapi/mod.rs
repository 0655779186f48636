//! What the OpenAPI descriptions of several handlers share: parameters, refusals, and schemas of resources and values.

pub mod parameters;
pub mod refusals;
pub mod resources;
pub mod values;
