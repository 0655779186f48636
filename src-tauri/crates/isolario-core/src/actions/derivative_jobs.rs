//! The jobs of derivatives (docs/DERIVATIVES.md). A change of a media adds and removes their rows in its own transaction,
//! whatever its origin.

use isolario_db::{DbError, Read, Write};
use isolario_derive::kinds_for;
use isolario_model::content::{
    ContentModel, Entity, EntityKind, FileRecord, OriginalBytes, PictureAdjustment, TermRole,
    field_roles, picture_adjustment, uri_of,
};

/// The kind of derivative that is stored with the version of the file, not as a media.
pub const FACTS: &str = "facts";

/// The original file of an item, or the file of a media without an item.
pub struct Original {
    pub file: FileRecord,
    /// The item.
    pub nid: Option<i64>,
}

/// The original file that a media holds, if it holds one.
///
/// # Errors
/// What the database refuses.
pub fn original_of(
    read: &Read<'_>,
    model: &ContentModel,
    media: &Entity,
) -> Result<Option<Original>, DbError> {
    let Some(fid) = source_of(model, media) else {
        return Ok(None);
    };
    if !is_original(read, media)? {
        return Ok(None);
    }
    let Some(file) = read.file(fid)? else {
        return Ok(None);
    };
    let nid = media.reference(&field_roles().media_of);
    let node = nid.map(|nid| read.target(EntityKind::Node, nid));
    let nid = node.transpose()?.flatten().map(|node| node.id);
    Ok(Some(Original { file, nid }))
}

fn is_original(read: &Read<'_>, media: &Entity) -> Result<bool, DbError> {
    for tid in media.references(&field_roles().media_use) {
        if read.external_uri(tid)?.as_deref() == Some(uri_of(TermRole::OriginalFile)) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Original {
    /// Which bytes it has now.
    pub fn bytes_of(&self, mid: i64) -> OriginalBytes {
        OriginalBytes {
            mid,
            fid: self.file.fid,
            version: self.file.version,
        }
    }

    /// How its picture is adjusted.
    pub fn adjustment(&self, media: &Entity) -> Option<PictureAdjustment> {
        media.picture_adjustment(&self.file.sha512)
    }

    /// The kinds of derivatives that can be made. Without an item, only those that become no media.
    fn kinds(&self) -> Vec<&'static str> {
        let kinds = kinds_for(&self.file.mime).iter().map(|kind| kind.as_str());
        kinds
            .filter(|kind| self.nid.is_some() || *kind == FACTS)
            .collect()
    }
}

/// Takes from a media the adjustment of a picture whose bytes are no longer the current ones of its file.
///
/// # Errors
/// What the database refuses.
pub(super) fn forget_former_adjustment(
    read: &Read<'_>,
    model: &ContentModel,
    media: &mut Entity,
) -> Result<(), DbError> {
    if media.items(picture_adjustment::KEPT_AS).is_empty() {
        return Ok(());
    }
    let file = match source_of(model, media) {
        Some(fid) => read.file(fid)?,
        None => None,
    };
    let sha512 = file.map(|file| file.sha512).unwrap_or_default();
    let current = media.picture_adjustment(&sha512);
    media.adjust_picture(current, &sha512);
    Ok(())
}

/// The file of a media.
fn source_of(model: &ContentModel, media: &Entity) -> Option<i64> {
    let field = model.bundle(media.kind, &media.bundle)?.file_field()?;
    media.reference(&field.name)
}

/// Adds the jobs of the current original of a media, and removes those of its former one, or of another adjustment of
/// it. `at` is in Unix seconds.
///
/// # Errors
/// What the database refuses.
pub(super) fn follow(
    write: &mut Write<'_>,
    model: &ContentModel,
    media: &Entity,
    at: i64,
) -> Result<(), DbError> {
    if media.kind != EntityKind::Media {
        return Ok(());
    }
    let original = original_of(write, model, media)?;
    let bytes = original
        .as_ref()
        .map(|original| original.bytes_of(media.id));
    let adjustment = original
        .as_ref()
        .and_then(|original| original.adjustment(media));
    let adjustment = adjustment.map(|one| one.to_string());
    let former = write.derivatives_of(media.id)?;
    write.forget_other_derivatives(media.id, bytes, adjustment.as_deref())?;
    let (Some(original), Some(bytes)) = (original, bytes) else {
        return Ok(());
    };
    let mut kinds = original.kinds();
    // What shows the former bytes, or another adjustment, is made anew, or taken away where nothing can be made.
    let shown = former.iter().filter(|one| one.product.is_some());
    kinds.extend(shown.clone().filter_map(|one| known(&one.kind)));
    for kind in kinds {
        let product = shown.clone().find(|one| one.kind == kind);
        let product = product.and_then(|one| one.product);
        let adjustment = adjustment.as_deref().filter(|_| kind != FACTS);
        write.ask_for_derivative(bytes, kind, adjustment, product, at)?;
    }
    Ok(())
}

fn known(kind: &str) -> Option<&'static str> {
    kind.parse::<isolario_derive::Kind>()
        .ok()
        .map(|kind| kind.as_str())
}

/// Adds the jobs of the media of an item that was restored.
///
/// # Errors
/// What the database refuses.
pub(super) fn follow_all_of(
    write: &mut Write<'_>,
    model: &ContentModel,
    nid: i64,
    at: i64,
) -> Result<(), DbError> {
    for media in write.media_of(nid)? {
        follow(write, model, &media, at)?;
    }
    Ok(())
}

/// Removes the waiting jobs of a resource that is deleted.
///
/// # Errors
/// What the database refuses.
pub(super) fn forget(write: &mut Write<'_>, entity: &Entity) -> Result<(), DbError> {
    match entity.kind {
        EntityKind::Media => write.forget_unfinished_derivatives(entity.id),
        EntityKind::Node => {
            for media in write.media_of(entity.id)? {
                write.forget_unfinished_derivatives(media.id)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
