//! Signing in through another service (OpenID Connect Core 1.0): there and back.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ApiError;
use super::base_url::BaseUrl;
use super::v1::parameters::Parameters;
use crate::api::app_state::AppState;
use isolario_auth::OpenIdConnectError;
use isolario_auth::cookie::{self, OPENID};
use isolario_core::actions::Refusal;
use isolario_core::actions::users::openid_account;
use isolario_core::repository::Repository;
use isolario_model::policy::Actor;

const RETURN: &str = "/user/login/openid_connect/return";

/// The routes of signing in through another service.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(begin))
        .routes(routes!(finish))
}

/// Sign in through another service
///
/// Leads a browser to the service that the configuration names (`[openid_connect]`), from which it comes back to
/// `/user/login/openid_connect/return`.
#[utoipa::path(get, operation_id = "begin_openid_connect", path = "/user/login/openid_connect", tag = "session", responses(
    (status = 303, description = "To the service, or back to `/user/login?failed=` where it cannot be asked or none is configured")))]
async fn begin(
    State(repository): State<Arc<Repository>>,
    Extension(base): Extension<BaseUrl>,
) -> Response {
    let Some(service) = repository.authenticator.openid_connect() else {
        return back("unconfigured");
    };
    match service.begin(&base.join(RETURN)).await {
        Ok(request) => {
            let cookie = cookie::set_openid_cookie(&request.kept, base.is_encrypted());
            leading_to(&request.url, Some(&cookie))
        }
        Err(error) => failed(&error),
    }
}

/// What a browser brings back from the service.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Returned {
    /// What the browser was sent with.
    state: Option<String>,
    /// What the program gets an identity token for.
    code: Option<String>,
    /// Why the service let nobody in.
    error: Option<String>,
}

/// Come back from the service through which somebody signs in
///
/// Its cookie begins a session. An account is made for who comes for the first time, and gets the roles that the groups
/// there give.
#[utoipa::path(get, operation_id = "finish_openid_connect", path = "/user/login/openid_connect/return", tag = "session", params(Returned), responses(
    (status = 303, description = "To the repository with a session, or to `/user/login?failed=` without")))]
async fn finish(
    State(repository): State<Arc<Repository>>,
    Extension(base): Extension<BaseUrl>,
    Extension(actor): Extension<Actor>,
    Parameters(returned): Parameters<Returned>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Some(service) = repository.authenticator.openid_connect() else {
        return Ok(back("unconfigured"));
    };
    if let Some(error) = returned.error {
        tracing::info!(error, "a service let nobody in");
        return Ok(back("refused"));
    }
    let mut sent = headers.get_all(header::COOKIE).iter();
    let kept = sent.find_map(|value| cookie::find(value.to_str().ok()?, OPENID));
    let (Some(kept), Some(state), Some(code)) = (kept, returned.state, returned.code) else {
        return Ok(failed(&OpenIdConnectError::Unasked));
    };
    let redirect = base.join(RETURN);
    let identity = match service.finish(&redirect, kept, (&state, &code)).await {
        Ok(identity) => identity,
        Err(error) => return Ok(failed(&error)),
    };
    let uid = match openid_account(&repository.db, service.rules(), identity).await {
        Ok(uid) => uid,
        Err(Refusal::Denied(denial)) => {
            tracing::warn!(reason = denial.message, "somebody was not let in");
            return Ok(back("denied"));
        }
        // Such as one that would leave nobody who may do everything.
        Err(refusal) if refusal.is_of_one() => {
            tracing::warn!(%refusal, "somebody was not let in");
            return Ok(back("denied"));
        }
        Err(refusal) => return Err(ApiError::from_refusal(&actor, refusal)),
    };
    let authenticator = &repository.authenticator;
    let Some(person) = authenticator.actor(uid).await? else {
        return Ok(back("denied"));
    };
    let Ok(session) = authenticator.begin_session(&person).await else {
        return Ok(back("denied"));
    };
    let encrypted = base.is_encrypted();
    let name = authenticator.cookie_name(encrypted);
    Ok(leading_to(
        "/",
        Some(&session.set_cookie(name, encrypted, false)),
    ))
}

/// Leads back to the page that signs in, which says what failed.
fn failed(error: &OpenIdConnectError) -> Response {
    tracing::warn!(%error, "nobody could sign in through the service");
    back(match error {
        OpenIdConnectError::Service(_) => "unreachable",
        OpenIdConnectError::Unasked => "unasked",
        OpenIdConnectError::Token(_) => "refused",
    })
}

fn back(why: &str) -> Response {
    leading_to(&format!("/user/login?failed={why}"), None)
}

fn leading_to(location: &str, cookie: Option<&str>) -> Response {
    let mut response = (StatusCode::SEE_OTHER, location.to_owned()).into_response();
    let mut set = |name, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    };
    set(header::LOCATION, location);
    set(header::CACHE_CONTROL, "no-store");
    if let Some(cookie) = cookie {
        set(header::SET_COOKIE, cookie);
    }
    response
}
