//! `/api/v1/trash`: what has been deleted, until the trash is emptied.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::history::written;
use super::parameters::{Parameters, after, choice, limit, not_found, path_id};
use super::request_context::{RequestContext, ViewerSnapshot, require_sign_in};
use super::responses::UserName;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use isolario_core::actions::purge::{self, PurgeSummary};
use isolario_core::actions::response_context::ResponseContext;
use isolario_core::actions::restore;
use isolario_core::actions::trashed_item::seen_with;
use isolario_core::actions::view_trash::{listed_in_trash, one_in_trash, permit};
use isolario_core::actions::{Author, Refusal};
use isolario_core::repository::Repository;
use isolario_db::{Cursor, DbError, Key, TrashContent, TrashRow};
use isolario_model::content::EntityKind;
use isolario_model::fields::iso;
use isolario_model::formats;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Operation};

/// The kinds of things that the trash holds.
pub(super) const KINDS: [(&str, EntityKind); 4] = [
    ("node", EntityKind::Node),
    ("media", EntityKind::Media),
    ("taxonomy_term", EntityKind::Term),
    ("file", EntityKind::File),
];

values::schemas! {
    /// The kind of a thing in the trash.
    TrashKind => values::one_of(values::names(&KINDS));
}

/// Which part of the trash.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TrashQuery {
    /// Only things of this kind. Without it, what went with an item is counted there and not listed by itself.
    #[param(value_type = Option<TrashKind>)]
    kind: Option<String>,
    /// `next` of the previous page.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

impl TrashQuery {
    /// # Errors
    /// 400 for a kind of which nothing is deleted.
    pub(super) fn kind(&self) -> Result<Option<EntityKind>, ApiError> {
        choice("kind", self.kind.as_ref(), &KINDS)
    }
}

/// Something in the trash.
#[derive(Debug, Serialize, ToSchema)]
pub struct TrashEntry {
    #[schema(value_type = TrashKind)]
    kind: &'static str,
    id: i64,
    /// Node type, media type or vocabulary; empty for files.
    bundle: String,
    label: String,
    #[schema(format = DateTime)]
    deleted: String,
    /// Who deleted it, where the viewer may know.
    user: Option<UserName>,
    #[schema(value_type = values::Origin)]
    origin: String,
    /// Whether the viewer may remove it for good.
    may_purge: bool,
    /// Media that went with an item, and come back with it.
    media: usize,
    /// Files that went with an item, and come back with it.
    files: usize,
    /// The item in the trash that a media or file went with.
    item: Option<i64>,
}

/// One page of the trash, the latest deletion first. A page may be shorter than asked for.
#[derive(Debug, Serialize, ToSchema)]
pub struct TrashList {
    entries: Vec<TrashEntry>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
}

/// Something in the trash, whole.
#[derive(Debug, Serialize, ToSchema)]
pub struct TrashedResource {
    #[serde(flatten)]
    entry: TrashEntry,
    /// As it was, in the shape of the interface.
    #[schema(value_type = Object)]
    resource: Value,
}

/// What became of the trash.
#[derive(Debug, Serialize, ToSchema)]
pub struct EmptiedTrash {
    /// Things that are gone for good.
    purged: usize,
    /// Things that the actor may restore, but not remove.
    left: usize,
}

const ORDER: &str = "trash desc";
/// Rows that one request looks at, at most: most may not be for this viewer.
const MOST_ROWS: usize = 1000;

/// List the trash
///
/// Lists what the actor may restore: what they may delete and could view before its deletion.
#[utoipa::path(get, operation_id = "list_trash", path = "/api/v1/trash", tag = "history", params(TrashQuery), responses(
    (status = 200, body = TrashList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<TrashQuery>,
) -> Result<Json<TrashList>, ApiError> {
    require_sign_in(&context.actor)?;
    let kind = query.kind()?;
    let after = after(query.after.as_ref(), &[ORDER])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    context
        .read(move |snapshot| page(snapshot, kind, after.as_ref(), limit).map(Json))
        .await
}

fn page(
    snapshot: &ViewerSnapshot<'_>,
    kind: Option<EntityKind>,
    after: Option<&Cursor>,
    limit: usize,
) -> Result<TrashList, ApiError> {
    let before = after.map_or(i64::MAX, |cursor| cursor.id);
    let rows = snapshot.read.trash_before(before, kind, MOST_ROWS)?;
    let (mut entries, mut looked_at) = (Vec::new(), 0);
    for row in &rows {
        if entries.len() == limit {
            break;
        }
        looked_at += 1;
        let actor = &snapshot.context.actor;
        if let Some(thing) = listed_in_trash(snapshot.read, actor, row, kind)? {
            entries.push(entry(snapshot, row, &thing)?);
        }
    }
    let more = looked_at < rows.len() || rows.len() == MOST_ROWS;
    let last = looked_at.checked_sub(1).and_then(|index| rows.get(index));
    let next = last.filter(|_| more).map(|row| Cursor {
        order: ORDER.into(),
        key: Key::None,
        id: row.number,
    });
    Ok(TrashList {
        entries,
        next: next.map(|cursor| cursor.encode()),
    })
}

