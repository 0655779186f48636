//! What every request passes first: is it meant for this server, does it come from a page that may
//! ask, and who is asking (interface, Authentication). Leaves `Actor`, `Origin`, `BaseUrl` and, where
//! there is one, the browser's `Session` with the request. Never touches the body.

use axum::Router;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::base_url::BaseUrl;
use super::resumption::UPLOADS;
use super::{ApiError, ErrorCode, Peer, address_lookup, fallback, origin};
use isolario_auth::SignInError;
use isolario_auth::cookie::{self, Session};
use isolario_auth::hosts::authority_of;
use isolario_config::AuthenticationType;
use isolario_core::repository::Repository;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, SignIn, may_send};

/// Who made a request, for the request log. The layer adds it to the response.
#[derive(Debug, Clone)]
pub struct RequestActor {
    pub uid: i64,
    /// Number of the access token.
    pub token: Option<i64>,
    pub origin: Origin,
}

/// Answers a request by the routes, if it may come in.
pub async fn authenticate(repository: &Repository, routes: Router, request: Request) -> Response {
    let (mut head, body) = request.into_parts();
    let reader = origin::reader(&head);
    let own_ui = is_own_ui(&head.headers);
    let mut dead_cookies = Vec::new();
    let mut response = match admit(repository, &mut head, &mut dead_cookies).await {
        Ok(Admission::Elsewhere(response)) => response,
        Ok(Admission::Of(request_actor)) => {
            let mut response = match origin::preflight(&head) {
                Some(answer) => answer,
                None => fallback::explained(routes, Request::from_parts(head, body)).await,
            };
            response.extensions_mut().insert(request_actor);
            response
        }
        Err(error) => error.into_response(),
    };
    if own_ui {
        soften_challenge(&mut response);
    }
    if !response.headers().contains_key(header::SET_COOKIE) {
        for name in dead_cookies {
            clear_cookie(name, response.headers_mut());
        }
    }
    if let Some(origin) = reader {
        origin::share_with(origin, response.headers_mut());
    }
    response
}

/// What becomes of a request that may come in.
enum Admission {
    Of(RequestActor),
    /// It is at an address that leads elsewhere.
    Elsewhere(Response),
}

async fn admit<'r>(
    repository: &'r Repository,
    head: &mut Parts,
    dead_cookies: &mut Vec<&'r str>,
) -> Result<Admission, ApiError> {
    let authority = known_host(repository, head)?;
    origin::refuse_foreign_page(head, authority)?;
    let base = base_url(repository, head, authority);
    // The path decides below which ways of signing in are allowed.
    if let Some(response) = address_lookup::resolve(repository, head)? {
        return Ok(Admission::Elsewhere(response));
    }
    let cookie = repository.authenticator.cookie_name(base.is_encrypted());
    let identity = identify(repository, head, cookie, dead_cookies).await?;
    refuse_other_ways(repository, head, identity.way)?;
    require_csrf_token(head, identity.session.as_ref())?;
    may_send(&identity.actor, head.method.is_safe())
        .map_err(|denial| ApiError::denied(&identity.actor, denial))?;
    let request_actor = RequestActor {
        uid: identity.actor.uid,
        token: match identity.actor.sign_in {
            SignIn::Token(id) => Some(id),
            _ => None,
        },
        origin: identity.origin,
    };
    let extensions = &mut head.extensions;
    extensions.insert(base);
    extensions.insert(identity.actor);
    extensions.insert(identity.origin);
    if let Some(session) = identity.session {
        extensions.insert(session);
    }
    Ok(Admission::Of(request_actor))
}

/// The host that a request is for, if this server goes by that name: the one in an absolute target, else
/// the `Host` (RFC 9112, 3.2.2).
fn known_host<'h>(repository: &Repository, head: &'h Parts) -> Result<&'h str, ApiError> {
    let mut sent = head.headers.get_all(header::HOST).iter();
    let authority = match (head.uri.authority(), sent.next()) {
        (Some(authority), _) => authority.as_str(),
        (None, Some(host)) => host.to_str().unwrap_or_default(),
        (None, None) => return Err(ApiError::bad_request("The Host header is missing.")),
    };
    if sent.next().is_some() {
        return Err(ApiError::bad_request("There is more than one Host header."));
    }
    if repository.authenticator.hosts().allows(authority) {
        return Ok(authority);
    }
    Err(ApiError::new(
        ErrorCode::UnknownHost,
        format!(
            "This server does not answer to the host name \"{authority}\". Names can be added to allowed_hosts in config.toml."
        ),
    ))
}

