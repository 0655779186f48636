//! `/api/v1/session`: who is asking, and what the page needs to go on.

use axum::{Extension, Json};
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Asked;
use crate::auth::Actor;
use crate::auth::cookie::{self, Session};
use crate::repository::Door;

/// Who is asking, and what their page needs.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionState {
    /// `null` when nobody has signed in.
    user: Option<SignedIn>,
    /// For the header `X-CSRF-Token` of changes that a cookie vouches for.
    csrf_token: String,
    /// For `POST /user/logout?token=`; `null` without a session to end.
    logout_token: Option<String>,
    repository: RepositoryFacts,
    /// Whether the program's own window is asking.
    window: bool,
}

/// A signed-in user.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedIn {
    uid: i64,
    name: String,
    roles: Vec<String>,
    /// By name; the role `administrator` has all, named or not.
    permissions: Vec<String>,
}

/// Facts about the repository.
#[derive(Debug, Serialize, ToSchema)]
pub struct RepositoryFacts {
    name: String,
    /// Of the program.
    version: &'static str,
    /// Under which the client reached it.
    base_url: String,
}

/// Who is asking
#[utoipa::path(get, path = "/api/v1/session", tag = "session", responses((status = 200, body = SessionState)))]
pub async fn session(
    asked: Asked,
    Extension(door): Extension<Door>,
    session: Option<Extension<Session>>,
) -> Json<SessionState> {
    let session = session.map(|Extension(session)| session);
    let csrf_token = session.as_ref().map(Session::csrf_token);
    Json(SessionState {
        user: signed_in(&asked.actor),
        csrf_token: csrf_token.unwrap_or_else(cookie::token_without_session),
        logout_token: session.as_ref().map(Session::logout_token),
        repository: RepositoryFacts {
            name: asked.repository.config.name.clone(),
            version: env!("CARGO_PKG_VERSION"),
            base_url: asked.base.0,
        },
        window: door == Door::Window,
    })
}

fn signed_in(actor: &Actor) -> Option<SignedIn> {
    if actor.is_anonymous() {
        return None;
    }
    let mut permissions: Vec<String> = actor.permissions.iter().cloned().collect();
    permissions.sort();
    Some(SignedIn {
        uid: actor.uid,
        name: actor.name.clone(),
        roles: actor.roles.clone(),
        permissions,
    })
}
