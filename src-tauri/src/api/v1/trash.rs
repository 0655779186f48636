//! `/api/v1/trash`: what has been deleted, until the trash is emptied.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::history::written;
use super::parameters::{Parameters, after, choice, limit, not_found, path_id};
use super::shapes::{Message, UserName};
use super::shown::Shown;
use crate::actions::purge::{self, Emptied};
use crate::actions::restore;
use crate::actions::trashed_item::seen_with;
use crate::actions::view_trash::{found_in_trash, one_in_trash, permit};
use crate::actions::{Author, Refusal};
use crate::api::around::Around;
use crate::api::{ApiError, AppState};
use crate::auth::{Actor, Operation};
use crate::content::EntityKind;
use crate::db::{Cursor, DbError, Key, TrashRow, Trashed};
use crate::fields::iso;
use crate::formats;
use crate::repository::Door;

/// Which part of the trash.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TrashQuery {
    /// Only things of this kind. Without it, what went with an item is counted there and not listed by itself.
    #[param(value_type = Option<String>, pattern = "^(node|media|taxonomy_term|file)$")]
    kind: Option<String>,
    /// `next` of the page before.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// Something in the trash.
#[derive(Debug, Serialize, ToSchema)]
pub struct TrashEntry {
    /// `node`, `media`, `taxonomy_term` or `file`.
    kind: &'static str,
    id: i64,
    /// Node type, media type or vocabulary; empty for files.
    bundle: String,
    label: String,
    #[schema(format = DateTime)]
    deleted: String,
    /// Who deleted it, where the viewer may know.
    user: Option<UserName>,
    /// `window`, `rest`, `watch` or `command`.
    door: String,
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
const KINDS: [(&str, EntityKind); 4] = [
    ("node", EntityKind::Node),
    ("media", EntityKind::Media),
    ("taxonomy_term", EntityKind::Term),
    ("file", EntityKind::File),
];
/// Rows that one request looks at, at most: most may not be for this viewer.
const MOST_ROWS: usize = 1000;

/// What lies in the trash
///
/// For those who may delete such things and might see them were they there: they may restore them.
#[utoipa::path(get, operation_id = "list_trash", path = "/api/v1/trash", tag = "history", params(TrashQuery), responses(
    (status = 200, body = TrashList),
    (status = 400, description = "A parameter makes no sense", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message),
))]
pub async fn list(
    asked: Asked,
    Parameters(query): Parameters<TrashQuery>,
) -> Result<Json<TrashList>, ApiError> {
    require_sign_in(&asked.actor)?;
    let kind = choice("kind", query.kind.as_ref(), &KINDS)?;
    let after = after(query.after.as_ref(), &[ORDER])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    asked
        .read(move |shown| page(shown, kind, after.as_ref(), limit).map(Json))
        .await
}

fn page(
    shown: &Shown<'_>,
    kind: Option<EntityKind>,
    after: Option<&Cursor>,
    limit: usize,
) -> Result<TrashList, ApiError> {
    let before = after.map_or(i64::MAX, |cursor| cursor.id);
    let rows = shown.read.trash_before(before, kind, MOST_ROWS)?;
    let (mut entries, mut looked_at) = (Vec::new(), 0);
    for row in &rows {
        if entries.len() == limit {
            break;
        }
        looked_at += 1;
        if let Some(thing) = found_in_trash(shown.read, &shown.asked.actor, row)?
            && (kind.is_some() || !is_counted_elsewhere(shown, row)?)
        {
            entries.push(entry(shown, row, &thing)?);
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

/// Whether the viewer finds the item that something went with.
fn is_counted_elsewhere(shown: &Shown<'_>, row: &TrashRow) -> Result<bool, DbError> {
    let item = row
        .item
        .map(|nid| shown.read.trash_row(EntityKind::Node, nid));
    match item.transpose()?.flatten() {
        Some(item) => Ok(found_in_trash(shown.read, &shown.asked.actor, &item)?.is_some()),
        None => Ok(false),
    }
}

fn entry(shown: &Shown<'_>, row: &TrashRow, thing: &Trashed) -> Result<TrashEntry, DbError> {
    let actor = &shown.asked.actor;
    let parts = match row.kind {
        EntityKind::Node => seen_with(shown.read, shown.model(), actor, row.id)?,
        _ => Vec::new(),
    };
    let is_file = |part: &&Trashed| matches!(part, Trashed::File(_));
    let files = parts.iter().filter(is_file).count();
    Ok(TrashEntry {
        media: parts.len() - files,
        files,
        item: row.item,
        kind: row.kind.target_type(),
        id: row.id,
        bundle: match thing {
            Trashed::Entity(entity) => entity.bundle.clone(),
            Trashed::File(_) => String::new(),
        },
        label: thing.label().to_owned(),
        deleted: iso(row.at),
        user: shown.user(row.actor)?,
        door: row.door.clone(),
        may_purge: permit(actor, Operation::Purge, thing).is_ok(),
    })
}

/// One thing in the trash
///
/// As it was when it was deleted.
#[utoipa::path(get, operation_id = "get_trashed", path = "/api/v1/trash/{kind}/{id}", tag = "history",
    params(("kind" = String, Path, description = "`node`, `media`, `taxonomy_term` or `file`"), ("id" = i64, Path, description = "Its id")), responses(
    (status = 200, body = TrashedResource),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 404, description = "It is not in the trash for this viewer", body = Message),
))]
pub async fn one(
    asked: Asked,
    Path((kind, id)): Path<(String, String)>,
) -> Result<Json<TrashedResource>, ApiError> {
    require_sign_in(&asked.actor)?;
    let (kind, id) = named(&kind, &id)?;
    asked
        .read(move |shown| {
            let actor = &shown.asked.actor;
            let (row, thing) = one_in_trash(shown.read, actor, kind, id)
                .map_err(|refusal| ApiError::from_refusal(actor, refusal))?;
            Ok(Json(TrashedResource {
                entry: entry(shown, &row, &thing)?,
                resource: resource(shown, &thing),
            }))
        })
        .await
}

