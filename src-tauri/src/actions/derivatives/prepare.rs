//! What there is to do about a product when its turn has come.

use super::{FACTS, original_of};

use crate::content::{ContentModel, Derivative, Entity, EntityKind, FileRecord};
use crate::db::{DbError, Read, SERVICE_FILE_URI, THUMBNAIL_URI};
use crate::repository::{Door, Repository};

/// Media use of extracted text.
const EXTRACTED_TEXT_URI: &str = "http://pcdm.org/use#ExtractedText";

/// A product that can be made now.
#[derive(Debug, Clone)]
pub struct Task {
    pub derivative: Derivative,
    /// Media with the original.
    pub original: Entity,
    /// The original file.
    pub file: FileRecord,
    /// Where the product goes; facts go nowhere.
    pub(super) place: Option<Place>,
}

/// Where a product goes.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub nid: i64,
    pub use_tid: i64,
    /// What was made before, and is to be replaced.
    pub standing: Option<Entity>,
}

/// What there is to do.
#[derive(Debug)]
pub enum Outlook {
    /// Nothing any more: the original has gone or has other bytes.
    Gone,
    /// Something else is in its place and stays, for this reason.
    Left(String),
    /// It cannot be kept, for this reason.
    Homeless(String),
    Ready(Box<Task>),
}

/// Looks what there is to do about a product.
///
/// # Errors
/// What the database refuses.
pub async fn prepare(repository: &Repository, derivative: Derivative) -> Result<Outlook, DbError> {
    let model = repository.model.clone();
    let db = &repository.db;
    db.read(move |read| look(read, &model, derivative)).await
}

fn look(read: &Read<'_>, model: &ContentModel, derivative: Derivative) -> Result<Outlook, DbError> {
    let mid = derivative.mid;
    let Some(media) = read.entity(EntityKind::Media, mid)? else {
        return Ok(Outlook::Gone);
    };
    let Some(original) = original_of(read, model, &media)? else {
        return Ok(Outlook::Gone);
    };
    let bytes = original.bytes_of(mid);
    if (bytes.fid, bytes.version) != (derivative.fid, derivative.version) {
        return Ok(Outlook::Gone);
    }
    let mut task = Task {
        derivative,
        original: media,
        file: original.file,
        place: None,
    };
    if task.derivative.kind != FACTS {
        let Some(nid) = original.nid else {
            return Ok(Outlook::Gone);
        };
        match place_for(read, model, &task, nid)? {
            Ok(place) => task.place = Some(place),
            Err(outlook) => return Ok(outlook),
        }
    }
    Ok(Outlook::Ready(Box::new(task)))
}

/// Media use of a kind of product.
fn use_of(kind: &str) -> &'static str {
    match kind {
        "thumbnail" => THUMBNAIL_URI,
        "service" => SERVICE_FILE_URI,
        _ => EXTRACTED_TEXT_URI,
    }
}

fn place_for(
    read: &Read<'_>,
    model: &ContentModel,
    task: &Task,
    nid: i64,
) -> Result<Result<Place, Outlook>, DbError> {
    let uri = use_of(&task.derivative.kind);
    let Some(use_tid) = read.term_by_uri(uri)? else {
        let words = format!("There is no term for the media use {uri}.");
        return Ok(Err(Outlook::Homeless(words)));
    };
    let standing = read.media_with_use(nid, use_tid)?;
    let objection = match &standing {
        Some(media) => objection(read, model, media, task.original.id)?,
        None => None,
    };
    Ok(match objection {
        Some(words) => Err(Outlook::Left(words)),
        None => Ok(Place {
            nid,
            use_tid,
            standing,
        }),
    })
}

/// Why a media that is in the place of a product has to stay as it is.
fn objection(
    read: &Read<'_>,
    model: &ContentModel,
    standing: &Entity,
    original: i64,
) -> Result<Option<String>, DbError> {
    let name = standing.label();
    if standing.id == original {
        return Ok(Some("The original file itself has this use.".into()));
    }
    if !is_ours(read, model, standing)? {
        return Ok(Some(format!(
            "\"{name}\" (media {}) was put there by somebody, and stays.",
            standing.id
        )));
    }
    let maker = read.derivative_of_product(standing.id)?;
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

/// Whether the present bytes of a media were made by this program, and not put there by somebody.
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
    let door = read.door_of_bytes(media.id, fid)?;
    Ok(door.as_deref() == Some(Door::Derivative.name()))
}
