//! The transaction of an upload: file, version, media, revision and event, together.

use serde_json::Value;

use super::admission::{permit_shared, permit_use};
use super::{Admission, Destination, UploadResult, destination_field};
use crate::actions::create_entity::with_defaults;
use crate::actions::ingest::{CommitOutcome, PlacedUpload, free_uri};
use crate::actions::source_metadata::{
    alternative_text, set_alternative_text, take_facts, take_thumbnail,
};
use crate::actions::{Refusal, relocate, write_entity};
use isolario_blobs::BlobLocation;
use isolario_db::{NewFile, Read, Write};
use isolario_model::content::entity::reference_item;
use isolario_model::content::{
    Bundle, ContentModel, Entity, EntityKind, FileUri, Target, field_roles,
};
use isolario_model::policy::{Operation, PermittedChange, permit};

/// Commits bytes that have arrived. It reads the media again, because another change may have made it meanwhile. The
/// upload then replaces its file.
pub(super) fn commit(
    write: &mut Write<'_>,
    model: &ContentModel,
    admission: &Admission,
    placed_upload: &PlacedUpload,
) -> Result<CommitOutcome<UploadResult>, Refusal> {
    let actor = &admission.actor;
    let (permitted, media) = match &admission.upload.destination {
        Destination::Use {
            nid,
            media_type,
            use_tid,
        } => {
            let node = existing(write, EntityKind::Node, *nid)?;
            existing(write, EntityKind::Term, *use_tid)?;
            let media = write.media_with_use(*nid, *use_tid)?;
            let permitted = permit_use(write, actor, &node, media_type, media.as_ref())?;
            (permitted, media)
        }
        Destination::Source { mid } | Destination::Field { mid, .. } => {
            let (kind, id) = (EntityKind::Media, *mid);
            let media = write.entity(kind, id)?;
            let media = media.ok_or(Refusal::NotFound { kind, id })?;
            let subject = write.subject(actor, &media)?;
            let permitted = permit(actor, Operation::ReplaceBytes, &subject)?;
            (permitted, Some(media))
        }
    };
    match media {
        Some(media) => replace(write, &permitted, model, admission, placed_upload, media),
        None => create(write, &permitted, model, admission, placed_upload),
    }
}

fn existing(read: &Read<'_>, kind: EntityKind, id: i64) -> Result<Target, Refusal> {
    let target = read.target(kind, id)?;
    target.ok_or(Refusal::NotFound { kind, id })
}

fn create<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    model: &ContentModel,
    admission: &Admission,
    placed_upload: &PlacedUpload,
) -> Result<CommitOutcome<UploadResult>, Refusal> {
    admission.upload.expected.refuse_absent()?;
    let bundle = &admission.bundle;
    let field = destination_field(&admission.upload.destination, bundle)?;
    let (fid, uri) = match add_file(write, permitted, admission, placed_upload)? {
        Ok(added) => added,
        Err(location) => return Ok(CommitOutcome::Relocate(location)),
    };
    let mut media = with_defaults(bundle, admission.author.uid);
    attach(
        &mut media,
        bundle,
        field,
        fid,
        admission.filename(),
        placed_upload,
    );
    take_facts(
        &mut media,
        bundle,
        admission.filename(),
        &placed_upload.file_facts(uri.clone()),
        true,
    );
    media.set_value("name", admission.filename());
    if let Destination::Use { nid, use_tid, .. } = admission.upload.destination {
        let fields = field_roles();
        for (field, id) in [(&fields.media_of, nid), (&fields.media_use, use_tid)] {
            if bundle.field(field).is_some() {
                media.set(field, vec![reference_item(id)]);
            }
        }
    }
    for (field, items) in &admission.taken_over {
        media.set(field, items.clone());
    }
    take_thumbnail(&mut media, bundle);
    if let Some(mid) = admission.original
        && let Some(original) = write.entity(EntityKind::Media, mid)?
        && let Some(text) = alternative_text(model, &original)
    {
        set_alternative_text(model, &mut media, &text);
    }
    let media = write_entity::create(write, permitted, model, media, &admission.author)?;
    Ok(uploaded(&media, true, uri, placed_upload))
}

fn replace<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    model: &ContentModel,
    admission: &Admission,
    placed_upload: &PlacedUpload,
    mut media: Entity,
) -> Result<CommitOutcome<UploadResult>, Refusal> {
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
            let permitted_bytes = permit_shared(write, &admission.actor, permitted, &file)?;
            if let Some(location) = placed_upload.moved_for(&file)? {
                return Ok(CommitOutcome::Relocate(location));
            }
            let version = placed_upload.version(&admission.author);
            write.add_file_version(&permitted_bytes, file.fid, &version)?;
            write.set_file_permanent(permitted, file.fid)?;
            relocate::retire(write, &permitted_bytes, &file)?;
            (file.fid, file.uri, false)
        }
        None => match add_file(write, permitted, admission, placed_upload)? {
            Ok((fid, uri)) => (fid, uri, true),
            Err(location) => return Ok(CommitOutcome::Relocate(location)),
        },
    };
    attach(
        &mut media,
        bundle,
        field,
        fid,
        admission.filename(),
        placed_upload,
    );
    if bundle.source_field.as_deref() == Some(field) {
        let name = media.items("name").to_vec();
        take_facts(
            &mut media,
            bundle,
            admission.filename(),
            &placed_upload.file_facts(uri.clone()),
            true,
        );
        media.set("name", name);
    }
    let media = write_entity::update(write, permitted, model, media, &admission.author)?;
    Ok(uploaded(&media, created, uri, placed_upload))
}

/// Adds a new file, unless its bytes have to be moved first.
fn add_file<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    admission: &Admission,
    placed_upload: &PlacedUpload,
) -> Result<Result<(i64, FileUri), BlobLocation>, Refusal> {
    let uri = free_uri(write, &admission.wanted)?;
    let uuid = match placed_upload.identity(&uri) {
        Ok(uuid) => uuid,
        Err(location) => return Ok(Err(location)),
    };
    let file = NewFile {
        uuid,
        uid: admission.author.uid,
        filename: admission.filename(),
        uri: &uri,
        permanent: true,
    };
    let fid = write.insert_file(permitted, &file, &placed_upload.version(&admission.author))?;
    Ok(Ok((fid, uri)))
}

/// Sets the file of the field. Values that people have entered stay; values that come from the bytes are replaced.
fn attach(
    media: &mut Entity,
    bundle: &Bundle,
    field: &str,
    fid: i64,
    filename: &str,
    placed_upload: &PlacedUpload,
) {
    let mut item = media.items(field).first().cloned().unwrap_or_default();
    item.insert("target_id".into(), fid.into());
    let is_image = bundle
        .field(field)
        .is_some_and(|definition| definition.field_type == "image");
    if is_image {
        let pixels = |count: Option<u32>| count.map_or(Value::Null, Value::from);
        item.entry("alt").or_insert_with(|| filename.into());
        item.insert("width".into(), pixels(placed_upload.facts.width));
        item.insert("height".into(), pixels(placed_upload.facts.height));
    }
    media.set(field, vec![item]);
}

fn uploaded(
    media: &Entity,
    created: bool,
    uri: FileUri,
    placed_upload: &PlacedUpload,
) -> CommitOutcome<UploadResult> {
    CommitOutcome::Committed(UploadResult {
        mid: media.id,
        revision: media.revision,
        created,
        uri,
        checksums: placed_upload.checksums.clone(),
    })
}
