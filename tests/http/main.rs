//! The interface, asked over a real connection. Files are named after the URL.

mod auth;
mod binary;
mod cases;
mod conditional;
mod file;
mod file_upload;
mod hostile;
mod jwt_token;
mod links;
mod media;
mod media_source;
mod node;
mod openapi;
mod request_log;
mod rest_rules;
mod routes;
mod support;
mod taxonomy_term;
mod upload;
mod upload_places;
mod upload_races;
mod user;
mod v1_events;
mod v1_items;
mod v1_lists;
