//! `/api/v1/roles`: what people are given, and what each of them permits.

use axum::Json;
use axum::extract::{Path, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::request_context::{RequestContext, ViewerSnapshot};
use crate::api::openapi::refusals::Message;
use crate::api::{ApiError, ErrorCode};
use isolario_core::actions::account_rules::{can_be_given, may_administer, may_give};
use isolario_core::actions::roles::{
    NewRole, RoleChange, add_role, can_be_deleted, change_role, delete_role,
};
use isolario_db::RoleRecord;
use isolario_model::policy::{Actor, may_administer_roles};

/// What is encoded of a name in a path: all but the unreserved characters (RFC 3986, 2.3).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A role.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Role {
    name: String,
    /// What people call it.
    label: String,
}

/// A role, what it permits, and what the viewer may do with it.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoleDetails {
    #[serde(flatten)]
    role: Role,
    /// Names of permissions in alphabetical order; of `administrator`, who have all of them, none.
    permissions: Vec<String>,
    /// Whether people are given it. The others stand for nobody in particular, and for everybody who has signed in.
    is_given: bool,
    /// Whether the viewer may give it to others, and take it from them.
    may_give: bool,
    /// Whether a repository can be without it.
    can_be_deleted: bool,
    /// How many accounts have been given it.
    #[schema(minimum = 0)]
    accounts: i64,
}

/// Every role, in the order in which they were made.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoleList {
    roles: Vec<RoleDetails>,
}

/// A role to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewRole)]
pub struct RoleToMake {
    /// What people call it; no other role is called so.
    #[schema(min_length = 1, max_length = 60)]
    label: String,
    /// Names of permissions, which `GET /api/v1/permissions` lists.
    #[serde(default)]
    permissions: Vec<String>,
    /// The name by which accounts refer to it; without it, one that is made of the label.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 60)]
    name: Option<String>,
}

/// What changes of a role. What is absent or `null` stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RoleChanges)]
pub struct RoleChanges {
    /// What people call it; no other role is called so.
    #[schema(min_length = 1, max_length = 60)]
    label: Option<String>,
    /// Names of all its permissions.
    permissions: Option<Vec<String>>,
}

/// Roles
///
/// For those who may administer users or permissions.
#[utoipa::path(get, operation_id = "list_roles", path = "/api/v1/roles", tag = "accounts", responses(
    (status = 200, body = RoleList),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may administer neither users nor permissions", body = Message),
))]
pub async fn list(context: RequestContext) -> Result<Json<RoleList>, ApiError> {
    may_administer_roles(&context.actor)
        .or_else(|_| may_administer(&context.actor, 0))
        .map_err(|denial| ApiError::denied(&context.actor, denial))?;
    context
        .read(move |snapshot| {
            let roles = snapshot.read.roles()?.into_iter();
            let roles = roles.map(|record| details(snapshot, record));
            let roles = roles.collect::<Result<_, _>>()?;
            Ok(Json(RoleList { roles }))
        })
        .await
}

/// One role
///
/// For those who may administer permissions.
#[utoipa::path(get, operation_id = "role", path = "/api/v1/roles/{role}", tag = "accounts", params(("role" = String, Path)), responses(
    (status = 200, body = RoleDetails),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not administer permissions", body = Message),
    (status = 404, description = "There is no such role", body = Message),
))]
pub async fn one(
    context: RequestContext,
    Path(name): Path<String>,
) -> Result<Json<RoleDetails>, ApiError> {
    administers(&context.actor)?;
    context
        .read(move |snapshot| Ok(Json(find(snapshot, &name)?)))
        .await
}

/// Make a role
///
/// For those who may administer permissions.
#[utoipa::path(post, operation_id = "add_role", path = "/api/v1/roles", tag = "accounts", request_body = RoleToMake, responses(
    (status = 201, description = "The new role; Location names it", body = RoleDetails),
    (status = 400, description = "The body is not a JSON object", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not administer permissions", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "A label that another role has, or a permission that there is not", body = Message),
))]
pub async fn add(context: RequestContext, request: Request) -> Result<Response, ApiError> {
    administers(&context.actor)?;
    let RoleToMake {
        label,
        permissions,
        name,
    } = context.body(request).await?;
    let role = NewRole {
        name,
        label,
        permissions,
    };
    let made = add_role(&context.repository, &context.actor, role, false).await;
    let name = made.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    let segment = utf8_percent_encode(&name, ENCODED);
    let location = context.base.join(&format!("/api/v1/roles/{segment}"));
    let made = context.read(move |snapshot| find(snapshot, &name)).await?;
    let location = [(header::LOCATION, location)];
    Ok((StatusCode::CREATED, location, Json(made)).into_response())
}

/// Change a role
///
/// For those who may administer permissions. What is not sent stays. It holds at once for everybody who has the role.
#[utoipa::path(patch, operation_id = "change_role", path = "/api/v1/roles/{role}", tag = "accounts", params(("role" = String, Path)), request_body = RoleChanges, responses(
    (status = 200, body = RoleDetails),
    (status = 400, description = "The body is not a JSON object", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not administer permissions", body = Message),
    (status = 404, description = "There is no such role", body = Message),
    (status = 409, description = "They are permissions of administrators, who have all of them", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "A label that another role has, or a permission that there is not", body = Message),
))]
pub async fn change(
    context: RequestContext,
    Path(name): Path<String>,
    request: Request,
) -> Result<Json<RoleDetails>, ApiError> {
    administers(&context.actor)?;
    let RoleChanges { label, permissions } = context.body(request).await?;
    let change = RoleChange { label, permissions };
    let changed = change_role(&context.repository, &context.actor, name.clone(), change).await;
    changed.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    context
        .read(move |snapshot| Ok(Json(find(snapshot, &name)?)))
        .await
}

/// Delete a role
///
/// For those who may administer permissions. Nobody may have it.
#[utoipa::path(delete, operation_id = "delete_role", path = "/api/v1/roles/{role}", tag = "accounts", params(("role" = String, Path)), responses(
    (status = 204, description = "It is deleted"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not administer permissions", body = Message),
    (status = 404, description = "There is no such role", body = Message),
    (status = 409, description = "Somebody has it, or every repository", body = Message),
))]
pub async fn delete(
    context: RequestContext,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    administers(&context.actor)?;
    let deleted = delete_role(&context.repository, &context.actor, name).await;
    deleted.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

fn administers(actor: &Actor) -> Result<(), ApiError> {
    may_administer_roles(actor).map_err(|denial| ApiError::denied(actor, denial))
}

fn find(snapshot: &ViewerSnapshot<'_>, name: &str) -> Result<RoleDetails, ApiError> {
    let missing = || ApiError::new(ErrorCode::NotFound, format!("There is no role {name}."));
    let record = snapshot.read.role(name)?.ok_or_else(missing)?;
    details(snapshot, record)
}

fn details(snapshot: &ViewerSnapshot<'_>, record: RoleRecord) -> Result<RoleDetails, ApiError> {
    let is_given = can_be_given(&record);
    Ok(RoleDetails {
        is_given,
        may_give: is_given && may_give(&snapshot.context.actor, &record),
        can_be_deleted: can_be_deleted(&record),
        accounts: snapshot.read.role_accounts(&record.name)?,
        permissions: record.permissions.clone(),
        role: role(record),
    })
}

/// A role as answers show it.
pub fn role(record: RoleRecord) -> Role {
    Role {
        name: record.name,
        label: record.label,
    }
}
