//! `/api/v1/items/{nid}/presence/{page}`: who else has an item open, and which of its fields they edit.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::{Path, Request};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::parameters::{not_found, path_id};
use super::request_context::{RequestContext, ViewerSnapshot, require_sign_in};
use super::responses::UserName;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_core::actions::view_entity::may_view;
use isolario_model::content::{Entity, EntityKind};

/// Longest name of a page, in bytes.
const LONGEST_NAME: usize = 64;

/// What a page shows of an item.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenItem {
    /// Names of the fields in which something was entered and is not saved.
    #[serde(default)]
    fields: BTreeSet<String>,
}

/// Somebody who has an item open.
#[derive(Debug, Serialize, ToSchema)]
pub struct Colleague {
    /// `null` where the viewer may not know.
    #[schema(required)]
    user: Option<UserName>,
    /// Whether it is the viewer, in another window or on another machine.
    is_self: bool,
    /// Names of the fields that they are editing.
    fields: BTreeSet<String>,
}

/// Everybody else who has an item open.
#[derive(Debug, Serialize, ToSchema)]
pub struct ColleagueList {
    colleagues: Vec<Colleague>,
}

/// Say that an item is open
///
/// A page of a user interface names itself as it likes, and says which item it has open; it has one at a time. The answer
/// says who else has it open. The page says so again at least every half minute; one that is silent for a minute has
/// gone. A message named `presence` of `GET /api/v1/events` tells that something has changed. Requires credentials;
/// nothing of it is stored.
#[utoipa::path(put, operation_id = "open_item", path = "/api/v1/items/{nid}/presence/{page}", tag = "resources",
    params(("nid" = i64, Path, description = "Node id"), ("page" = String, Path, pattern = "^[A-Za-z0-9-]{1,64}$", description = "A name of the page")),
    request_body = OpenItem, responses(
    (status = 200, body = ColleagueList),
    (status = 400, description = "The body is not a JSON object, or the name of the page cannot be one", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "The item does not exist, or is hidden from the actor", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "A field that the item has not", body = Message),
))]
pub async fn open(
    context: RequestContext,
    Path((nid, page)): Path<(String, String)>,
    request: Request,
) -> Result<Json<ColleagueList>, ApiError> {
    require_sign_in(&context.actor)?;
    let nid = path_id("item", &nid)?;
    check_page(&page)?;
    let OpenItem { fields } = context.body(request).await?;
    let answer = context.read(move |snapshot| {
        let uid = snapshot.context.actor.uid;
        let item = snapshot.read.entity(EntityKind::Node, nid)?;
        let item = item.ok_or_else(|| not_found("item", nid))?;
        if !may_view(snapshot.read, &snapshot.context.actor, &item)? {
            return Err(not_found("item", nid));
        }
        check_fields(snapshot, &item, &fields)?;
        let presence = &snapshot.context.app.presence;
        presence.open(uid, &page, nid, fields);
        let others = presence.others(uid, &page, nid).into_iter();
        let colleagues = others.map(|(other, fields)| {
            Ok(Colleague {
                user: name_of(snapshot, other)?,
                is_self: other == uid,
                fields,
            })
        });
        let colleagues = colleagues.collect::<Result<_, ApiError>>()?;
        Ok(Json(ColleagueList { colleagues }))
    });
    answer.await
}

/// Say that an item is no longer open
///
/// Requires credentials.
#[utoipa::path(delete, operation_id = "leave_item", path = "/api/v1/items/{nid}/presence/{page}", tag = "resources",
    params(("nid" = i64, Path, description = "Node id"), ("page" = String, Path, pattern = "^[A-Za-z0-9-]{1,64}$", description = "The name of the page")),
    responses(
    (status = 204, description = "The page has it open no longer, if it ever had"),
    (status = 400, description = "The name of the page cannot be one", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "There can be no such item", body = Message),
))]
pub async fn leave(
    context: RequestContext,
    Path((nid, page)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&context.actor)?;
    let nid = path_id("item", &nid)?;
    if nid < 1 {
        return Err(not_found("item", nid));
    }
    check_page(&page)?;
    context.app.presence.leave(context.actor.uid, &page, nid);
    Ok(StatusCode::NO_CONTENT)
}

fn check_page(page: &str) -> Result<(), ApiError> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    match !page.is_empty() && page.len() <= LONGEST_NAME && page.bytes().all(is_plain) {
        true => Ok(()),
        false => Err(ApiError::bad_request(
            "The name of a page has up to 64 letters, digits and hyphens.",
        )),
    }
}

fn check_fields(
    snapshot: &ViewerSnapshot<'_>,
    item: &Entity,
    fields: &BTreeSet<String>,
) -> Result<(), ApiError> {
    let bundle = snapshot.model().bundle(item.kind, &item.bundle);
    let has = |name: &String| bundle.is_some_and(|bundle| bundle.field(name).is_some());
    match fields
        .iter()
        .find(|name| !has(name) && !item.values.contains_key(*name))
    {
        None => Ok(()),
        Some(name) => Err(ApiError::unprocessable(format!(
            "The item has no field {name}."
        ))),
    }
}

fn name_of(snapshot: &ViewerSnapshot<'_>, uid: i64) -> Result<Option<UserName>, ApiError> {
    if !snapshot.viewer.users.allows(true, uid) {
        return Ok(None);
    }
    let user = snapshot.read.user(uid)?;
    Ok(user.map(|user| UserName {
        uid,
        name: user.name,
    }))
}
