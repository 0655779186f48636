//! Signing in and out of a browser, and what a page needs to know about it (interface, Authentication).

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::authentication::refused;
use super::base_url::BaseUrl;
use super::body::read_small_body;
use super::openapi::resources::{Credentials, LoggedIn};
use super::{ApiError, Peer, ui};
use crate::api::app_state::AppState;
use isolario_auth::SignInError;
use isolario_auth::cookie::{self, Session};
use isolario_config::Limits;
use isolario_core::repository::Repository;
use isolario_model::content::user::AUTHENTICATED_ROLE;
use isolario_model::formats;
use isolario_model::policy::Actor;

/// The routes of sessions.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(ui::login_page, log_in))
        .routes(routes!(log_out))
        .routes(routes!(login_status))
        .routes(routes!(session_token))
}

/// Begin a session
#[utoipa::path(post, path = "/user/login", tag = "session", request_body = Credentials, responses(
    (status = 200, description = "The session; Set-Cookie carries it", body = LoggedIn)))]
async fn log_in(
    State(repository): State<Arc<Repository>>,
    Extension(actor): Extension<Actor>,
    Extension(base): Extension<BaseUrl>,
    request: Request,
) -> Result<Response, ApiError> {
    if !actor.is_anonymous() {
        return Err(ApiError::forbidden(
            "This route can only be accessed by anonymous users.",
        ));
    }
    let address = Peer::address_of(request.extensions());
    let log_in = read_credentials(request, &repository.config.limits).await?;
    let authenticator = &repository.authenticator;
    let signed_in = authenticator.password(
        &log_in.name,
        &log_in.password,
        log_in.code.as_deref(),
        address,
    );
    let signed_in = signed_in.await;
    let actor = signed_in.map_err(not_signed_in)?;
    let session = authenticator.begin_session(&actor).await;
    let session = session.map_err(not_signed_in)?;
    let encrypted = base.is_encrypted();
    let name = authenticator.cookie_name(encrypted);
    let cookie = session.set_cookie(name, encrypted, log_in.keep);
    Ok(welcome(&actor, &session, &cookie))
}

/// 400 where the form was wrong, not the credentials of the request.
fn not_signed_in(error: SignInError) -> ApiError {
    match error {
        SignInError::Refused(_)
        | SignInError::WrongPassword { .. }
        | SignInError::CodeNeeded
        | SignInError::WrongCode { .. } => ApiError {
            status: StatusCode::BAD_REQUEST,
            // What is asked for is a form, not a header.
            headers: Vec::new(),
            ..refused(error, None)
        },
        other => refused(other, None),
    }
}

/// What a browser signs in with.
struct LogIn {
    name: String,
    password: String,
    /// Of the second factor.
    code: Option<String>,
    /// Whether the session outlasts the browser.
    keep: bool,
}

async fn read_credentials(request: Request, limits: &Limits) -> Result<LogIn, ApiError> {
    let body = read_small_body(request, limits).await?;
    if body.is_empty() {
        return Err(ApiError::bad_request("No entity content received."));
    }
    let sent: Value =
        serde_json::from_slice(&body).map_err(|_| ApiError::bad_request("Syntax error"))?;
    let part = |name: &str| sent.get(name).and_then(Value::as_str).map(str::to_owned);
    // Clients of the interface do not say it, and are kept.
    let keep = sent.get("keep").map_or(Some(true), Value::as_bool);
    let keep = keep.ok_or_else(|| ApiError::bad_request("credentials.keep is true or false."))?;
    match (part("name"), part("pass")) {
        (Some(name), Some(password)) => Ok(LogIn {
            name,
            password,
            code: part("code"),
            keep,
        }),
        (Some(_), None) => Err(ApiError::bad_request("Missing credentials.pass.")),
        (None, Some(_)) => Err(ApiError::bad_request("Missing credentials.name.")),
        (None, None) => Err(ApiError::bad_request("Missing credentials.")),
    }
}

fn welcome(actor: &Actor, session: &Session, cookie: &str) -> Response {
    let mut user = Map::new();
    user.insert("uid".into(), actor.uid.to_string().into());
    if actor.roles.iter().any(|role| role != AUTHENTICATED_ROLE) {
        user.insert("roles".into(), json!(actor.roles));
    }
    user.insert("name".into(), actor.name.clone().into());
    let body = json!({
        "current_user": user,
        "csrf_token": session.csrf_token(),
        "logout_token": session.logout_token(),
    });
    let mut response = json_response(&body);
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    response
}

/// A response with a JSON body.
pub fn json_response(body: &Value) -> Response {
    let mut response = formats::json::encode(body).into_response();
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    response
}

/// End the session
#[utoipa::path(post, path = "/user/logout", tag = "session", params(("token" = Option<String>, Query)), responses(
    (status = 204, description = "The session has ended")))]
async fn log_out(
    State(repository): State<Arc<Repository>>,
    session: Option<Extension<Session>>,
    Extension(base): Extension<BaseUrl>,
    uri: Uri,
) -> Result<Response, ApiError> {
    let Some(Extension(session)) = session else {
        return Err(ApiError::forbidden(
            "This route can only be accessed by authenticated users.",
        ));
    };
    let mut parameters = uri.query().unwrap_or_default().split('&').rev();
    match parameters.find_map(|pair| pair.strip_prefix("token=")) {
        None => {
            return Err(ApiError::forbidden(
                "'csrf_token' URL query argument is missing.",
            ));
        }
        Some(token) if !session.accepts_logout(token) => {
            return Err(ApiError::forbidden(
                "'csrf_token' URL query argument is invalid.",
            ));
        }
        Some(_) => repository.authenticator.end_session(&session).await?,
    }
    let mut response = StatusCode::NO_CONTENT.into_response();
    let name = repository.authenticator.cookie_name(base.is_encrypted());
    let cleared = cookie::clear_cookie(name);
    if let Ok(value) = HeaderValue::from_str(&cleared) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    Ok(response)
}

/// 1 for an actor who has signed in, else 0
#[utoipa::path(get, operation_id = "get_login_status", path = "/user/login_status", tag = "session", responses(
    (status = 200, description = "The status", body = String)))]
async fn login_status(Extension(actor): Extension<Actor>) -> Response {
    plain_text(if actor.is_anonymous() { "0" } else { "1" }.to_owned())
}

/// A token for X-CSRF-Token
#[utoipa::path(get, operation_id = "get_session_token", path = "/session/token", tag = "session", responses(
    (status = 200, description = "The token", body = String)))]
async fn session_token(session: Option<Extension<Session>>) -> Response {
    plain_text(match session {
        Some(Extension(session)) => session.session_token(),
        None => cookie::token_without_session(),
    })
}

fn plain_text(text: String) -> Response {
    let mut response = text.into_response();
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=UTF-8"),
    );
    response
}
