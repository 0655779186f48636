//! Decides what a job of a derivative has to do when it starts.

use crate::actions::derivative_jobs::{FACTS, original_of};
use crate::repository::Repository;
use isolario_db::{DbError, Read};
use isolario_model::content::{
    ContentModel, Derivative, Entity, EntityKind, FileRecord, TermRole, uri_of,
};
use isolario_model::origin::Origin;

/// A derivative that can be made now.
#[derive(Debug, Clone)]
pub struct DerivativeTask {
    pub derivative: Derivative,
    /// Media with the original.
    pub original: Entity,
    /// The original file.
    pub file: FileRecord,
    /// Where the derivative is stored; `None` for facts.
    pub(super) place: Option<DerivativePlace>,
}

/// Where a derivative is stored.
#[derive(Debug, Clone)]
pub(super) struct DerivativePlace {
    pub nid: i64,
    pub use_tid: i64,
    /// The former derivative, which this one replaces.
    pub existing: Option<Entity>,
}

/// What a job has to do.
#[derive(Debug)]
pub enum Preparation {
    /// Nothing, because the original is gone, or has other bytes or another adjustment.
    Gone,
    /// Nothing, because another media has its place. The reason.
    Left(String),
    /// Nothing, because it could not be stored. The reason.
    Unstorable(String),
    Ready(Box<DerivativeTask>),
}

/// Decides what a job has to do.
///
/// # Errors
/// What the database refuses.
pub async fn prepare(
    repository: &Repository,
    derivative: Derivative,
) -> Result<Preparation, DbError> {
    let model = repository.model();
    let db = &repository.db;
    db.read(move |read| look(read, &model, derivative)).await
}

fn look(
    read: &Read<'_>,
    model: &ContentModel,
    derivative: Derivative,
) -> Result<Preparation, DbError> {
    let mid = derivative.mid;
    let Some(media) = read.entity(EntityKind::Media, mid)? else {
        return Ok(Preparation::Gone);
    };
    let Some(original) = original_of(read, model, &media)? else {
        return Ok(Preparation::Gone);
    };
    let bytes = original.bytes_of(mid);
    if (bytes.fid, bytes.version) != (derivative.fid, derivative.version) {
        return Ok(Preparation::Gone);
    }
    let adjustment = original.adjustment(&media).map(|one| one.to_string());
    if derivative.kind != FACTS && derivative.adjustment != adjustment {
        return Ok(Preparation::Gone);
    }
    let mut task = DerivativeTask {
        derivative,
        original: media,
        file: original.file,
        place: None,
    };
    if task.derivative.kind != FACTS {
        let Some(nid) = original.nid else {
            return Ok(Preparation::Gone);
        };
        match place_for(read, model, &task, nid)? {
            Ok(place) => task.place = Some(place),
            Err(outlook) => return Ok(outlook),
        }
    }
    Ok(Preparation::Ready(Box::new(task)))
}

/// The media use of a kind of derivative.
fn use_of(kind: &str) -> TermRole {
    match kind {
        "thumbnail" => TermRole::ThumbnailImage,
        "service" => TermRole::ServiceFile,
        _ => TermRole::ExtractedText,
    }
}

fn place_for(
    read: &Read<'_>,
    model: &ContentModel,
    task: &DerivativeTask,
    nid: i64,
) -> Result<Result<DerivativePlace, Preparation>, DbError> {
    let uri = uri_of(use_of(&task.derivative.kind));
    let Some(use_tid) = read.term_by_uri(uri)? else {
        let words = format!("There is no term for the media use {uri}.");
        return Ok(Err(Preparation::Unstorable(words)));
    };
    let existing = read.media_with_use(nid, use_tid)?;
    let objection = match &existing {
        Some(media) => objection(read, model, media, task.original.id)?,
        None => None,
    };
    Ok(match objection {
        Some(words) => Err(Preparation::Left(words)),
        None => Ok(DerivativePlace {
            nid,
            use_tid,
            existing,
        }),
    })
}

/// Why the job must not replace the media that has the place of the derivative.
fn objection(
    read: &Read<'_>,
    model: &ContentModel,
    existing: &Entity,
    original: i64,
) -> Result<Option<String>, DbError> {
    let name = existing.label();
    if existing.id == original {
        return Ok(Some("The original file itself has this use.".into()));
    }
    if !is_ours(read, model, existing)? {
        return Ok(Some(format!(
            "\"{name}\" (media {}) was put there by somebody, and stays.",
            existing.id
        )));
    }
    let maker = read.derivative_of_product(existing.id)?;
    let other = maker.filter(|one| one.mid != original).map(|one| one.mid);
    if let Some(mid) = other
        && let Some(media) = read.entity(EntityKind::Media, mid)?
        && original_of(read, model, &media)?.is_some()
    {
        return Ok(Some(format!(
            "The item has \"{name}\" already, made of another original file, \"{}\".",
            media.label()
        )));
    }
    Ok(None)
}

/// Whether this program made the current bytes of a media.
///
/// # Errors
/// What the database refuses.
pub(super) fn is_ours(
    read: &Read<'_>,
    model: &ContentModel,
    media: &Entity,
) -> Result<bool, DbError> {
    let bundle = model.bundle(EntityKind::Media, &media.bundle);
    let field = bundle.and_then(|bundle| bundle.file_field());
    let Some(fid) = field.and_then(|field| media.reference(&field.name)) else {
        return Ok(false);
    };
    let origin = read.origin_of_bytes(media.id, fid)?;
    Ok(origin.as_deref() == Some(Origin::Derivative.name()))
}
