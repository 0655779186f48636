//! `GET /api/v1/{noun}/{id}/revisions/{vid}/changes`: two states, field by field.

use axum::Json;
use axum::extract::Path;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::state::{files_of, written};
use super::{Revision, noun, state_of, with_history};
use crate::api::ApiError;
use crate::api::v1::file_versions::FileVersion;
use crate::api::v1::parameters::{Parameters, id, path_id};
use crate::api::v1::request_context::{RequestContext, ViewerSnapshot};
use isolario_model::content::base_fields::base_fields;
use isolario_model::content::{Bundle, Entity, FieldDefinition};

/// With which state to compare.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ChangesQuery {
    /// Number of that state; without it, the one before that the viewer may see.
    #[param(value_type = Option<i64>, minimum = 1)]
    since: Option<String>,
}

/// A field that differs.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldChange {
    field: String,
    label: String,
    /// Field type.
    #[serde(rename = "type")]
    field_type: String,
    /// Items as the interface writes them.
    #[schema(value_type = Vec<Object>)]
    before: Value,
    #[schema(value_type = Vec<Object>)]
    after: Value,
}

/// A file that showed other bytes, or was not there.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileChange {
    fid: i64,
    before: Option<FileVersion>,
    after: Option<FileVersion>,
}

/// How one state differs from another.
#[derive(Debug, Serialize, ToSchema)]
pub struct Changes {
    /// `null` where there is nothing before.
    before: Option<Revision>,
    after: Revision,
    fields: Vec<FieldChange>,
    /// Bytes that the viewer may have.
    files: Vec<FileChange>,
}

/// The comparison.
pub async fn compare<const NOUN: usize>(
    context: RequestContext,
    Path((id_text, revision)): Path<(String, String)>,
    Parameters(query): Parameters<ChangesQuery>,
) -> Result<Json<Changes>, ApiError> {
    let (_, thing) = noun(NOUN);
    let (number, revision) = (path_id(thing, &id_text)?, path_id("revision", &revision)?);
    let since = id("since", query.since.as_ref())?;
    context
        .read(move |snapshot| {
            let current = with_history(snapshot, NOUN, number)?;
            let after = state_of(snapshot, &current, revision)?;
            let since = since.map_or_else(|| before(snapshot, &after), |since| Ok(Some(since)))?;
            let before = since.map(|since| state_of(snapshot, &current, since));
            changes(snapshot, &current, before.transpose()?, &after).map(Json)
        })
        .await
}

/// The number of the state before, if the viewer may see one.
fn before(snapshot: &ViewerSnapshot<'_>, after: &Entity) -> Result<Option<i64>, ApiError> {
    let (read, viewer) = (snapshot.read, &snapshot.viewer);
    let rows = read.revisions_before(after.kind, after.id, viewer, after.revision, 1)?;
    Ok(rows.first().map(|row| row.revision))
}

fn changes(
    snapshot: &ViewerSnapshot<'_>,
    current: &Entity,
    before: Option<Entity>,
    after: &Entity,
) -> Result<Changes, ApiError> {
    let revision = |state: &Entity| Revision::of(snapshot, current, state);
    let files_before = before.as_ref().map(|before| files_of(snapshot, before));
    Ok(Changes {
        before: before.as_ref().map(revision).transpose()?,
        after: revision(after)?,
        files: file_changes(
            files_before.transpose()?.unwrap_or_default(),
            files_of(snapshot, after)?,
        ),
        fields: field_changes(snapshot, &before.unwrap_or_else(|| nothing(after)), after),
    })
}

fn nothing(after: &Entity) -> Entity {
    Entity {
        values: Default::default(),
        ..after.clone()
    }
}

/// Fields that somebody can set, in the order of the interface.
fn field_changes(
    snapshot: &ViewerSnapshot<'_>,
    before: &Entity,
    after: &Entity,
) -> Vec<FieldChange> {
    let unknown = Bundle::unknown(after.kind, &after.bundle);
    let bundle = snapshot.model().bundle(after.kind, &after.bundle);
    let bundle = bundle.unwrap_or(&unknown);
    let (written_before, written_after) = (written(snapshot, before), written(snapshot, after));
    let definitions = base_fields(after.kind)
        .iter()
        .chain(bundle.fields_by_name());
    definitions
        .filter(|definition| is_told(after, definition))
        .filter(|definition| before.items(&definition.name) != after.items(&definition.name))
        .map(|definition| FieldChange {
            field: definition.name.clone(),
            label: definition.label.clone(),
            field_type: definition.field_type.clone(),
            before: written_before[&definition.name].clone(),
            after: written_after[&definition.name].clone(),
        })
        .collect()
}

/// What the program fills in says nothing, and the reason stands with the revision.
fn is_told(state: &Entity, definition: &FieldDefinition) -> bool {
    !definition.computed && definition.name != state.kind.revision_log_field()
}

fn file_changes(before: Vec<FileVersion>, after: Vec<FileVersion>) -> Vec<FileChange> {
    let mut changes: Vec<FileChange> = Vec::new();
    for then in &before {
        let now = after.iter().find(|now| now.fid == then.fid);
        if now.is_none_or(|now| now.sha512 != then.sha512) {
            changes.push(FileChange {
                fid: then.fid,
                before: Some(then.clone()),
                after: now.cloned(),
            });
        }
    }
    let is_new = |now: &FileVersion| before.iter().all(|then| then.fid != now.fid);
    changes.extend(after.into_iter().filter(is_new).map(|now| FileChange {
        fid: now.fid,
        before: None,
        after: Some(now),
    }));
    changes
}
