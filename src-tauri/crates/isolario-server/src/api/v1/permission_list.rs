//! `/api/v1/permissions`: what a role can permit.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::request_context::RequestContext;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_model::policy::{Area, may_administer_roles, permissions};

/// A permission that a role can have.
#[derive(Debug, Serialize, ToSchema)]
pub struct Permission {
    name: String,
    area: Area,
    /// Its name with `{bundle}`, `{type}` or `{vid}` for the bundle that it is about.
    template: &'static str,
    /// The node type, media type or vocabulary that it is about; `null`: about none alone.
    #[schema(required)]
    bundle: Option<PermissionBundle>,
}

/// A bundle that a permission is about.
#[derive(Debug, Serialize, ToSchema)]
pub struct PermissionBundle {
    id: String,
    label: String,
}

/// Every permission, those of one template one after another.
#[derive(Debug, Serialize, ToSchema)]
pub struct PermissionList {
    permissions: Vec<Permission>,
}

/// Permissions that there are
///
/// For those who may administer permissions. Each bundle of the content model has its own.
#[utoipa::path(get, operation_id = "list_permissions", path = "/api/v1/permissions", tag = "accounts", responses(
    (status = 200, body = PermissionList),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not administer permissions", body = Message),
))]
pub async fn list(context: RequestContext) -> Result<Json<PermissionList>, ApiError> {
    may_administer_roles(&context.actor)
        .map_err(|denial| ApiError::denied(&context.actor, denial))?;
    let model = context.repository.model();
    let permissions = permissions(&model).map(|one| Permission {
        bundle: one.bundle.map(|bundle| PermissionBundle {
            id: bundle.id.clone(),
            label: bundle.label.clone(),
        }),
        name: one.name,
        area: one.area,
        template: one.template,
    });
    Ok(Json(PermissionList {
        permissions: permissions.collect(),
    }))
}