/// The public address where it is that one the client used, else the very `Host`.
fn base_url(repository: &Repository, head: &Parts, authority: &str) -> BaseUrl {
    let public = repository.config.base_url.as_deref();
    let is_public = public
        .and_then(authority_of)
        .is_some_and(|known| known.eq_ignore_ascii_case(authority));
    match public {
        Some(url) if is_public => BaseUrl(url.into()),
        _ if Peer::is_encrypted(&head.extensions) => BaseUrl(format!("https://{authority}").into()),
        _ => BaseUrl(format!("http://{authority}").into()),
    }
}

/// The actor of a request, and how it authenticated.
struct Identity {
    actor: Actor,
    origin: Origin,
    way: Option<AuthenticationType>,
    session: Option<Session>,
}

async fn identify<'r>(
    repository: &'r Repository,
    head: &Parts,
    cookie: &'r str,
    dead_cookies: &mut Vec<&'r str>,
) -> Result<Identity, ApiError> {
    let (cookie_actor, session) = match read_cookie(repository, &head.headers, cookie).await? {
        Cookie::Alive(actor, session) => (Some(actor), Some(session)),
        Cookie::None => (None, None),
        Cookie::Dead => {
            dead_cookies.push(cookie);
            (None, None)
        }
    };
    let presented = read_authorization(repository, head).await?;
    let (actor, origin, way) = match (presented, cookie_actor) {
        (Some(presented), _) => presented,
        (None, Some(actor)) => (actor, Origin::Rest, Some(AuthenticationType::Cookie)),
        (None, None) => {
            let visitor = visitor(repository, &head.headers, dead_cookies)?;
            (visitor, Origin::Rest, None)
        }
    };
    Ok(Identity {
        actor,
        origin,
        way,
        // The window's requests prove more than any token of a page could.
        session: session.filter(|_| origin != Origin::Window),
    })
}

enum Cookie {
    None,
    Alive(Actor, Session),
    Dead,
}

async fn read_cookie(
    repository: &Repository,
    headers: &HeaderMap,
    name: &str,
) -> Result<Cookie, ApiError> {
    let Some(value) = find_cookie(headers, name) else {
        return Ok(Cookie::None);
    };
    let found = repository.authenticator.session(value).await;
    Ok(match found.map_err(|error| refused(error, None))? {
        Some((actor, session)) => Cookie::Alive(actor, session),
        None => Cookie::Dead,
    })
}

/// Who has not signed in: somebody with a share link, or anybody.
fn visitor<'r>(
    repository: &'r Repository,
    headers: &HeaderMap,
    dead_cookies: &mut Vec<&'r str>,
) -> Result<Actor, ApiError> {
    let authenticator = &repository.authenticator;
    let name = authenticator.link_cookie_name();
    if let Some(key) = find_cookie(headers, name) {
        match authenticator.share_link(key)? {
            Some((bearer, _)) => return Ok(bearer),
            None => dead_cookies.push(name),
        }
    }
    Ok(authenticator.anonymous()?)
}

fn find_cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let sent = headers.get_all(header::COOKIE).into_iter();
    sent.filter_map(|header| header.to_str().ok())
        .find_map(|header| cookie::find(header, name))
}

type VerifiedCredentials = (Actor, Origin, Option<AuthenticationType>);

/// Credentials that are sent are never silently ignored: they let somebody in, or the answer is 401.
async fn read_authorization(
    repository: &Repository,
    head: &Parts,
) -> Result<Option<VerifiedCredentials>, ApiError> {
    let Some(header) = head.headers.get(header::AUTHORIZATION) else {
        return Ok(None);
    };
    let (scheme, credentials) = match header.to_str() {
        Ok(text) => text.trim().split_once(' ').unwrap_or((text, "")),
        Err(_) => ("", ""),
    };
    let authenticator = &repository.authenticator;
    let credentials = credentials.trim();
    if scheme.eq_ignore_ascii_case("Basic") {
        let address = Peer::address_of(&head.extensions);
        let actor = authenticator.basic(credentials, address).await;
        let actor = actor.map_err(|error| refused(error, None))?;
        return Ok(Some((
            actor,
            Origin::Rest,
            Some(AuthenticationType::BasicAuth),
        )));
    }
    match scheme {
        "Bearer" => {
            let address = Peer::address_of(&head.extensions);
            let actor = authenticator.bearer(credentials, address).await;
            let challenge = "Bearer realm=\"Isolario\", error=\"invalid_token\"";
            let actor = actor.map_err(|error| refused(error, Some(challenge)))?;
            Ok(Some((
                actor,
                Origin::Rest,
                Some(AuthenticationType::JwtAuth),
            )))
        }
        "Window" => {
            let actor = authenticator.window(credentials).await;
            let actor = actor.map_err(|error| refused(error, Some("Window realm=\"Isolario\"")))?;
            Ok(Some((actor, Origin::Window, None)))
        }
        _ => Err(ApiError::unauthorized(
            "The Authorization header cannot be used: Basic and Bearer credentials are understood.",
        )),
    }
}

