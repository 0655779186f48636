//! Who may do what: decided here and nowhere else.

pub mod actor;
pub mod permission;
mod permission_list;
mod scope;
mod sign_in;

pub use actor::{Actor, ActorInCollection};
pub use permission::{
    Denial, InCollection, ItemFacts, ItemVisibility, MediaVisibility, Operation, PermittedChange,
    PermittedRedirect, PermittedRoleChange, PermittedSavedSearch, PermittedServerChange,
    SavedSearchFacts, Subject, Visibility, item_visibility, may, may_administer_roles,
    may_be_harvested, may_change_saved_search, may_run_server, may_send, may_share_searches,
    may_view, may_view_saved_search, media_visibility, permit, permit_redirect, permit_roles,
    permit_saved_search, permit_server, review_duty, saved_search_visibility, visibility,
};
pub use permission_list::{Area, Permission, expand, permissions};
pub use scope::Scope;
pub use sign_in::SignIn;
