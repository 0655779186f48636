//! `/api/v1/server/requests`: who asked for what lately. For administrators.

use std::collections::{HashMap, HashSet};

use axum::Json;
use chrono::Utc;
use serde::Serialize;
use utoipa::ToSchema;

use super::request_context::RequestContext;
use super::responses::UserName;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use crate::api::{ApiError, LoggedRequest};
use isolario_db::DbError;
use isolario_model::fields::iso;

/// A request and its answer. Neither query nor headers nor bodies are remembered.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecentRequest {
    #[schema(format = DateTime)]
    at: String,
    method: String,
    path: String,
    status: u16,
    /// `null`: nobody had signed in.
    user: Option<UserName>,
    /// Name of the access token that it came with, unless that is revoked.
    token: Option<String>,
    #[schema(value_type = values::Origin)]
    origin: &'static str,
    /// Address of the client.
    from: String,
    /// Bytes of the answer's body that were sent.
    bytes: u64,
    /// How long the answer took.
    milliseconds: u64,
}

/// A failed sign-in.
#[derive(Debug, Serialize, ToSchema)]
pub struct FailedSignIn {
    #[schema(format = DateTime)]
    at: String,
    /// Address of the client.
    from: String,
    /// Whose account it was tried with; `null`: none has that name.
    user: Option<UserName>,
}

/// The requests of a span of time.
#[derive(Debug, Serialize, ToSchema)]
pub struct RequestSum {
    requests: u64,
    /// Of these, with a status from 400 to 499.
    refused: u64,
    /// Of these, with a status from 500 on.
    failed: u64,
}

/// The last requests since the program started, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecentRequests {
    requests: Vec<RecentRequest>,
    /// How many such requests there were within an hour.
    last_hour: RequestSum,
    /// Failed sign-ins, the newest first. Other requests do not displace them.
    failed_sign_ins: Vec<FailedSignIn>,
}

/// The last requests
///
/// At most 200, without those that look at the server and those for files of the page, and beside them the last 100
/// wrong passwords. For administrators.
#[utoipa::path(get, operation_id = "recent_requests", path = "/api/v1/server/requests", tag = "server", responses(
    (status = 200, body = RecentRequests),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor is not an administrator", body = Message)))]
pub async fn list(context: RequestContext) -> Result<Json<RecentRequests>, ApiError> {
    context.must_be_administrator()?;
    let requests = context.app.request_log.recent();
    let sum = context.app.request_log.last_hour(Utc::now().timestamp());
    let failed = context.repository.authenticator.failed_sign_ins().recent();
    context
        .read(move |snapshot| {
            let users = requests.iter().map(|request| request.user);
            let users = users.chain(failed.iter().map(|failed| failed.user));
            let names = names_of(users, |uid| {
                Ok(snapshot.read.user(uid)?.map(|user| user.name))
            })?;
            let tokens = requests.iter().filter_map(|request| request.token);
            let name_of_token = |id| Ok(snapshot.read.access_token(id)?.map(|token| token.name));
            let tokens = names_of(tokens, name_of_token)?;
            let requests = requests.into_iter();
            let requests = requests.map(|request| recent(request, &names, &tokens));
            let failed = failed.into_iter().map(|failed| FailedSignIn {
                at: iso(failed.at.timestamp()),
                from: failed.from.to_string(),
                user: user(failed.user, &names),
            });
            Ok(Json(RecentRequests {
                requests: requests.collect(),
                last_hour: RequestSum {
                    requests: sum.requests,
                    refused: sum.refused,
                    failed: sum.failed,
                },
                failed_sign_ins: failed.collect(),
            }))
        })
        .await
}

/// The names of all these numbers; each is looked up once.
fn names_of(
    ids: impl Iterator<Item = i64>,
    name: impl Fn(i64) -> Result<Option<String>, DbError>,
) -> Result<HashMap<i64, String>, DbError> {
    let ids: HashSet<i64> = ids.filter(|id| *id != 0).collect();
    let named = ids
        .into_iter()
        .map(|id| Ok(name(id)?.map(|name| (id, name))));
    named.filter_map(Result::transpose).collect()
}

fn user(uid: i64, names: &HashMap<i64, String>) -> Option<UserName> {
    let name = names.get(&uid).cloned();
    name.map(|name| UserName { uid, name })
}

fn recent(
    request: LoggedRequest,
    names: &HashMap<i64, String>,
    tokens: &HashMap<i64, String>,
) -> RecentRequest {
    RecentRequest {
        user: user(request.user, names),
        token: request.token.and_then(|id| tokens.get(&id).cloned()),
        at: iso(request.at.timestamp()),
        method: request.method,
        path: request.path,
        status: request.status,
        origin: request.origin,
        from: request.from.to_string(),
        bytes: request.bytes,
        milliseconds: u64::try_from(request.milliseconds).unwrap_or(u64::MAX),
    }
}
