//! Uploads that become, or replace, the file of a media (interface, Endpoints, PUT): the one action for every origin.

mod admission;
mod commit;

use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::Stream;
use serde::{Deserialize, Serialize};

use super::ingest::{self, Body, CommitOutcome, UploadTarget, place_and_commit};
use super::{Author, Precondition, Refusal};
use crate::repository::Repository;
use admission::AdmissionCheck;
pub use admission::node_for;
pub(super) use admission::permit_shared;
use isolario_blobs::{BlobLocation, Checksum, StagedBlob};
use isolario_db::Write;
use isolario_model::content::{Bundle, Entity, EntityKind, FileUri, Item, MimeType, field_roles};
use isolario_model::policy::Actor;

/// The media and field that an upload fills.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Destination {
    /// The source file of the media that a node has for a use. The upload makes the media if there is none.
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
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Upload {
    pub destination: Destination,
    /// MIME type as sent.
    pub content_type: Option<String>,
    /// Address for a new file, `scheme://path`. A file that is replaced keeps its own.
    pub location: Option<String>,
    /// Revision that the media must have.
    pub expected: Precondition,
}

/// The outcome of an upload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UploadResult {
    pub mid: i64,
    pub revision: i64,
    /// Whether the upload made a new file; otherwise it replaced one.
    pub created: bool,
    pub uri: FileUri,
    /// SHA-512, and the other checksums that the client asked for.
    pub checksums: Vec<Checksum>,
}

/// An upload that was admitted. Its body may follow.
#[derive(Debug)]
pub struct Admission {
    upload: Upload,
    actor: Actor,
    author: Author,
    bundle: Arc<Bundle>,
    mime: MimeType,
    /// The address that the client asked for, or that of the replaced file.
    wanted: FileUri,
    /// Where the bytes would belong now.
    location: BlobLocation,
    /// The values that a new media copies from another one, by field.
    taken_over: Vec<(String, Vec<Item>)>,
    /// The media with the original, where a derivative is uploaded.
    original: Option<i64>,
}

impl Admission {
    /// A derivative is for the same people as its original, and its picture has the same alternative text.
    pub(super) fn like(self, media: &Entity) -> Admission {
        let seen_by = ["status", field_roles().access_terms.as_str()];
        let taken_over = seen_by.map(|field| (field.to_owned(), media.items(field).to_vec()));
        Admission {
            taken_over: taken_over.into(),
            original: Some(media.id),
            ..self
        }
    }

    /// The name of the file.
    fn filename(&self) -> &str {
        self.wanted.basename()
    }
}

/// Refuses what can be refused without the body: things that do not exist, permissions, names.
///
/// # Errors
/// `NotFound` before all others, `Denied`, `Invalid` for a term that is no use, `Malformed` for
/// missing or impossible names, `Lost` when the media has another revision than expected.
pub fn admit(
    repository: &Arc<Repository>,
    actor: &Actor,
    author: Author,
    upload: Upload,
) -> Result<Admission, Refusal> {
    repository.db.read_here(|read| {
        let gate = AdmissionCheck {
            read,
            repository,
            actor,
            author,
        };
        gate.admit(upload)
    })
}

/// Receives the body of an admitted upload and commits it as one change. When the body has arrived, everything is
/// checked again.
///
/// # Errors
/// `Malformed` when the body is empty, breaks off or has another length than declared; `Denied`,
/// `NotFound` or `Lost` when account, media or node have changed meanwhile; `Storage` when the disk refuses.
pub async fn receive<S, E>(
    repository: &Arc<Repository>,
    admission: Admission,
    body: Body<S>,
) -> Result<UploadResult, Refusal>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
{
    receive_and(repository, admission, body, |_, _| Ok(())).await
}

/// As `receive`. `also` runs in the same transaction.
///
/// # Errors
/// As `receive`; those of `also`.
pub async fn receive_and<S, E, F>(
    repository: &Arc<Repository>,
    admission: Admission,
    body: Body<S>,
    also: F,
) -> Result<UploadResult, Refusal>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
    F: Fn(&mut Write<'_>, &UploadResult) -> Result<(), Refusal> + Send + Sync + 'static,
{
    let staged = ingest::receive(&repository.blobs, Some(&admission.location), body).await?;
    let actor = ingest::as_of_now(repository, &admission.actor).await?;
    let Admission {
        author,
        upload,
        location,
        ..
    } = admission;
    let mut admission = admit(repository, &actor, author, upload)?;
    admission.location = admission.location.with_identity_of(&location);
    commit_staged(repository, admission, staged, also).await
}

/// Commits bytes that have arrived. `also` runs in the same transaction.
///
/// # Errors
/// As `receive`.
pub(super) async fn commit_staged<F>(
    repository: &Arc<Repository>,
    admission: Admission,
    staged: StagedBlob,
    also: F,
) -> Result<UploadResult, Refusal>
where
    F: Fn(&mut Write<'_>, &UploadResult) -> Result<(), Refusal> + Send + Sync + 'static,
{
    if staged.size == 0 {
        let wanted = &admission.wanted;
        return Err(Refusal::Malformed(format!(
            "No bytes were copied to {wanted}"
        )));
    }
    let target = UploadTarget {
        location: admission.location.clone(),
        bundle: admission.bundle.clone(),
        mime: admission.mime.clone(),
        author: admission.author.clone(),
    };
    let model = repository.model();
    place_and_commit(
        repository.clone(),
        staged,
        target,
        move |write, placed_upload| {
            let kept = commit::commit(write, &model, &admission, placed_upload)?;
            if let CommitOutcome::Committed(uploaded) = &kept {
                also(write, uploaded)?;
            }
            Ok(kept)
        },
    )
    .await
}

/// The field of a media that the bytes are for.
fn destination_field<'b>(
    destination: &Destination,
    bundle: &'b Bundle,
) -> Result<&'b str, Refusal> {
    let Destination::Field { field, .. } = destination else {
        let source = bundle
            .file_field()
            .map(|definition| definition.name.as_str());
        return source.ok_or_else(|| {
            Refusal::Malformed(format!("Media of type {} have no file.", bundle.id))
        });
    };
    let definition = bundle.field(field).ok_or_else(|| {
        Refusal::Malformed(format!("Media does not have destination field {field}"))
    })?;
    match definition.target_kind() {
        Some(EntityKind::File) => Ok(&definition.name),
        _ => Err(Refusal::Malformed(format!(
            "\"{field}\" is not a file field"
        ))),
    }
}