fn entry(
    snapshot: &ViewerSnapshot<'_>,
    row: &TrashRow,
    thing: &TrashContent,
) -> Result<TrashEntry, DbError> {
    let actor = &snapshot.context.actor;
    let parts = match row.kind {
        EntityKind::Node => seen_with(snapshot.read, snapshot.model(), actor, row.id)?,
        _ => Vec::new(),
    };
    let is_file = |part: &&TrashContent| matches!(part, TrashContent::File(_));
    let files = parts.iter().filter(is_file).count();
    Ok(TrashEntry {
        media: parts.len() - files,
        files,
        item: row.item,
        kind: row.kind.target_type(),
        id: row.id,
        bundle: match thing {
            TrashContent::Entity(entity) => entity.bundle.clone(),
            TrashContent::File(_) => String::new(),
        },
        label: thing.label().to_owned(),
        deleted: iso(row.at),
        user: snapshot.user(row.actor)?,
        origin: row.origin.clone(),
        may_purge: permit(snapshot.read, actor, Operation::Purge, thing).is_ok(),
    })
}

/// Read an entry of the trash
///
/// The state at the time of the deletion.
#[utoipa::path(get, operation_id = "get_trashed", path = "/api/v1/trash/{kind}/{id}", tag = "history",
    params(("kind" = TrashKind, Path, description = "Kind of the resource"), ("id" = i64, Path, description = "Id of the resource")), responses(
    (status = 200, body = TrashedResource),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "It is not in the trash, or is hidden from the actor", body = Message),
))]
pub async fn one(
    context: RequestContext,
    Path((kind, id)): Path<(String, String)>,
) -> Result<Json<TrashedResource>, ApiError> {
    require_sign_in(&context.actor)?;
    let (kind, id) = named(&kind, &id)?;
    context
        .read(move |snapshot| {
            let actor = &snapshot.context.actor;
            let (row, thing) = one_in_trash(snapshot.read, actor, kind, id)
                .map_err(|refusal| ApiError::from_refusal(actor, refusal))?;
            Ok(Json(TrashedResource {
                entry: entry(snapshot, &row, &thing)?,
                resource: resource(snapshot, &thing),
            }))
        })
        .await
}

fn resource(snapshot: &ViewerSnapshot<'_>, thing: &TrashContent) -> Value {
    match thing {
        TrashContent::Entity(entity) => written(snapshot, entity),
        TrashContent::File(file) => {
            let context = ResponseContext {
                read: snapshot.read,
                model: snapshot.model(),
                actor: &snapshot.context.actor,
                base: &snapshot.context.base.0,
            };
            formats::file::write_file(file, &context)
        }
    }
}

/// Restore from the trash
///
/// The resource answers under its id again. A file returns to its address. What was deleted with an item is restored
/// with it.
#[utoipa::path(post, operation_id = "restore_trashed", path = "/api/v1/trash/{kind}/{id}/restore", tag = "history",
    params(("kind" = TrashKind, Path, description = "Kind of the resource"), ("id" = i64, Path, description = "Id of the resource")), responses(
    (status = 204, description = "The entry is restored"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not restore everything that was deleted with it", body = Message),
    (status = 404, description = "It is not in the trash, or is hidden from the actor", body = Message),
    (status = 409, description = "It conflicts with what was made after its deletion", body = Message),
))]
pub async fn restore(
    State(repository): State<Arc<Repository>>,
    Extension(actor): Extension<Actor>,
    Extension(origin): Extension<Origin>,
    Path((kind, id)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&actor)?;
    let (kind, id) = named(&kind, &id)?;
    let author = Author::new(&actor, origin);
    let restored = restore::restore(&repository, kind, id, &actor, author).await;
    done(&actor, restored)
}

/// Purge an entry of the trash
///
/// For actors who administer such resources. The id is never reissued. What was deleted with an item is purged with it.
#[utoipa::path(delete, operation_id = "purge_trashed", path = "/api/v1/trash/{kind}/{id}", tag = "history",
    params(("kind" = TrashKind, Path, description = "Kind of the resource"), ("id" = i64, Path, description = "Id of the resource")), responses(
    (status = 204, description = "The entry is purged"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not purge it", body = Message),
    (status = 404, description = "It is not in the trash, or is hidden from the actor", body = Message),
))]
pub async fn purge(
    State(repository): State<Arc<Repository>>,
    Extension(actor): Extension<Actor>,
    Extension(origin): Extension<Origin>,
    Path((kind, id)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&actor)?;
    let (kind, id) = named(&kind, &id)?;
    let author = Author::new(&actor, origin);
    let purged = purge::purge(&repository, kind, id, &actor, author).await;
    done(&actor, purged)
}

/// Empty the trash
///
/// Purges what the actor may purge; the rest stays.
#[utoipa::path(delete, operation_id = "empty_trash", path = "/api/v1/trash", tag = "history", responses(
    (status = 200, body = EmptiedTrash),
    (status = 401, description = "The request has no credentials", body = Message),
))]
pub async fn empty(
    State(repository): State<Arc<Repository>>,
    Extension(actor): Extension<Actor>,
    Extension(origin): Extension<Origin>,
) -> Result<Json<EmptiedTrash>, ApiError> {
    require_sign_in(&actor)?;
    let author = Author::new(&actor, origin);
    let emptied = purge::empty(&repository, &actor, author).await;
    let PurgeSummary { purged, left } =
        emptied.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    Ok(Json(EmptiedTrash { purged, left }))
}

fn named(kind: &str, id: &str) -> Result<(EntityKind, i64), ApiError> {
    let known = KINDS.iter().find(|(name, _)| *name == kind);
    let (_, known) = known.ok_or_else(|| not_found("kind of thing", kind))?;
    Ok((*known, path_id(kind, id)?))
}

fn done(actor: &Actor, outcome: Result<(), Refusal>) -> Result<StatusCode, ApiError> {
    match outcome {
        Ok(()) => Ok(StatusCode::NO_CONTENT),
        Err(refusal) => Err(ApiError::from_refusal(actor, refusal)),
    }
}
