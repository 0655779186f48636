//! Bytes that become, or replace, the file of a media (interface, Endpoints, PUT): the one way in
//! for every door.

mod commit;

use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::Stream;

use super::arrival::{self, Berth, Body, free_uri, keep, mime_of};
use super::update_entity::refuse_lost_race;
use super::{Author, Refusal, rules};
use crate::auth::{Actor, Denial, Operation, Subject, may};
use crate::content::{Bundle, Entity, EntityKind, FileRecord, FileUri, Target};
use crate::db::Read;
use crate::repository::Repository;

/// The vocabulary of media uses.
const MEDIA_USES: &str = "islandora_media_use";

/// Which file of which media the bytes are to be.
#[derive(Debug, Clone)]
pub enum Destination {
    /// The source file of the media that a node has for a use; the media is made where there is none.
    Use {
        nid: i64,
        media_type: String,
        use_tid: i64,
    },
    /// The source file of a media.
    Source { mid: i64 },
    /// The file in a named field of a media.
    Field { mid: i64, field: String },
}

/// An upload before its body.
#[derive(Debug, Clone)]
pub struct Upload {
    pub destination: Destination,
    /// MIME type as sent.
    pub content_type: Option<String>,
    /// Address for a new file, `scheme://path`. A file that is replaced keeps its own.
    pub location: Option<String>,
    /// Revision that the media must have.
    pub expected: Option<i64>,
}

/// What became of an upload.
#[derive(Debug, Clone, PartialEq)]
pub struct Uploaded {
    pub mid: i64,
    pub revision: i64,
    /// Whether there is a new file; else one was replaced.
    pub created: bool,
    pub uri: FileUri,
}

/// An upload that nothing speaks against; its body may come.
#[derive(Debug)]
pub struct Admission {
    upload: Upload,
    author: Author,
    bundle: Arc<Bundle>,
    mime: String,
    /// Address that was asked for, or that the replaced file has.
    wanted: FileUri,
    /// Address that a file would get now.
    uri: FileUri,
    /// The file that is replaced.
    replaced: Option<FileRecord>,
}

impl Admission {
    /// What people call the file.
    fn filename(&self) -> &str {
        self.wanted.basename()
    }
}

/// Refuses what can be refused without the body: things that do not exist, permissions, names.
///
/// # Errors
/// `NotFound` before all others, `Denied`, `Invalid` for a term that is no use, `Malformed` for
/// missing or impossible names, `Lost` when the media has another revision than expected.
pub async fn admit(
    repository: &Arc<Repository>,
    actor: &Actor,
    author: Author,
    upload: Upload,
) -> Result<Admission, Refusal> {
    let (repository, actor) = (repository.clone(), actor.clone());
    let db = repository.db.clone();
    db.read(move |read| match &upload.destination {
        Destination::Use { .. } => admit_use(read, &repository, &actor, author, upload),
        Destination::Source { .. } | Destination::Field { .. } => {
            admit_media(read, &repository, &actor, author, upload)
        }
    })
    .await
}

/// Takes the body of an admitted upload and makes it known, as one change.
///
/// # Errors
/// `Malformed` when the body is empty, breaks off or has another length than declared; `NotFound`
/// or `Lost` when the media or node has changed meanwhile; `Storage` when the disk refuses.
pub async fn receive<S, E>(
    repository: &Arc<Repository>,
    admission: Admission,
    body: Body<S>,
) -> Result<Uploaded, Refusal>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
{
    let staged = arrival::receive(&repository.blobs, body).await?;
    if staged.size == 0 {
        let wanted = &admission.wanted;
        return Err(Refusal::Malformed(format!("No bytes were copied to {wanted}")));
    }
    let berth = Berth {
        uri: admission.uri.clone(),
        version: admission.replaced.as_ref().map_or(1, |file| file.version + 1),
        bundle: admission.bundle.clone(),
        mime: admission.mime.clone(),
    };
    let model = repository.model.clone();
    keep(repository.clone(), staged, berth, move |write, arrival| {
        commit::commit(write, &model, &admission, arrival)
    })
    .await
}

fn admit_use(
    read: &Read<'_>,
    repository: &Repository,
    actor: &Actor,
    author: Author,
    upload: Upload,
) -> Result<Admission, Refusal> {
    let Destination::Use { nid, media_type, use_tid } = &upload.destination else {
        return Err(Refusal::Malformed("The upload names no media use.".into()));
    };
    let node = existing(read, EntityKind::Node, *nid)?;
    let bundle = repository.model.bundle(EntityKind::Media, media_type);
    let bundle = bundle.ok_or_else(|| Refusal::Missing(format!("There is no media type {media_type}.")))?;
    let term = existing(read, EntityKind::Term, *use_tid)?;
    permit_use(actor, &node, bundle)?;
    refuse_no_use(&term)?;
    let mime = mime_of(upload.content_type.as_deref())?;
    if let Some(media) = read.media_with_use(*nid, *use_tid)? {
        return admit_replacement(read, repository, author, upload, mime, &media);
    }
    refuse_expected(&upload)?;
    let wanted = wanted_uri(repository, &upload, bundle)?;
    Ok(Admission {
        uri: free_uri(read, &wanted)?,
        wanted,
        upload,
        author,
        bundle: bundle.clone(),
        mime,
        replaced: None,
    })
}

