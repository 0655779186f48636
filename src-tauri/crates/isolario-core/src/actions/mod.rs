//! One file for each action that uses several parts of the repository. Every origin calls these; none of them sees
//! HTTP.

pub mod access_tokens;
pub mod account_rules;
pub mod adjust_picture;
mod author;
pub mod batches;
mod containers;
pub mod content_model;
pub mod create_entity;
pub mod delete_entity;
pub mod delete_file;
pub mod delete_item;
mod derivative_jobs;
pub mod derivatives;
pub mod identity;
pub mod ingest;
pub mod item_templates;
pub mod move_bytes;
pub mod patch_entity;
pub mod path_aliases;
pub mod permitted_references;
pub mod plain_file;
mod precondition;
pub mod purge;
pub mod record_fixity;
pub mod redirects;
pub mod refusal;
pub mod relocate;
pub mod request_body;
pub mod response_context;
pub mod restore;
pub mod resumable_upload;
pub mod revert;
pub mod review;
pub mod roles;
pub mod saved_searches;
pub mod seed;
pub mod share_links;
pub mod source_metadata;
#[cfg(test)]
mod tests;
pub mod text_values;
pub mod trashed_item;
pub mod upload_file;
pub mod upload_media;
pub mod users;
pub mod validation;
pub mod view_entity;
pub mod view_trash;
pub mod view_version;
pub mod write_entity;
mod write_with_reserve;

pub use author::Author;
pub use precondition::Precondition;
pub use refusal::Refusal;
