//! `/api/v1/server`: where the server listens, and the switch of the local network. For
//! administrators.

use axum::Json;
use axum::extract::Request;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asked::Asked;
use super::qr_code::QrCode;
use super::shapes::Message;
use crate::actions::switch_lan::switch_lan;
use crate::api::ApiError;
use crate::blobs::room;
use crate::cli::config::{AuthenticationType, RestRules};
use crate::fields::iso;
use crate::lan::{CertificateFacts, LanServing, LanState};
use crate::repository::Repository;

/// The certificate that clients on the local network see.
#[derive(Debug, Serialize, ToSchema)]
pub struct LanCertificate {
    /// SHA-256, in pairs of digits.
    fingerprint: String,
    /// Hosts that it is good for.
    names: Vec<String>,
    #[schema(format = DateTime)]
    ends: String,
    /// Browsers warn before they trust it.
    self_signed: bool,
}

/// The local network as it is served now.
#[derive(Debug, Serialize, ToSchema)]
pub struct LanReach {
    /// Addresses for people, the likeliest first.
    urls: Vec<String>,
    /// The first of them.
    qr_code: Option<QrCode>,
    /// `null`: plain HTTP.
    certificate: Option<LanCertificate>,
    /// Whether the network was told by mDNS.
    announced: bool,
}

/// Serving the local network.
#[derive(Debug, Serialize, ToSchema)]
pub struct LanStatus {
    /// Whether it should be served.
    enabled: bool,
    /// Whether it is, or would be, without encryption.
    plain_http: bool,
    /// `null`: it is not served.
    serving: Option<LanReach>,
    /// Why it is not, or what of it does not work. A sentence.
    problem: Option<String>,
    /// What has changed by itself. A sentence.
    remark: Option<String>,
}

/// Which ways to sign in one method of the interface takes.
#[derive(Debug, Serialize, ToSchema)]
pub struct MethodSignIn {
    method: &'static str,
    /// Name and password with each request.
    basic: bool,
    /// A bearer token.
    bearer: bool,
    /// The cookie of a browser that has signed in.
    cookie: bool,
}

/// The disk that the repository lies on.
#[derive(Debug, Serialize, ToSchema)]
pub struct Disk {
    /// The data directory.
    directory: String,
    /// Bytes that can still be written, and all that there are.
    free: u64,
    total: u64,
}

/// How the server runs.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServerStatus {
    version: &'static str,
    #[schema(format = DateTime)]
    since: Option<String>,
    /// Address and port for this machine, without encryption.
    address: Option<String>,
    /// `null` where the system does not tell.
    disk: Option<Disk>,
    lan: LanStatus,
    /// By method.
    sign_in: Vec<MethodSignIn>,
    /// Whether `/jwt/token` gives out tokens.
    tokens: bool,
    /// What is dangerous about it. Sentences.
    warnings: Vec<String>,
}

/// What changes of the local network.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LanChanges {
    /// Whether it is served, now and after the next start.
    enabled: bool,
}

/// What changes of the server.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ServerChanges {
    lan: LanChanges,
}

/// How the server runs
///
/// For administrators.
#[utoipa::path(get, operation_id = "server_status", path = "/api/v1/server", tag = "server", responses(
    (status = 200, body = ServerStatus),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The viewer is no administrator", body = Message)))]
pub async fn status(asked: Asked) -> Result<Json<ServerStatus>, ApiError> {
    asked.must_be_administrator()?;
    Ok(Json(status_of(&asked.repository)))
}

/// Serve the local network, or no longer
///
/// For administrators. It is kept in `config.toml`.
#[utoipa::path(patch, operation_id = "change_server", path = "/api/v1/server", tag = "server", request_body = ServerChanges, responses(
    (status = 200, body = ServerStatus),
    (status = 400, description = "The body is no JSON", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The asker is no administrator", body = Message),
    (status = 409, description = "It cannot be served as this machine is; the words say why", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "The body makes no sense", body = Message),
    (status = 507, description = "It is not served any more, but that could not be kept", body = Message)))]
pub async fn change(asked: Asked, request: Request) -> Result<Json<ServerStatus>, ApiError> {
    asked.must_be_administrator()?;
    let changes: ServerChanges = asked.body(request).await?;
    let switched = switch_lan(&asked.repository.lan, &asked.actor, changes.lan.enabled).await;
    switched.map_err(|refusal| ApiError::from_refusal(&asked.actor, refusal))?;
    Ok(Json(status_of(&asked.repository)))
}

fn disk(repository: &Repository) -> Option<Disk> {
    let room = room(repository.directory()).ok()?;
    Some(Disk {
        directory: repository.directory().display().to_string(),
        free: room.free,
        total: room.total,
    })
}

fn status_of(repository: &Repository) -> ServerStatus {
    let serving = repository.serving.get();
    let state = repository.lan.state();
    let warnings = serving.and_then(|serving| serving.warning()).into_iter();
    ServerStatus {
        version: env!("CARGO_PKG_VERSION"),
        since: serving.map(|serving| iso(serving.since)),
        address: serving.map(|serving| serving.address.to_string()),
        disk: disk(repository),
        warnings: warnings.chain(state.warning()).collect(),
        lan: lan(state, repository.config.lan.plain_http),
        sign_in: sign_in(&repository.config.rest),
        tokens: repository.config.tokens.issue,
    }
}

fn lan(state: LanState, plain_http: bool) -> LanStatus {
    LanStatus {
        enabled: state.enabled,
        plain_http,
        serving: state.serving.map(reach),
        problem: state.problem,
        remark: state.remark,
    }
}

fn reach(serving: LanServing) -> LanReach {
    let urls = serving.urls();
    LanReach {
        qr_code: urls.first().and_then(|url| QrCode::of(url)),
        urls,
        certificate: serving.certificate.map(certificate),
        announced: serving.announced,
    }
}

fn certificate(facts: CertificateFacts) -> LanCertificate {
    LanCertificate {
        fingerprint: facts.fingerprint,
        names: facts.names,
        ends: iso(facts.ends),
        self_signed: facts.self_signed,
    }
}

fn sign_in(rules: &RestRules) -> Vec<MethodSignIn> {
    let methods = ["GET", "POST", "PATCH", "PUT", "DELETE"].into_iter();
    methods
        .map(|method| {
            let allowed = rules.method(method);
            MethodSignIn {
                method,
                basic: allowed.allows(AuthenticationType::BasicAuth),
                bearer: allowed.allows(AuthenticationType::JwtAuth),
                cookie: allowed.allows(AuthenticationType::Cookie),
            }
        })
        .collect()
}
