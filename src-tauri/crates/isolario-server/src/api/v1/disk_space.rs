//! `/api/v1/disk-space`: whether the files that somebody is about to bring fit.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::request_context::{RequestContext, require_sign_in};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_blobs::disk_space;

/// The space for new files. Both are `null` where the system does not tell.
#[derive(Debug, Serialize, ToSchema)]
pub struct DiskSpace {
    /// Free bytes.
    free: Option<u64>,
    /// Those of them that uploads may use.
    for_uploads: Option<u64>,
}

/// Read how much can still be written
///
/// For whoever has signed in.
#[utoipa::path(get, operation_id = "disk_space", path = "/api/v1/disk-space", tag = "files", responses(
    (status = 200, body = DiskSpace),
    (status = 401, description = "The request has no credentials", body = Message)))]
pub async fn free(context: RequestContext) -> Result<Json<DiskSpace>, ApiError> {
    require_sign_in(&context.actor)?;
    let repository = &context.repository;
    let space = disk_space(repository.directory()).ok();
    Ok(Json(DiskSpace {
        free: space.map(|space| space.free),
        for_uploads: repository.blobs.space_for_uploads(),
    }))
}