fn existing(read: &Read<'_>, kind: EntityKind, id: i64) -> Result<Target, Refusal> {
    read.target(kind, id)?.ok_or(Refusal::NotFound { kind, id })
}

fn permit_use(actor: &Actor, node: &Target, bundle: &Bundle) -> Result<(), Denial> {
    let node = Subject {
        kind: EntityKind::Node,
        bundle: &node.bundle,
        owner: node.owner,
        published: node.published,
    };
    may(actor, Operation::Update, &node)?;
    let media = Subject {
        kind: EntityKind::Media,
        bundle: &bundle.id,
        owner: actor.uid,
        published: true,
    };
    may(actor, Operation::Create, &media)
}

fn refuse_no_use(term: &Target) -> Result<(), Refusal> {
    if term.bundle == MEDIA_USES {
        return Ok(());
    }
    let text = format!("This entity (taxonomy_term: {}) cannot be referenced.", term.id);
    Err(rules::invalid("field_media_use.0.target_id", &text))
}

/// Whoever expects a revision expects something to be there.
fn refuse_expected(upload: &Upload) -> Result<(), Refusal> {
    match upload.expected {
        Some(_) => Err(Refusal::Lost("There is nothing to replace yet. Nothing was changed.".into())),
        None => Ok(()),
    }
}

fn admit_media(
    read: &Read<'_>,
    repository: &Repository,
    actor: &Actor,
    author: Author,
    upload: Upload,
) -> Result<Admission, Refusal> {
    let (Destination::Source { mid: id } | Destination::Field { mid: id, .. }) = &upload.destination else {
        return Err(Refusal::Malformed("The upload names no media.".into()));
    };
    let kind = EntityKind::Media;
    let media = read.entity(kind, *id)?.ok_or(Refusal::NotFound { kind, id: *id })?;
    permit_media(actor, &media)?;
    let mime = mime_of(upload.content_type.as_deref())?;
    admit_replacement(read, repository, author, upload, mime, &media)
}

fn permit_media(actor: &Actor, media: &Entity) -> Result<(), Denial> {
    let subject = Subject {
        kind: EntityKind::Media,
        bundle: &media.bundle,
        owner: media.owner(),
        published: media.is_published(),
    };
    if actor.can("update media") || may(actor, Operation::Update, &subject).is_ok() {
        return Ok(());
    }
    Err(Denial::missing("update media"))
}

fn admit_replacement(
    read: &Read<'_>,
    repository: &Repository,
    author: Author,
    upload: Upload,
    mime: String,
    media: &Entity,
) -> Result<Admission, Refusal> {
    refuse_lost_race(media, upload.expected)?;
    let bundle = repository.model.bundle(EntityKind::Media, &media.bundle);
    let bundle = bundle.ok_or_else(|| Refusal::Missing(format!("There is no media type {}.", media.bundle)))?;
    let field = destination_field(&upload.destination, bundle)?;
    let replaced = match media.reference(field) {
        Some(fid) => read.file(fid)?,
        None => None,
    };
    let wanted = match &replaced {
        Some(file) => file.uri.clone(),
        None => wanted_uri(repository, &upload, bundle)?,
    };
    let uri = match &replaced {
        Some(_) => wanted.clone(),
        None => free_uri(read, &wanted)?,
    };
    Ok(Admission {
        wanted,
        upload,
        author,
        bundle: bundle.clone(),
        mime,
        uri,
        replaced,
    })
}

/// The field of a media that the bytes are for.
fn destination_field<'b>(destination: &Destination, bundle: &'b Bundle) -> Result<&'b str, Refusal> {
    let Destination::Field { field, .. } = destination else {
        let source = bundle.file_field().map(|definition| definition.name.as_str());
        return source.ok_or_else(|| Refusal::Malformed(format!("Media of type {} have no file.", bundle.id)));
    };
    let definition = bundle.field(field).ok_or_else(|| {
        Refusal::Malformed(format!("Media does not have destination field {field}"))
    })?;
    match definition.target_kind() {
        Some(EntityKind::File) => Ok(&definition.name),
        _ => Err(Refusal::Malformed(format!("\"{field}\" is not a file field"))),
    }
}

/// The address that a new file is to have, with one of the extensions its field allows.
fn wanted_uri(repository: &Repository, upload: &Upload, bundle: &Bundle) -> Result<FileUri, Refusal> {
    let missing = || Refusal::Malformed("Missing Content-Location header".into());
    let location = upload.location.as_deref().ok_or_else(missing)?;
    let allowed = match &upload.destination {
        Destination::Field { field, .. } => bundle.field(field),
        _ => bundle.file_field(),
    };
    let allowed = allowed.map_or(&[][..], |definition| &definition.file_extensions);
    let uri = repository.blobs.parse_uri(location);
    let uri = uri.map_err(|error| Refusal::Malformed(format!("Content-Location: {error}")))?;
    let fits = uri.extension().is_some_and(|extension| allowed.contains(&extension));
    match fits {
        true => Ok(uri),
        false => Err(Refusal::Malformed(format!(
            "Invalid file extension.  Valid types are {}",
            allowed.join(" ")
        ))),
    }
}
