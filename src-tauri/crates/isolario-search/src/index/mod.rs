//! The index on disk: how documents are written into it, and how it is opened, changed and made anew.

mod blocks;
mod encode;
pub mod keys;
pub mod labels;
pub mod schema;
pub mod sealed;
pub mod snapshot;
pub mod space;
pub mod store;
pub mod tokens;
mod writer;
