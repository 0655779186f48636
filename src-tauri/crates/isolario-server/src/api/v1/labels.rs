//! `/api/v1/labels`: names for ids, many at once.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{LONGEST_PAGE, Parameters, ids};
use super::request_context::{RequestContext, ViewerSnapshot};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use crate::api::openapi::values::Ids;
use isolario_core::actions::view_entity::may_view_target;
use isolario_model::content::{EntityKind, Target};
use isolario_model::policy::ItemFacts;

/// Ids with commas between them, kind by kind; at most 200 in all.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LabelsQuery {
    #[param(value_type = Option<Ids>)]
    taxonomy_term: Option<String>,
    #[param(value_type = Option<Ids>)]
    node: Option<String>,
    #[param(value_type = Option<Ids>)]
    user: Option<String>,
    #[param(value_type = Option<Ids>)]
    media: Option<String>,
    #[param(value_type = Option<Ids>)]
    file: Option<String>,
}

/// The name of a thing.
#[derive(Debug, Serialize, ToSchema)]
pub struct Label {
    #[schema(value_type = values::EntityKind)]
    target_type: &'static str,
    target_id: i64,
    label: String,
    /// Node type, media type or vocabulary; empty for files and users.
    bundle: String,
    /// The external URI of a term.
    uri: Option<String>,
    /// For nodes and media that have a picture.
    picture_url: Option<String>,
}

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

/// Names of resources by id
///
/// Leaves out what does not exist or is hidden from the actor.
#[utoipa::path(get, operation_id = "list_labels", path = "/api/v1/labels", tag = "lists", params(LabelsQuery), responses(
    (status = 200, body = LabelList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<LabelsQuery>,
) -> Result<Json<LabelList>, ApiError> {
    let targets = query.targets()?;
    context
        .read(move |snapshot| {
            let mut labels = Vec::with_capacity(targets.len());
            for (kind, id) in targets {
                if let Some(target) = visible_target(snapshot, kind, id)? {
                    labels.push(label(snapshot, target)?);
                }
            }
            Ok(Json(LabelList { labels }))
        })
        .await
}

fn visible_target(
    snapshot: &ViewerSnapshot<'_>,
    kind: EntityKind,
    id: i64,
) -> Result<Option<Target>, ApiError> {
    let Some(target) = snapshot.read.target(kind, id)? else {
        return Ok(None);
    };
    let visible = match kind {
        EntityKind::User => snapshot.viewer.users.allows(target.published, target.owner),
        _ => may_view_target(snapshot.read, &snapshot.context.actor, &target)?,
    };
    Ok(visible.then_some(target))
}

fn label(snapshot: &ViewerSnapshot<'_>, target: Target) -> Result<Label, ApiError> {
    let picture_url = match target.kind {
        EntityKind::Node => {
            let facts = ItemFacts {
                published: target.published,
                owner: target.owner,
                collections: Vec::new(),
            };
            snapshot.item_picture(target.id, facts)?
        }
        EntityKind::Media => snapshot.media_picture(target.id)?,
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
