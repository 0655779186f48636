//! What every test of the interface needs: a running repository, the people who may sign in, and
//! requests that read like the requests they make.

mod batches;
mod bucket;
pub mod content_model;
mod fixtures;
mod new_repository;
mod oai;
mod people;
mod request;
mod response;
mod samples;
mod search;
mod server;
pub mod wire;
pub mod workbench;

pub use batches::outcome;
pub use fixtures::merge;
pub use oai::OaiAnswer;
pub use people::{ADMIN, DEPOSITOR, PLAIN, Person};
pub use request::Request;
pub use response::Response;
pub use samples::png;
pub use search::{encoded, hits};
pub use server::TestServer;
