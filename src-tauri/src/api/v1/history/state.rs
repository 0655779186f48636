//! `GET /api/v1/{noun}/{id}/revisions/{vid}`: one state, whole.

use axum::Json;
use axum::extract::Path;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{Revision, noun, state_of, with_history};
use crate::api::ApiError;
use crate::api::around::Around;
use crate::api::v1::asked::Asked;
use crate::api::v1::file_versions::FileVersion;
use crate::api::v1::parameters::path_id;
use crate::api::v1::shown::Shown;
use crate::content::{Bundle, Entity, EntityKind};
use crate::db::DbError;
use crate::formats;

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
    asked: Asked,
    Path((id, revision)): Path<(String, String)>,
) -> Result<Json<RevisionState>, ApiError> {
    let (_, thing) = noun(NOUN);
    let (id, revision) = (path_id(thing, &id)?, path_id("revision", &revision)?);
    asked
        .read(move |shown| {
            let current = with_history(shown, NOUN, id)?;
            let former = state_of(shown, &current, revision)?;
            Ok(Json(RevisionState {
                revision: Revision::of(shown, &current, &former)?,
                resource: written(shown, &former),
                files: files_of(shown, &former)?,
            }))
        })
        .await
}

/// A resource in the shape of the interface.
pub fn written(shown: &Shown<'_>, entity: &Entity) -> Value {
    let around = Around {
        read: shown.read,
        model: shown.model(),
        base: &shown.asked.base.0,
    };
    let unknown = Bundle::unknown(entity.kind, &entity.bundle);
    let bundle = shown.model().bundle(entity.kind, &entity.bundle);
    formats::json::write_entity(entity, bundle.unwrap_or(&unknown), &around)
}

/// The versions of files that a media showed at a revision.
pub fn files_of(shown: &Shown<'_>, former: &Entity) -> Result<Vec<FileVersion>, DbError> {
    if former.kind != EntityKind::Media {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for (fid, version) in shown.read.files_of_revision(former.revision)? {
        files.extend(shown.file_version(fid, version)?);
    }
    Ok(files)
}
