//! `/api/v1/server/requests`: who asked for what lately. For administrators.

use std::collections::HashMap;

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Asked;
use super::shapes::{Message, UserName};
use super::shown::Shown;
use crate::api::{ApiError, LoggedRequest};
use crate::db::DbError;
use crate::fields::iso;

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
    /// `rest` or `window`.
    door: &'static str,
    /// Address of the client.
    from: String,
    /// Bytes of the answer's body that were sent.
    bytes: u64,
    /// How long the answer took.
    milliseconds: u64,
}

/// The last requests since the program started, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecentRequests {
    requests: Vec<RecentRequest>,
}

/// The last requests
///
/// At most 200, without those that look at the server and those for files of the page. For administrators.
#[utoipa::path(get, operation_id = "recent_requests", path = "/api/v1/server/requests", tag = "server", responses(
    (status = 200, body = RecentRequests),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The viewer is no administrator", body = Message)))]
pub async fn list(asked: Asked) -> Result<Json<RecentRequests>, ApiError> {
    asked.must_be_administrator()?;
    let requests = asked.repository.request_log.recent();
    asked
        .read(move |shown| {
            let names = names_of(shown, &requests)?;
            let requests = requests.into_iter();
            let requests = requests.map(|request| recent(request, &names)).collect();
            Ok(Json(RecentRequests { requests }))
        })
        .await
}

fn names_of(
    shown: &Shown<'_>,
    requests: &[LoggedRequest],
) -> Result<HashMap<i64, String>, DbError> {
    let mut names = HashMap::new();
    for uid in requests.iter().map(|request| request.user) {
        if uid != 0
            && !names.contains_key(&uid)
            && let Some(user) = shown.read.user(uid)?
        {
            names.insert(uid, user.name);
        }
    }
    Ok(names)
}

fn recent(request: LoggedRequest, names: &HashMap<i64, String>) -> RecentRequest {
    let name = names.get(&request.user).cloned();
    RecentRequest {
        at: iso(request.at.timestamp()),
        method: request.method,
        path: request.path,
        status: request.status,
        user: name.map(|name| UserName {
            uid: request.user,
            name,
        }),
        door: request.door,
        from: request.from.to_string(),
        bytes: request.bytes,
        milliseconds: u64::try_from(request.milliseconds).unwrap_or(u64::MAX),
    }
}
