//! What is checked before a body is read, cheapest first.

use std::sync::Arc;

use super::{Admission, Destination, Upload, destination_field};
use crate::actions::arrival::{free_uri, mime_of};
use crate::actions::{Author, Refusal, rules};
use crate::auth::permission::may_create;
use crate::auth::{Actor, Denial, Operation, Subject, may};
use crate::content::{Bundle, Entity, EntityKind, FileUri, Target};
use crate::db::Read;
use crate::repository::Repository;

/// The vocabulary of media uses.
const MEDIA_USES: &str = "islandora_media_use";

/// Looks at one upload, in one snapshot.
pub(super) struct Gate<'a> {
    pub read: &'a Read<'a>,
    pub repository: &'a Repository,
    pub actor: &'a Actor,
    pub author: Author,
}

impl Gate<'_> {
    /// Everything that speaks against an upload before its body is known.
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
        let node = self.existing(EntityKind::Node, nid)?;
        let bundle = self.media_type(media_type)?;
        let term = self.existing(EntityKind::Term, use_tid)?;
        self.permit_use(&node, &bundle)?;
        refuse_no_use(&term)?;
        let mime = mime_of(upload.content_type.as_deref())?;
        if let Some(media) = self.read.media_with_use(nid, use_tid)? {
            return self.admit_replacement(upload, mime, &media);
        }
        upload.expected.refuse_absent()?;
        let wanted = self.wanted_uri(&upload, &bundle)?;
        Ok(Admission {
            uri: free_uri(self.read, &wanted)?,
            wanted,
            upload,
            actor: self.actor.clone(),
            author: self.author,
            bundle,
            mime,
            replaced: None,
            taken_over: Vec::new(),
        })
    }

    fn admit_media(self, upload: Upload, mid: i64) -> Result<Admission, Refusal> {
        let (kind, id) = (EntityKind::Media, mid);
        let media = self.read.entity(kind, id)?;
        let media = media.ok_or(Refusal::NotFound { kind, id })?;
        may(self.actor, Operation::ReplaceBytes, &Subject::of(&media))?;
        let mime = mime_of(upload.content_type.as_deref())?;
        self.admit_replacement(upload, mime, &media)
    }

    /// The file of a media is replaced, or found again where it was deleted.
    fn admit_replacement(
        self,
        upload: Upload,
        mime: String,
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
            permit_shared(self.read, self.actor, media.id, file.fid)?;
        }
        let (wanted, uri) = match &replaced {
            Some(file) => (file.uri.clone(), file.uri.clone()),
            None => {
                let wanted = self.wanted_uri(&upload, &bundle)?;
                let uri = free_uri(self.read, &wanted)?;
                (wanted, uri)
            }
        };
        Ok(Admission {
            upload,
            actor: self.actor.clone(),
            author: self.author,
            bundle,
            mime,
            wanted,
            uri,
            replaced,
            taken_over: Vec::new(),
        })
    }

    fn existing(&self, kind: EntityKind, id: i64) -> Result<Target, Refusal> {
        let target = self.read.target(kind, id)?;
        target.ok_or(Refusal::NotFound { kind, id })
    }

    fn media_type(&self, name: &str) -> Result<Arc<Bundle>, Refusal> {
        let bundle = self.repository.model.bundle(EntityKind::Media, name);
        let missing = || Refusal::Missing(format!("There is no media type {name}."));
        bundle.cloned().ok_or_else(missing)
    }

    fn permit_use(&self, node: &Target, bundle: &Bundle) -> Result<(), Denial> {
        may(self.actor, Operation::Update, &Subject::of_target(node))?;
        may_create(self.actor, EntityKind::Media, &bundle.id)
    }

    /// The address that a new file is to have, with one of the extensions its field allows.
    fn wanted_uri(&self, upload: &Upload, bundle: &Bundle) -> Result<FileUri, Refusal> {
        let uri = self.repository.blobs.parse_uri(location_of(upload)?);
        let uri = uri.map_err(|error| Refusal::Malformed(format!("Content-Location: {error}")))?;
        let field = match &upload.destination {
            Destination::Field { field, .. } => bundle.field(field),
            _ => bundle.file_field(),
        };
        let allowed = field.map_or(&[][..], |field| &field.file_extensions);
        let extension = uri.extension();
        if extension.is_some_and(|extension| allowed.contains(&extension)) {
            return Ok(uri);
        }
        Err(Refusal::Malformed(format!(
            "Invalid file extension.  Valid types are {}",
            allowed.join(" ")
        )))
    }
}

fn location_of(upload: &Upload) -> Result<&str, Refusal> {
    let missing = || Refusal::Malformed("Missing Content-Location header".into());
    upload.location.as_deref().ok_or_else(missing)
}

/// Bytes that other media show too are theirs to change who may change those media.
///
/// # Errors
/// `Denied` for the first media they may not change.
pub(in crate::actions) fn permit_shared(
    read: &Read<'_>,
    actor: &Actor,
    mid: i64,
    fid: i64,
) -> Result<(), Refusal> {
    let users = read.media_using_file(fid)?.into_iter();
    for other in users.filter(|media| media.id != mid) {
        may(actor, Operation::ReplaceBytes, &Subject::of_target(&other))?;
    }
    Ok(())
}

fn refuse_no_use(term: &Target) -> Result<(), Refusal> {
    if term.bundle == MEDIA_USES {
        return Ok(());
    }
    let text = format!(
        "This entity (taxonomy_term: {}) cannot be referenced.",
        term.id
    );
    Err(rules::invalid("field_media_use.0.target_id", &text))
}