fn resource(shown: &Shown<'_>, thing: &Trashed) -> Value {
    match thing {
        Trashed::Entity(entity) => written(shown, entity),
        Trashed::File(file) => {
            let around = Around {
                read: shown.read,
                model: shown.model(),
                base: &shown.asked.base.0,
            };
            formats::file::write_file(file, &around)
        }
    }
}

/// Restore from the trash
///
/// It answers again under its id, as it was. A file comes back under its address, and with an item comes what was
/// deleted with it.
#[utoipa::path(post, operation_id = "restore_trashed", path = "/api/v1/trash/{kind}/{id}/restore", tag = "history",
    params(("kind" = String, Path, description = "`node`, `media`, `taxonomy_term` or `file`"), ("id" = i64, Path, description = "Its id")), responses(
    (status = 204, description = "It is back"),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The actor may not restore what went with it", body = Message),
    (status = 404, description = "It is not in the trash for this actor", body = Message),
    (status = 409, description = "It cannot come back beside what has been made since", body = Message),
))]
pub async fn restore(
    State(repository): State<AppState>,
    Extension(actor): Extension<Actor>,
    Extension(door): Extension<Door>,
    Path((kind, id)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&actor)?;
    let (kind, id) = named(&kind, &id)?;
    let author = Author::new(&actor, door);
    let restored = restore::restore(&repository, kind, id, &actor, author).await;
    done(&actor, restored)
}

/// Remove from the trash for good
///
/// For those who administer such things. Its id is never given again. With an item goes what was deleted with it.
#[utoipa::path(delete, operation_id = "purge_trashed", path = "/api/v1/trash/{kind}/{id}", tag = "history",
    params(("kind" = String, Path, description = "`node`, `media`, `taxonomy_term` or `file`"), ("id" = i64, Path, description = "Its id")), responses(
    (status = 204, description = "It is gone for good"),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The actor may not remove it", body = Message),
    (status = 404, description = "It is not in the trash for this actor", body = Message),
))]
pub async fn purge(
    State(repository): State<AppState>,
    Extension(actor): Extension<Actor>,
    Extension(door): Extension<Door>,
    Path((kind, id)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&actor)?;
    let (kind, id) = named(&kind, &id)?;
    let author = Author::new(&actor, door);
    let purged = purge::purge(&repository, kind, id, &actor, author).await;
    done(&actor, purged)
}

/// Empty the trash
///
/// Removes for good what the actor may remove; the rest stays.
#[utoipa::path(delete, operation_id = "empty_trash", path = "/api/v1/trash", tag = "history", responses(
    (status = 200, body = EmptiedTrash),
    (status = 401, description = "Nobody has signed in", body = Message),
))]
pub async fn empty(
    State(repository): State<AppState>,
    Extension(actor): Extension<Actor>,
    Extension(door): Extension<Door>,
) -> Result<Json<EmptiedTrash>, ApiError> {
    require_sign_in(&actor)?;
    let author = Author::new(&actor, door);
    let emptied = purge::empty(&repository, &actor, author).await;
    let Emptied { purged, left } =
        emptied.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    Ok(Json(EmptiedTrash { purged, left }))
}

fn require_sign_in(actor: &Actor) -> Result<(), ApiError> {
    match actor.is_anonymous() {
        true => Err(ApiError::unauthenticated()),
        false => Ok(()),
    }
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
