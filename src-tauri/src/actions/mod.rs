//! One file per change that touches several rooms. Every door calls these; none of them sees HTTP.

pub mod account_rules;
pub mod arrival;
mod author;
pub mod create_entity;
pub mod delete_entity;
pub mod delete_file;
pub mod derivatives;
pub mod draft;
mod expected;
pub mod lookups;
pub mod purge;
pub mod record_fixity;
pub mod refusal;
pub mod relocate;
pub mod restore;
pub mod resumable_upload;
pub mod revert;
pub mod roles;
pub mod rules;
pub mod seed;
pub mod source;
pub mod store;
pub mod switch_lan;
pub mod update_entity;
pub mod upload_file;
pub mod upload_media;
pub mod users;
pub mod view_file;
pub mod view_trash;
pub mod view_version;
pub mod watched_folders;

pub use author::Author;
pub use expected::Expected;
pub use refusal::Refusal;