/// The response for credentials that let nobody in. Without a challenge of its own it is that of Basic.
pub fn refused(error: SignInError, challenge: Option<&'static str>) -> ApiError {
    let words = error.to_string();
    match (error, challenge) {
        (SignInError::Database(error), _) => ApiError::from(error),
        (SignInError::Wait(wait), _) => ApiError::new(ErrorCode::TooMany, words)
            .with(header::RETRY_AFTER, &(wait.as_secs() + 1).to_string()),
        (SignInError::WrongPassword { tries_left }, _) => {
            ApiError::unauthorized(words).with_tries_left(tries_left)
        }
        (SignInError::CodeNeeded, challenge) => {
            let error = ApiError::new(ErrorCode::SecondFactorNeeded, words);
            match challenge {
                Some(challenge) => error.with(header::WWW_AUTHENTICATE, challenge),
                None => error,
            }
        }
        (SignInError::WrongCode { tries_left }, _) => {
            ApiError::new(ErrorCode::SecondFactorNeeded, words).with_tries_left(tries_left)
        }
        (SignInError::Refused(_), None) => ApiError::unauthorized(words),
        (SignInError::Refused(_), Some(challenge)) => {
            ApiError::new(ErrorCode::CredentialsRefused, words)
                .with(header::WWW_AUTHENTICATE, challenge)
        }
    }
}

/// Paths that begin, end or describe a session; the configuration of the REST interface is not about them.
const SESSION_PATHS: [&str; 5] = [
    "/user/login",
    "/user/logout",
    "/user/login_status",
    "/session/token",
    "/jwt/token",
];

/// First segments of the paths that the configuration of methods is about.
const REST_NOUNS: [&str; 7] = ["node", "media", "entity", "taxonomy", "user", "file", "api"];

fn refuse_other_ways(
    repository: &Repository,
    head: &Parts,
    way: Option<AuthenticationType>,
) -> Result<(), ApiError> {
    let path = head.uri.path();
    let noun = path.split('/').nth(1).unwrap_or_default();
    // An upload that is gone on with is still the PUT that began it.
    let continues_upload = path.starts_with(UPLOADS);
    let configured =
        REST_NOUNS.contains(&noun) && !SESSION_PATHS.contains(&path) && !continues_upload;
    let rules = repository.config.rest.method(head.method.as_str());
    match way {
        Some(way) if configured && !rules.allows(way) => Err(ApiError::forbidden(
            "The used authentication method is not allowed on this route.",
        )),
        _ => Ok(()),
    }
}

/// A page of another site can make a browser send its cookie, but not this header. Signing in has
/// no session to protect yet, and signing out has a token of its own.
fn require_csrf_token(head: &Parts, session: Option<&Session>) -> Result<(), ApiError> {
    let own_rules =
        head.method == Method::POST && matches!(head.uri.path(), "/user/login" | "/user/logout");
    let Some(session) = session.filter(|_| !origin::is_safe(&head.method) && !own_rules) else {
        return Ok(());
    };
    let sent = head.headers.get("x-csrf-token");
    match sent.map(|token| token.to_str().unwrap_or_default()) {
        None => Err(ApiError::forbidden(
            "X-CSRF-Token request header is missing",
        )),
        Some(token) if session.accepts_csrf(token) => Ok(()),
        Some(_) => Err(ApiError::forbidden(
            "X-CSRF-Token request header is invalid",
        )),
    }
}

/// Our own page says so; a foreign page cannot, without asking first.
fn is_own_ui(headers: &HeaderMap) -> bool {
    headers
        .get("x-requested-with")
        .is_some_and(|value| value == "isolario")
}

/// A browser would open a dialog of its own at a Basic challenge; our page has a sign-in form.
fn soften_challenge(response: &mut Response) {
    if response.status() == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(
            header::WWW_AUTHENTICATE,
            HeaderValue::from_static("Session realm=\"Isolario\""),
        );
    }
}

fn clear_cookie(name: &str, headers: &mut HeaderMap) {
    let cleared = cookie::clear_cookie(name);
    if let Ok(value) = HeaderValue::from_str(&cleared) {
        headers.append(header::SET_COOKIE, value);
    }
}
