//! `/api/v1/roles`: the roles that somebody can be given.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Asked;
use super::shapes::Message;
use crate::actions::account_rules::{can_be_given, may_administer};
use crate::api::ApiError;
use crate::db::RoleRecord;

/// A role.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Role {
    name: String,
    /// What people call it.
    label: String,
}

/// Every role that can be given, in the order in which they were made.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoleList {
    roles: Vec<Role>,
}

/// Roles that can be given
///
/// For those who may administer users.
#[utoipa::path(get, operation_id = "list_roles", path = "/api/v1/roles", tag = "accounts", responses(
    (status = 200, body = RoleList),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The viewer may not administer users", body = Message),
))]
pub async fn list(asked: Asked) -> Result<Json<RoleList>, ApiError> {
    may_administer(&asked.actor, 0).map_err(|denial| ApiError::denied(&asked.actor, denial))?;
    asked
        .read(|shown| {
            let roles = shown.read.roles()?;
            let roles = roles.into_iter().filter(can_be_given).map(role).collect();
            Ok(Json(RoleList { roles }))
        })
        .await
}

/// A role as answers show it.
pub fn role(record: RoleRecord) -> Role {
    Role {
        name: record.name,
        label: record.label,
    }
}
