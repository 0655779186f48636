//! `GET /api/v1/{noun}/{id}/revisions/{vid}`: one state, whole.

use axum::Json;
use axum::extract::Path;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{Revision, noun, state_of, with_history};
use crate::api::ApiError;
use crate::api::v1::file_versions::FileVersion;
use crate::api::v1::parameters::path_id;
use crate::api::v1::request_context::{RequestContext, ViewerSnapshot};
use isolario_core::actions::response_context::ResponseContext;
use isolario_db::DbError;
use isolario_model::content::{Bundle, Entity, EntityKind};
use isolario_model::formats;

/// A state of a node, media or term.
#[derive(Debug, Serialize, ToSchema)]
pub struct RevisionState {
    revision: Revision,
    /// The resource as it was, in the shape of the interface; what it refers to is told as it is now.
    #[schema(value_type = Object)]
    resource: Value,
    /// The bytes that a media showed then, where the viewer may have them.
    files: Vec<FileVersion>,
}

/// One state.
pub async fn read<const NOUN: usize>(
    context: RequestContext,
    Path((id, revision)): Path<(String, String)>,
) -> Result<Json<RevisionState>, ApiError> {
    let (_, thing) = noun(NOUN);
    let (id, revision) = (path_id(thing, &id)?, path_id("revision", &revision)?);
    context
        .read(move |snapshot| {
            let current = with_history(snapshot, NOUN, id)?;
            let former = state_of(snapshot, &current, revision)?;
            Ok(Json(RevisionState {
                revision: Revision::of(snapshot, &current, &former)?,
                resource: written(snapshot, &former),
                files: files_of(snapshot, &former)?,
            }))
        })
        .await
}

/// A resource in the shape of the interface.
pub fn written(snapshot: &ViewerSnapshot<'_>, entity: &Entity) -> Value {
    let context = ResponseContext {
        read: snapshot.read,
        model: snapshot.model(),
        actor: &snapshot.context.actor,
        base: &snapshot.context.base.0,
    };
    let unknown = Bundle::unknown(entity.kind, &entity.bundle);
    let bundle = snapshot.model().bundle(entity.kind, &entity.bundle);
    formats::json::write_entity(entity, bundle.unwrap_or(&unknown), &context)
}

/// The versions of files that a media showed at a revision.
pub fn files_of(
    snapshot: &ViewerSnapshot<'_>,
    former: &Entity,
) -> Result<Vec<FileVersion>, DbError> {
    if former.kind != EntityKind::Media {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for (fid, version) in snapshot.read.files_of_revision(former.revision)? {
        files.extend(snapshot.file_version(fid, version)?);
    }
    Ok(files)
}
