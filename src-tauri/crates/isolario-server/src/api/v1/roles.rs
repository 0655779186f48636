//! `/api/v1/roles`: the roles that somebody can be given.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::request_context::RequestContext;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_core::actions::account_rules::{can_be_given, may_administer, may_give};
use isolario_db::RoleRecord;

/// A role.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Role {
    name: String,
    /// What people call it.
    label: String,
}

/// A role in the list of those there are.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ListedRole)]
pub struct RoleInList {
    #[serde(flatten)]
    role: Role,
    /// Whether the viewer may give it to others, and take it from them.
    may_give: bool,
}

/// Every role that can be given, in the order in which they were made.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoleList {
    roles: Vec<RoleInList>,
}

/// Roles that can be given
///
/// For those who may administer users.
#[utoipa::path(get, operation_id = "list_roles", path = "/api/v1/roles", tag = "accounts", responses(
    (status = 200, body = RoleList),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not administer users", body = Message),
))]
pub async fn list(context: RequestContext) -> Result<Json<RoleList>, ApiError> {
    may_administer(&context.actor, 0).map_err(|denial| ApiError::denied(&context.actor, denial))?;
    let actor = context.actor.clone();
    context
        .read(move |snapshot| {
            let roles = snapshot.read.roles()?;
            let listed = |record| RoleInList {
                may_give: may_give(&actor, &record),
                role: role(record),
            };
            let roles = roles.into_iter().filter(can_be_given).map(listed).collect();
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
