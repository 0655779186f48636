//! The jobs of derivatives (docs/DERIVATIVES.md). A change of a media adds and removes their rows in its own transaction,
//! whatever its origin.

use isolario_db::{DbError, Read, Write};
use isolario_derive::kinds_for;
use isolario_model::content::{
    ContentModel, Entity, EntityKind, FileRecord, OriginalBytes, TermRole, field_roles, uri_of,
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
    let bundle = model.bundle(EntityKind::Media, &media.bundle);
    let field = bundle.and_then(|bundle| bundle.file_field());
    let Some(fid) = field.and_then(|field| media.reference(&field.name)) else {
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

    /// The kinds of derivatives that can be made. Without an item, only those that become no media.
    fn kinds(&self) -> Vec<&'static str> {
        let kinds = kinds_for(&self.file.mime).iter().map(|kind| kind.as_str());
        kinds
            .filter(|kind| self.nid.is_some() || *kind == FACTS)
            .collect()
    }
}

/// Adds the jobs of the current original of a media, and removes those of its former one. `at` is in Unix seconds.
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
    let former = write.derivatives_of(media.id)?;
    write.forget_other_derivatives(media.id, bytes)?;
    let (Some(original), Some(bytes)) = (original, bytes) else {
        return Ok(());
    };
    let mut kinds = original.kinds();
    // What shows the former bytes is made anew, or taken away where nothing can be made.
    let shown = former.iter().filter(|one| one.product.is_some());
    kinds.extend(shown.clone().filter_map(|one| known(&one.kind)));
    for kind in kinds {
        let product = shown.clone().find(|one| one.kind == kind);
        let product = product.and_then(|one| one.product);
        write.ask_for_derivative(bytes, kind, product, at)?;
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
