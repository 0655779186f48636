//! What is checked before a body is read, cheapest first.

use std::sync::Arc;

use super::{Admission, Destination, Upload, destination_field};
use crate::actions::ingest::{free_uri, location_after, mime_of};
use crate::actions::view_entity::{may_view_target, visible_target};
use crate::actions::{Author, Refusal};
use crate::repository::Repository;
use isolario_blobs::BlobLocation;
use isolario_db::Read;
use isolario_model::content::{
    Bundle, Entity, EntityKind, FileRecord, FileUri, MimeType, Target, field_roles, model_roles,
};
use isolario_model::fields::{Violation, ViolationCode};
use isolario_model::policy::permission::{permit_bytes, permit_upload};
use isolario_model::policy::{Actor, Operation, PermittedChange, Subject, may, permit};

/// Checks one upload in one snapshot of the database.
pub(super) struct AdmissionCheck<'a> {
    pub read: &'a Read<'a>,
    pub repository: &'a Repository,
    pub actor: &'a Actor,
    pub author: Author,
}

impl AdmissionCheck<'_> {
    /// Refuses an upload for everything that is known before its body.
    ///
    /// # Errors
    /// As `upload_media::admit`.
    pub fn admit(self, upload: Upload) -> Result<Admission, Refusal> {
        match upload.destination.clone() {
            Destination::Use {
                nid,
                media_type,
                use_tid,
            } => self.admit_use(upload, nid, &media_type, use_tid),
            Destination::Source { mid } | Destination::Field { mid, .. } => {
                self.admit_media(upload, mid)
            }
        }
    }

    fn admit_use(
        self,
        upload: Upload,
        nid: i64,
        media_type: &str,
        use_tid: i64,
    ) -> Result<Admission, Refusal> {
        let node = node_for(self.read, self.actor, nid)?;
        let bundle = self.media_type(media_type)?;
        let (kind, id) = (EntityKind::Term, use_tid);
        let term = visible_target(self.read, self.actor, kind, id)?;
        let term = term.ok_or(Refusal::NotFound { kind, id })?;
        let media = self.read.media_with_use(nid, use_tid)?;
        let permitted = permit_use(self.read, self.actor, &node, &bundle.id, media.as_ref())?;
        refuse_no_use(&term)?;
        let mime = mime_of(upload.content_type.as_deref())?;
        if let Some(media) = media {
            return self.admit_replacement(upload, mime, &permitted, &media);
        }
        upload.expected.refuse_absent()?;
        let wanted = self.wanted_uri(&upload, &bundle)?;
        Ok(Admission {
            location: BlobLocation::new(free_uri(self.read, &wanted)?),
            wanted,
            upload,
            actor: self.actor.clone(),
            author: self.author,
            bundle,
            mime,
            taken_over: Vec::new(),
            original: None,
        })
    }

    fn admit_media(self, upload: Upload, mid: i64) -> Result<Admission, Refusal> {
        let (kind, id) = (EntityKind::Media, mid);
        let media = self.read.entity(kind, id)?;
        let media = media.ok_or(Refusal::NotFound { kind, id })?;
        let permitted = permit(
            self.actor,
            Operation::ReplaceBytes,
            &self.read.subject(self.actor, &media)?,
        )?;
        let mime = mime_of(upload.content_type.as_deref())?;
        self.admit_replacement(upload, mime, &permitted, &media)
    }

    /// The file of a media is replaced, or found again where it was deleted.
    fn admit_replacement(
        self,
        upload: Upload,
        mime: MimeType,
        permitted: &PermittedChange<'_>,
        media: &Entity,
    ) -> Result<Admission, Refusal> {
        upload.expected.refuse_lost_race(media)?;
        let bundle = self.media_type(&media.bundle)?;
        let field = destination_field(&upload.destination, &bundle)?;
        let replaced = match media.reference(field) {
            Some(fid) => self.read.file(fid)?,
            None => None,
        };
        if let Destination::Field { .. } = upload.destination {
            location_of(&upload)?;
        }
        if let Some(file) = &replaced {
            permit_shared(self.read, self.actor, permitted, file)?;
        }
        let (wanted, location) = match &replaced {
            Some(file) => (file.uri.clone(), location_after(file)?),
            None => {
                let wanted = self.wanted_uri(&upload, &bundle)?;
                let uri = free_uri(self.read, &wanted)?;
                (wanted, BlobLocation::new(uri))
            }
        };
        Ok(Admission {
            upload,
            actor: self.actor.clone(),
            author: self.author,
            bundle,
            mime,
            wanted,
            location,
            taken_over: Vec::new(),
            original: None,
        })
    }

    fn media_type(&self, name: &str) -> Result<Arc<Bundle>, Refusal> {
        let model = self.repository.model();
        let bundle = model.bundle(EntityKind::Media, name);
        let missing = || Refusal::Missing(format!("There is no media type {name}."));
        bundle.cloned().ok_or_else(missing)
    }

    /// The address of a new file. Its extension must be one that the field takes.
    fn wanted_uri(&self, upload: &Upload, bundle: &Bundle) -> Result<FileUri, Refusal> {
        let uri = self.repository.blobs.parse_uri(location_of(upload)?);
        let uri = uri.map_err(|error| Refusal::Malformed(format!("Content-Location: {error}")))?;
        let field = match &upload.destination {
            Destination::Field { field, .. } => bundle.field(field),
            _ => bundle.file_field(),
        };
        let extension = uri.extension();
        if field.is_some_and(|field| field.takes_extension(extension.as_deref())) {
            return Ok(uri);
        }
        let allowed = field.map_or(&[][..], |field| &field.file_extensions);
        Err(Refusal::Malformed(format!(
            "Invalid file extension.  Valid types are {}",
            allowed.join(" ")
        )))
    }
}

