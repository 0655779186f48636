//! Who may do what: decided here and nowhere else.

pub mod actor;
pub mod permission;
mod sign_in;

pub use actor::Actor;
pub use permission::{
    Denial, ItemFacts, MediaVisibility, Operation, PermittedChange, PermittedServerChange, Subject,
    Visibility, may, may_run_server, may_view, media_visibility, permit, permit_server, visibility,
};
pub use sign_in::SignIn;
