//! The REST interface: the router, and one file per noun of the URL. The only crate that uses `axum`.

mod app_state;
mod authentication;
pub mod base_url;
mod binary;
mod body;
mod conditional;
mod connection;
mod digest;
mod disposition;
mod drain_body;
mod entity;
mod error;
mod error_code;
mod fallback;
mod file;
mod file_upload;
mod head_limits;
mod json_limits;
mod jwt_token;
mod links;
pub mod local_upload;
mod login;
mod media_source;
mod normalise;
mod origin;
mod ranges;
mod representation;
mod request_format;
mod request_log;
mod response_context;
mod resumption;
mod router;
mod ui;
mod upload;
mod upload_route;
mod user;
pub mod v1;

pub use connection::{Interface, Peer, misdirected};
pub use error::ApiError;
pub use error_code::ErrorCode;
pub use request_log::{LoggedRequest, RequestLog};
pub use router::router;

pub use app_state::{App, AppState, Serving};