/// The node that gets a media. An actor who may neither view nor change it gets `NotFound`.
///
/// # Errors
/// `NotFound` where there is none.
pub fn node_for(read: &Read<'_>, actor: &Actor, nid: i64) -> Result<Target, Refusal> {
    let (kind, id) = (EntityKind::Node, nid);
    let missing = Refusal::NotFound { kind, id };
    match read.target(kind, id)? {
        Some(node)
            if may(
                actor,
                Operation::Update,
                &read.target_subject(actor, &node)?,
            )
            .is_ok()
                || may_view_target(read, actor, &node)? =>
        {
            Ok(node)
        }
        _ => Err(missing),
    }
}

fn location_of(upload: &Upload) -> Result<&str, Refusal> {
    let missing = || Refusal::Malformed("Missing Content-Location header".into());
    upload.location.as_deref().ok_or_else(missing)
}

/// Permits an upload to the media that a node has for a use, or to one that is made.
///
/// # Errors
/// As `permit_upload`.
pub(super) fn permit_use<'t>(
    read: &Read<'t>,
    actor: &Actor,
    node: &Target,
    bundle: &str,
    media: Option<&Entity>,
) -> Result<PermittedChange<'t>, Refusal> {
    let media = media.map(|media| read.subject(actor, media)).transpose()?;
    let node = read.target_subject(actor, node)?;
    Ok(permit_upload(actor, &node, bundle, media.as_ref())?)
}

/// Permits new bytes for a file that several media use, if the actor may change each of them.
///
/// # Errors
/// `Denied` for the first other media that the actor may not change.
pub(in crate::actions) fn permit_shared<'t>(
    read: &Read<'_>,
    actor: &Actor,
    media: &PermittedChange<'t>,
    file: &FileRecord,
) -> Result<PermittedChange<'t>, Refusal> {
    let users = read.media_using_file(file.fid)?;
    let users = users.iter().map(|user| read.target_subject(actor, user));
    let users: Vec<_> = users.collect::<Result<_, _>>()?;
    Ok(permit_bytes(actor, media, &Subject::of_file(file), &users)?)
}

fn refuse_no_use(term: &Target) -> Result<(), Refusal> {
    if term.bundle == model_roles().bundles.media_uses {
        return Ok(());
    }
    let text = format!(
        "This entity (taxonomy_term: {}) cannot be referenced.",
        term.id
    );
    let violation = Violation::at("target_id", ViolationCode::ReferenceNotAllowed, text);
    Err(violation.in_field(&field_roles().media_use, 0).into())
}
