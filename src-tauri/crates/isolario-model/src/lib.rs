//! What a repository consists of, without any storage: entities and their content model, field types, media types,
//! formats on the wire, and the policy that decides who may do what.

pub mod content;
pub mod fields;
pub mod formats;
pub mod item_change;
pub mod media_inspection;
pub mod model_change;
pub mod origin;
pub mod policy;
pub mod tables;
pub mod watch_rule;
