//! `/api/v1/server`: where the server listens, and the switch of the local network. For
//! administrators.

use std::time::Duration;

use axum::Json;
use axum::extract::Request;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::qr_code::QrCode;
use super::request_context::{RequestContext, object};
use super::responses::UserName;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use crate::lan::set_enabled::switch_lan;
use crate::lan::{CertificateFacts, LanServing, LanState};
use isolario_blobs::disk_space;
use isolario_config::{AuthenticationType, RestRules};
use isolario_core::actions::Refusal;
use isolario_core::repository::Repository;
use isolario_db::DbError;
use isolario_disk::disk_fault::StoreFault;
use isolario_model::fields::iso;

/// The methods of the interface.
const METHODS: [&str; 5] = ["GET", "POST", "PATCH", "PUT", "DELETE"];

/// In which ways a store can fail.
const FAILURES: [(StoreFault, &str); 3] = [
    (StoreFault::Unreachable, "unreachable"),
    (StoreFault::Denied, "denied"),
    (StoreFault::NoBucket, "no_bucket"),
];

values::schemas! {
    /// A method of the interface.
    Method => values::one_of(METHODS);
    /// In which way a store failed.
    StoreFailure => values::one_of(FAILURES.map(|(_, name)| name));
}

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
    #[schema(value_type = Method)]
    method: &'static str,
    /// Name and password with each request.
    basic: bool,
    /// A bearer token.
    bearer: bool,
    /// The cookie of a browser that has signed in.
    cookie: bool,
}

/// How many may sign in, and by what.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignInCounts {
    /// Accounts with a password that may sign in.
    people: i64,
    /// Access tokens that let somebody in.
    tokens: i64,
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

/// The bucket that holds the bytes, since the start of the program.
#[derive(Debug, Serialize, ToSchema)]
pub struct BucketState {
    /// Bucket and address.
    place: String,
    /// Whether its bytes go back to the disk.
    is_left: bool,
    /// Requests to the store, and those of them that failed.
    requests: u64,
    failures: u64,
    #[schema(value_type = Option<StoreFailure>)]
    last_failure: Option<&'static str>,
    #[schema(format = DateTime)]
    last_failed: Option<String>,
    /// Milliseconds to the answer of the last 100 requests: the median and the longest. `null` before the first.
    latency: Option<u64>,
    longest_latency: Option<u64>,
    /// Bytes on this disk on their way into the bucket.
    spool: u64,
    /// Bytes in the cache on this disk, about, and how many may be.
    cached: u64,
    most_cached: u64,
}

/// The state of the server.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServerStatus {
    version: &'static str,
    #[schema(format = DateTime)]
    since: Option<String>,
    /// Address and port for this machine, without encryption.
    address: Option<String>,
    /// `null` where the system does not tell.
    disk: Option<Disk>,
    /// `null` where bytes lie on the disk alone.
    bucket: Option<BucketState>,
    lan: LanStatus,
    /// Who has the repository open now in a browser, and who is asking.
    people: Vec<UserName>,
    /// By method.
    sign_in: Vec<MethodSignIn>,
    may_sign_in: SignInCounts,
    /// Whether new tokens are given out.
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
    #[serde(deserialize_with = "object")]
    lan: LanChanges,
}

/// Read the state of the server
///
/// For administrators.
#[utoipa::path(get, operation_id = "server_status", path = "/api/v1/server", tag = "server", responses(
    (status = 200, body = ServerStatus),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message)))]
pub async fn status(context: RequestContext) -> Result<Json<ServerStatus>, ApiError> {
    context.must_be_administrator()?;
    status_of(&context).await
}

/// Switch LAN access on or off
///
/// For administrators. The change is written to `config.toml`.
#[utoipa::path(patch, operation_id = "change_server", path = "/api/v1/server", tag = "server", request_body = ServerChanges, responses(
    (status = 200, body = ServerStatus),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message),
    (status = 409, description = "LAN access is not possible on this machine; the message says why", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "The body is not valid", body = Message),
    (status = 503, description = "LAN access is off, but the change could not be written", body = Message)))]
pub async fn change(
    context: RequestContext,
    request: Request,
) -> Result<Json<ServerStatus>, ApiError> {
    context.must_be_administrator()?;
    let changes: ServerChanges = context.body(request).await?;
    let switched = switch_lan(&context.app.lan, &context.actor, changes.lan.enabled).await;
    switched.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    status_of(&context).await
}

fn disk(repository: &Repository) -> Option<Disk> {
    let space = disk_space(repository.directory()).ok()?;
    Some(Disk {
        directory: repository.directory().display().to_string(),
        free: space.free,
        total: space.total,
    })
}

fn name_of(fault: StoreFault) -> Option<&'static str> {
    let known = FAILURES.into_iter().find(|(known, _)| *known == fault);
    known.map(|(_, name)| name)
}

async fn bucket(repository: &Repository) -> Result<Option<BucketState>, Refusal> {
    let status = repository.blobs.bucket_status().await;
    let status = status.map_err(|error| Refusal::disk(&error))?;
    Ok(status.map(|status| {
        let store = status.store;
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let (fault, at) = store.last_failure.unzip();
        let (median, longest) = store.latency.unzip();
        BucketState {
            place: status.place,
            is_left: status.is_left,
            requests: store.requests,
            failures: store.failures,
            last_failure: fault.and_then(name_of),
            last_failed: at.map(|at| iso(DateTime::<Utc>::from(at).timestamp())),
            latency: median.map(milliseconds),
            longest_latency: longest.map(milliseconds),
            spool: status.spool,
            cached: status.cache.0,
            most_cached: status.cache.1,
        }
    }))
}

/// The accounts that listen to changes, and the one that is asking.
async fn people(context: &RequestContext) -> Result<Vec<UserName>, DbError> {
    let mut uids = context.app.streams.accounts();
    if !uids.contains(&context.actor.uid) {
        uids.insert(0, context.actor.uid);
    }
    let db = &context.repository.db;
    db.read(move |read| {
        let mut people = Vec::with_capacity(uids.len());
        for uid in uids {
            people.extend(read.user(uid)?.map(|user| UserName {
                uid,
                name: user.name,
            }));
        }
        Ok(people)
    })
    .await
}

async fn may_sign_in(repository: &Repository) -> Result<SignInCounts, DbError> {
    let now = Utc::now().timestamp();
    let counted = repository.db.read(move |read| read.sign_in_counts(now));
    let (people, tokens) = counted.await?;
    Ok(SignInCounts { people, tokens })
}

async fn status_of(context: &RequestContext) -> Result<Json<ServerStatus>, ApiError> {
    let app = &context.app;
    let (repository, serving) = (&app.repository, app.serving);
    let state = app.lan.state();
    let warnings = serving.warning().into_iter();
    Ok(Json(ServerStatus {
        may_sign_in: may_sign_in(repository).await?,
        people: people(context).await?,
        version: env!("CARGO_PKG_VERSION"),
        since: Some(iso(serving.since)),
        address: Some(serving.address.to_string()),
        disk: disk(repository),
        bucket: bucket(repository)
            .await
            .map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?,
        warnings: warnings.chain(state.warning()).collect(),
        lan: lan(state, repository.config.lan.plain_http),
        sign_in: sign_in(&repository.config.rest),
        tokens: repository.config.tokens.issue,
    }))
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
    METHODS
        .into_iter()
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
