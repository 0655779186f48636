//! The interface, asked over a real connection. Files are named after the URL.

#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    reason = "a test or measurement reads what it made, and ends where it cannot go on"
)]

mod access;
mod any_file;
mod auth;
mod binary;
mod cases;
mod conditional;
mod control_characters;
mod customary_dates;
mod digest;
mod error_codes;
mod file;
mod first_refusal;
mod hidden_references;
mod hostile;
mod jwt_token;
mod links;
mod malformed;
mod media;
mod mime_types;
mod node;
mod openapi;
mod openapi_values;
mod post_file_upload;
mod put_media_source;
mod put_upload;
mod put_upload_broken;
mod put_upload_meanwhile;
mod put_upload_races;
mod put_upload_targets;
mod refused_early;
mod request_log;
mod rest_rules;
mod resumable_upload;
mod resumable_upload_broken;
mod resumable_upload_end;
mod resumable_upload_races;
mod routes;
mod support;
mod taxonomy_term;
mod tickets;
mod ui_files;
mod user;
mod v1_activity;
mod v1_batches;
mod v1_batches_copies;
mod v1_batches_trash;
mod v1_collections;
mod v1_events;
mod v1_events_end;
mod v1_events_limits;
mod v1_file_versions;
mod v1_hostile;
mod v1_item_pages;
mod v1_item_passages;
mod v1_item_templates;
mod v1_items;
mod v1_items_deleted;
mod v1_items_facets;
mod v1_jobs;
mod v1_known_bytes;
mod v1_lists;
mod v1_maintenance;
mod v1_picture_adjustment;
mod v1_policy;
mod v1_repository;
mod v1_revisions;
mod v1_search;
mod v1_search_facets;
mod v1_search_feed;
mod v1_search_random;
mod v1_server;
mod v1_tokens;
mod v1_tokens_policy;
mod v1_trash;
mod v1_users;
mod v1_users_roles;
mod v1_users_sign_in;
mod validation;
mod visibility;
