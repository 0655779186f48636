//! `/api/v1/labels`: names for ids, many at once.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::parameters::{LONGEST_PAGE, Parameters, ids};
use super::shapes::Message;
use super::shown::Shown;
use crate::actions::view_file::may_view_file;
use crate::api::ApiError;
use crate::auth::{Operation, Subject, may};
use crate::content::{EntityKind, Target};

/// Ids with commas between them, kind by kind; at most 200 in all.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LabelsQuery {
    #[param(example = "1,2")]
    taxonomy_term: Option<String>,
    node: Option<String>,
    user: Option<String>,
    media: Option<String>,
    file: Option<String>,
}

/// The name of a thing.
#[derive(Debug, Serialize, ToSchema)]
pub struct Label {
    /// `node`, `media`, `taxonomy_term`, `file` or `user`.
    target_type: EntityKindName,
    target_id: i64,
    label: String,
    /// Node type, media type or vocabulary; empty for files and users.
    bundle: String,
    /// `field_external_uri` of a term.
    uri: Option<String>,
    /// For nodes and media that have a picture.
    picture_url: Option<String>,
}

/// A kind of thing.
pub type EntityKindName = &'static str;

/// The names of those asked for that the viewer may see.
#[derive(Debug, Serialize, ToSchema)]
pub struct LabelList {
    labels: Vec<Label>,
}

impl LabelsQuery {
    fn targets(&self) -> Result<Vec<(EntityKind, i64)>, ApiError> {
        let mut targets = Vec::new();
        for (kind, value) in [
            (EntityKind::Term, &self.taxonomy_term),
            (EntityKind::Node, &self.node),
            (EntityKind::User, &self.user),
            (EntityKind::Media, &self.media),
            (EntityKind::File, &self.file),
        ] {
            let ids = ids(kind.target_type(), value.as_ref())?;
            targets.extend(ids.into_iter().map(|id| (kind, id)));
        }
        if targets.len() > LONGEST_PAGE {
            return Err(ApiError::bad_request(
                "At most 200 labels can be asked for at once.",
            ));
        }
        Ok(targets)
    }
}

/// Names of things by id
///
/// What is not there, or not for this viewer, is left out.
#[utoipa::path(get, operation_id = "list_labels", path = "/api/v1/labels", tag = "lists", params(LabelsQuery), responses(
    (status = 200, body = LabelList),
    (status = 400, description = "A parameter makes no sense", body = Message),
))]
pub async fn list(
    asked: Asked,
    Parameters(query): Parameters<LabelsQuery>,
) -> Result<Json<LabelList>, ApiError> {
    let targets = query.targets()?;
    asked
        .read(move |shown| {
            let mut labels = Vec::with_capacity(targets.len());
            for (kind, id) in targets {
                if let Some(target) = visible_target(shown, kind, id)? {
                    labels.push(label(shown, target)?);
                }
            }
            Ok(Json(LabelList { labels }))
        })
        .await
}

fn visible_target(
    shown: &Shown<'_>,
    kind: EntityKind,
    id: i64,
) -> Result<Option<Target>, ApiError> {
    let Some(target) = shown.read.target(kind, id)? else {
        return Ok(None);
    };
    let actor = &shown.asked.actor;
    let visible = if kind == EntityKind::File {
        match shown.read.file(id)? {
            Some(file) => may_view_file(shown.read, actor, &file)?,
            None => false,
        }
    } else {
        may(actor, Operation::View, &Subject::of_target(&target)).is_ok()
    };
    Ok(visible.then_some(target))
}

fn label(shown: &Shown<'_>, target: Target) -> Result<Label, ApiError> {
    let picture_url = match target.kind {
        EntityKind::Node => shown
            .item_by_id(target.id)?
            .and_then(|item| item.picture)
            .map(|picture| picture.url),
        EntityKind::Media => shown.media_picture(target.id)?,
        _ => None,
    };
    Ok(Label {
        target_type: target.kind.target_type(),
        target_id: target.id,
        label: target.label,
        bundle: target.bundle,
        uri: target.uri,
        picture_url,
    })
}
