//! The transaction of an upload: file, version, media, revision and event, together.

use serde_json::Value;

use super::admission::permit_shared;
use super::{Admission, Destination, Uploaded, destination_field};
use crate::actions::arrival::{Arrival, Home, Kept, free_uri};
use crate::actions::create_entity::with_defaults;
use crate::actions::source::{take_facts, take_thumbnail};
use crate::actions::{Refusal, relocate, store};
use crate::content::entity::reference_item;
use crate::content::{Bundle, ContentModel, Entity, EntityKind, FileUri};
use crate::db::{NewFile, Write};

/// Makes arrived bytes known. Things are looked up anew: while the body came, somebody else may have
/// made the media, and the upload then replaces its file.
pub(super) fn commit(
    write: &mut Write<'_>,
    model: &ContentModel,
    admission: &Admission,
    arrival: &Arrival,
) -> Result<Kept<Uploaded>, Refusal> {
    let media = match &admission.upload.destination {
        Destination::Use { nid, use_tid, .. } => {
            for (kind, id) in [(EntityKind::Node, *nid), (EntityKind::Term, *use_tid)] {
                let target = write.target(kind, id)?;
                target.ok_or(Refusal::NotFound { kind, id })?;
            }
            write.media_with_use(*nid, *use_tid)?
        }
        Destination::Source { mid } | Destination::Field { mid, .. } => {
            let (kind, id) = (EntityKind::Media, *mid);
            Some(
                write
                    .entity(kind, id)?
                    .ok_or(Refusal::NotFound { kind, id })?,
            )
        }
    };
    match media {
        Some(media) => replace(write, model, admission, arrival, media),
        None => create(write, model, admission, arrival),
    }
}

fn create(
    write: &mut Write<'_>,
    model: &ContentModel,
    admission: &Admission,
    arrival: &Arrival,
) -> Result<Kept<Uploaded>, Refusal> {
    admission.upload.expected.refuse_absent()?;
    let bundle = &admission.bundle;
    let field = destination_field(&admission.upload.destination, bundle)?;
    let (fid, uri) = match add_file(write, admission, arrival)? {
        Ok(added) => added,
        Err(home) => return Ok(Kept::Elsewhere(home)),
    };
    let mut media = with_defaults(bundle, admission.author.uid);
    attach(
        &mut media,
        bundle,
        field,
        fid,
        admission.filename(),
        arrival,
    );
    take_facts(
        &mut media,
        bundle,
        admission.filename(),
        &arrival.file_facts(uri.clone()),
        true,
    );
    media.set_value("name", admission.filename());
    if let Destination::Use { nid, use_tid, .. } = admission.upload.destination {
        for (field, id) in [("field_media_of", nid), ("field_media_use", use_tid)] {
            if bundle.field(field).is_some() {
                media.set(field, vec![reference_item(id)]);
            }
        }
    }
    for (field, items) in &admission.taken_over {
        media.set(field, items.clone());
    }
    take_thumbnail(&mut media, bundle);
    let media = store::create(write, model, media, &admission.author)?;
    Ok(uploaded(&media, true, uri, arrival))
}

fn replace(
    write: &mut Write<'_>,
    model: &ContentModel,
    admission: &Admission,
    arrival: &Arrival,
    mut media: Entity,
) -> Result<Kept<Uploaded>, Refusal> {
    admission.upload.expected.refuse_lost_race(&media)?;
    let bundle = model
        .bundle(EntityKind::Media, &media.bundle)
        .unwrap_or(&admission.bundle);
    let field = destination_field(&admission.upload.destination, bundle)?;
    let current = match media.reference(field) {
        Some(fid) => write.file(fid)?,
        None => None,
    };
    let (fid, uri, created) = match current {
        Some(file) => {
            permit_shared(write, &admission.actor, media.id, file.fid)?;
            if let Some(home) = arrival.moved_for(&file)? {
                return Ok(Kept::Elsewhere(home));
            }
            write.add_file_version(file.fid, &arrival.version(&admission.author))?;
            write.set_file_permanent(file.fid)?;
            relocate::retire(write, file.fid, file.version)?;
            (file.fid, file.uri, false)
        }
        None => match add_file(write, admission, arrival)? {
            Ok((fid, uri)) => (fid, uri, true),
            Err(home) => return Ok(Kept::Elsewhere(home)),
        },
    };
    attach(
        &mut media,
        bundle,
        field,
        fid,
        admission.filename(),
        arrival,
    );
    if bundle.source_field.as_deref() == Some(field) {
        let name = media.items("name").to_vec();
        take_facts(
            &mut media,
            bundle,
            admission.filename(),
            &arrival.file_facts(uri.clone()),
            true,
        );
        media.set("name", name);
    }
    let media = store::update(write, model, media, &admission.author)?;
    Ok(uploaded(&media, created, uri, arrival))
}

/// Adds a new file, unless its bytes have to be moved first.
fn add_file(
    write: &mut Write<'_>,
    admission: &Admission,
    arrival: &Arrival,
) -> Result<Result<(i64, FileUri), Home>, Refusal> {
    let uri = free_uri(write, &admission.wanted)?;
    let uuid = match arrival.identity(&uri) {
        Ok(uuid) => uuid,
        Err(home) => return Ok(Err(home)),
    };
    let file = NewFile {
        uuid,
        uid: admission.author.uid,
        filename: admission.filename(),
        uri: &uri,
        permanent: true,
    };
    let fid = write.insert_file(&file, &arrival.version(&admission.author))?;
    Ok(Ok((fid, uri)))
}

/// Puts the file into the field. What people have said about it stays; what the bytes say is new.
fn attach(
    media: &mut Entity,
    bundle: &Bundle,
    field: &str,
    fid: i64,
    filename: &str,
    arrival: &Arrival,
) {
    let mut item = media.items(field).first().cloned().unwrap_or_default();
    item.insert("target_id".into(), fid.into());
    let is_image = bundle
        .field(field)
        .is_some_and(|definition| definition.field_type == "image");
    if is_image {
        let pixels = |count: Option<u32>| count.map_or(Value::Null, Value::from);
        item.entry("alt").or_insert_with(|| filename.into());
        item.insert("width".into(), pixels(arrival.facts.width));
        item.insert("height".into(), pixels(arrival.facts.height));
    }
    media.set(field, vec![item]);
}

fn uploaded(media: &Entity, created: bool, uri: FileUri, arrival: &Arrival) -> Kept<Uploaded> {
    Kept::Known(Uploaded {
        mid: media.id,
        revision: media.revision,
        created,
        uri,
        checksums: arrival.checksums.clone(),
    })
}
