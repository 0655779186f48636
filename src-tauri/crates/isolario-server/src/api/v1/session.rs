//! `/api/v1/session`: who is asking, and what the page needs to go on.

use axum::{Extension, Json};
use serde::Serialize;
use utoipa::ToSchema;

use super::repository::{RepositoryIdentity, identity_of};
use super::request_context::RequestContext;
use super::share_links::OpenedLink;
use crate::api::{ApiError, Peer};
use isolario_auth::cookie::{self, Session};
use isolario_auth::hosts::authority_of;
use isolario_model::content::ContentModel;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, permissions};

/// The actor of the request, and what the UI needs.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionState {
    /// `null` when nobody has signed in.
    user: Option<SessionUser>,
    /// The share link that they came by; `null` for everybody else.
    link: Option<OpenedLink>,
    /// For the header `X-CSRF-Token` of changes that a cookie vouches for.
    csrf_token: String,
    /// For `POST /user/logout?token=`; `null` without a session to end.
    logout_token: Option<String>,
    repository: RepositoryFacts,
    /// Where people sign in through another service (`/user/login/openid_connect`), what it is called; else `null`.
    #[schema(required)]
    openid_connect: Option<String>,
    /// Whether the program's own window is asking.
    window: bool,
}

/// A signed-in user.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SignedIn)]
pub struct SessionUser {
    uid: i64,
    name: String,
    roles: Vec<String>,
    /// By name; the role `administrator` has all, named or not.
    permissions: Vec<String>,
    /// Those that they have in some collection and not everywhere.
    collection_permissions: Vec<String>,
}

/// Facts about the repository.
#[derive(Debug, Serialize, ToSchema)]
pub struct RepositoryFacts {
    #[serde(flatten)]
    identity: RepositoryIdentity,
    /// Of the program.
    version: &'static str,
    /// Under which the client reached it.
    #[schema(format = "uri")]
    base_url: String,
    /// Fingerprint (SHA-256) of the self-signed certificate that the request came through; `null` for any other.
    fingerprint: Option<String>,
}

/// The actor of the request
#[utoipa::path(get, path = "/api/v1/session", tag = "session", responses((status = 200, body = SessionState)))]
pub async fn session(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    session: Option<Extension<Session>>,
    peer: Option<Extension<Peer>>,
) -> Result<Json<SessionState>, ApiError> {
    let encrypted = peer.is_some_and(|Extension(peer)| peer.encrypted);
    let fingerprint = if encrypted {
        fingerprint(&context)
    } else {
        None
    };
    let session = session.map(|Extension(session)| session);
    let csrf_token = session.as_ref().map(Session::csrf_token);
    let user = signed_in(&context.actor, &context.repository.model());
    let base_url = context.base.0.to_string();
    let openid_connect = openid_connect(&context);
    let of_snapshot =
        context.read(|snapshot| Ok((identity_of(snapshot)?, snapshot.opened_link()?)));
    let (identity, link) = of_snapshot.await?;
    Ok(Json(SessionState {
        user,
        link,
        csrf_token: csrf_token.unwrap_or_else(cookie::token_without_session),
        logout_token: session.as_ref().map(Session::logout_token),
        repository: RepositoryFacts {
            identity,
            version: env!("CARGO_PKG_VERSION"),
            base_url,
            fingerprint,
        },
        openid_connect,
        window: origin == Origin::Window,
    }))
}

/// The name of the service, or its host.
fn openid_connect(context: &RequestContext) -> Option<String> {
    let service = context.repository.authenticator.openid_connect()?;
    let rules = service.rules();
    let host = || {
        authority_of(&rules.issuer)
            .unwrap_or(&rules.issuer)
            .to_owned()
    };
    Some(rules.name.clone().unwrap_or_else(host))
}

/// Of the certificate that browsers do not know.
fn fingerprint(context: &RequestContext) -> Option<String> {
    let certificate = context.app.lan.state().serving?.certificate?;
    certificate.self_signed.then_some(certificate.fingerprint)
}

fn signed_in(actor: &Actor, model: &ContentModel) -> Option<SessionUser> {
    if actor.is_anonymous() {
        return None;
    }
    let mut everywhere: Vec<String> = actor.permissions.iter().cloned().collect();
    everywhere.sort();
    Some(SessionUser {
        uid: actor.uid,
        name: actor.name.clone(),
        roles: actor.roles.clone(),
        permissions: everywhere,
        collection_permissions: collection_permissions(actor, model),
    })
}

fn collection_permissions(actor: &Actor, model: &ContentModel) -> Vec<String> {
    if actor.in_collections.is_empty() {
        return Vec::new();
    }
    let can_there = |name: &str| actor.in_collections.iter().any(|one| one.actor.can(name));
    let named = permissions(model).map(|one| one.name);
    named
        .filter(|name| !actor.can(name) && can_there(name))
        .collect()
}
