//! Uploads a file that no media uses yet. Islandora Workbench uploads so: it then makes the media that uses the file.

use isolario_model::content::file_url;
use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::Stream;
use uuid::Uuid;

use super::ingest::{
    self, Body, CommitOutcome, PlacedUpload, UploadTarget, free_uri, place_and_commit,
};
use super::{Author, Refusal};
use crate::repository::Repository;
use isolario_blobs::{BlobLocation, name};
use isolario_db::{NewFile, Write};
use isolario_model::content::file::extension_of;
use isolario_model::content::{
    Bundle, ContentModel, EntityKind, FieldDefinition, FileRecord, FileUri, MimeType,
};
use isolario_model::policy::permission::{may_create_somewhere, permit_creation_somewhere};
use isolario_model::policy::{Actor, PermittedChange};

/// The field that a file is meant for.
#[derive(Debug, Clone)]
pub struct FileUpload {
    pub kind: EntityKind,
    pub bundle: String,
    pub field: String,
}

/// A file upload that was admitted. Its body may follow.
#[derive(Debug)]
pub struct FileAdmission {
    author: Author,
    bundle: Arc<Bundle>,
    filename: String,
    wanted: FileUri,
    mime: Option<MimeType>,
    uuid: Uuid,
}

/// A file of another repository, which keeps its identity.
#[derive(Debug, Clone)]
pub struct KnownFile {
    pub uuid: Uuid,
    pub filename: String,
    pub uri: FileUri,
    /// Its MIME type, as that repository has it.
    pub mime: Option<MimeType>,
}

/// Refuses a field that holds no file, and an actor who may not fill the field.
///
/// # Errors
/// `Missing`, `Forbidden` or `Denied`.
pub fn admit_field(
    model: &ContentModel,
    actor: &Actor,
    upload: &FileUpload,
) -> Result<Arc<Bundle>, Refusal> {
    let missing = || Refusal::Missing(format!("Field \"{}\" does not exist", upload.field));
    let bundle = model
        .bundle(upload.kind, &upload.bundle)
        .ok_or_else(missing)?;
    let field = bundle.field(&upload.field).ok_or_else(missing)?;
    if field.target_kind() != Some(EntityKind::File) {
        return Err(Refusal::Forbidden(format!(
            "\"{}\" is not a file field",
            upload.field
        )));
    }
    may_create_somewhere(actor, upload.kind, &bundle.id)?;
    Ok(bundle.clone())
}

/// Refuses names that the field or the disk does not allow. It drops the directories of a name.
///
/// # Errors
/// `Invalid` for another extension than allowed, `Malformed` for an impossible name.
pub fn admit_name(
    bundle: Arc<Bundle>,
    field: &str,
    filename: &str,
    author: Author,
) -> Result<FileAdmission, Refusal> {
    let filename = name::basename(filename);
    refuse_extension(bundle.field(field), filename)?;
    let path = format!("{}/{filename}", month_of(author.at));
    name::check_path(&path).map_err(|error| Refusal::Malformed(error.to_string()))?;
    Ok(FileAdmission {
        wanted: FileUri::new(file_url::PUBLIC, &path),
        filename: filename.to_owned(),
        mime: None,
        uuid: Uuid::new_v4(),
        bundle,
        author,
    })
}

/// As `admit_name`, for a file that has an identity and an address.
///
/// # Errors
/// As `admit_name`; `Malformed` for an impossible address; `Conflict` when the identity belongs to another file, also
/// one in the trash.
pub fn admit_known(
    repository: &Repository,
    bundle: Arc<Bundle>,
    field: &str,
    file: KnownFile,
    author: Author,
) -> Result<FileAdmission, Refusal> {
    refuse_extension(bundle.field(field), &file.filename)?;
    let address = file.uri.to_string();
    let wanted = repository.blobs.parse_uri(&address);
    let wanted = wanted.map_err(|error| Refusal::Malformed(format!("{address}: {error}")))?;
    let uuid = file.uuid.to_string();
    let versions = repository
        .db
        .read_here(|read| read.versions_of_uuid(&uuid))?;
    if !versions.is_empty() {
        return Err(Refusal::Conflict(format!(
            "The UUID {uuid} belongs to another file, which may lie in the trash."
        )));
    }
    Ok(FileAdmission {
        author,
        bundle,
        filename: file.filename,
        wanted,
        mime: file.mime,
        uuid: file.uuid,
    })
}

fn refuse_extension(field: Option<&FieldDefinition>, filename: &str) -> Result<(), Refusal> {
    let extension = extension_of(filename);
    if field.is_some_and(|field| field.takes_extension(extension.as_deref())) {
        return Ok(());
    }
    let allowed = field.map_or(&[][..], |field| &field.file_extensions);
    Err(Refusal::Invalid(format!(
        "Unprocessable Entity: file validation failed.\nOnly files with the following extensions are allowed: {}.",
        allowed.join(" ")
    )))
}

/// `2026-11`, in UTC.
fn month_of(at: i64) -> String {
    let time = chrono::DateTime::from_timestamp(at, 0).unwrap_or_default();
    time.format("%Y-%m").to_string()
}

/// Receives the body of an admitted file, which may be empty. Returns the file as committed. When the body has arrived,
/// it asks the policy again.
///
/// # Errors
/// `Malformed` when the body breaks off; `Denied` when the account has changed meanwhile; `Storage`
/// when the disk refuses.
pub async fn receive<S, E>(
    repository: &Arc<Repository>,
    actor: &Actor,
    upload: &FileUpload,
    admission: FileAdmission,
    body: Body<S>,
) -> Result<FileRecord, Refusal>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
{
    let location = BlobLocation::with_identity(admission.uuid, admission.wanted.clone());
    let staged = ingest::receive(&repository.blobs, Some(&location), body).await?;
    let actor = ingest::as_of_now(repository, actor).await?;
    admit_field(&repository.model(), &actor, upload)?;
    let guess = mime_guess::from_path(&admission.filename).first_raw();
    let mime = admission.mime.clone();
    let mime = mime.or_else(|| guess.and_then(MimeType::parse));
    let wanted = admission.wanted.clone();
    let uri = repository
        .db
        .read(move |read| free_uri(read, &wanted))
        .await?;
    let target = UploadTarget {
        location: BlobLocation::with_identity(admission.uuid, uri),
        bundle: admission.bundle.clone(),
        mime: mime.unwrap_or_default(),
        author: admission.author.clone(),
    };
    let kind = upload.kind;
    place_and_commit(
        repository.clone(),
        staged,
        target,
        move |write, placed_upload| {
            let permitted = permit_creation_somewhere(&actor, kind, &admission.bundle.id)?;
            commit(write, &permitted, &admission, placed_upload)
        },
    )
    .await
}

fn commit<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    admission: &FileAdmission,
    placed_upload: &PlacedUpload,
) -> Result<CommitOutcome<FileRecord>, Refusal> {
    let author = &admission.author;
    let uri = free_uri(write, &admission.wanted)?;
    let uuid = match placed_upload.identity(&uri) {
        Ok(uuid) => uuid,
        Err(location) => return Ok(CommitOutcome::Relocate(location)),
    };
    let file = NewFile {
        uuid,
        uid: author.uid,
        filename: &admission.filename,
        uri: &uri,
        permanent: false,
    };
    let fid = write.insert_file(permitted, &file, &placed_upload.version(author))?;
    record(write, author, "create", fid, &admission.filename)?;
    let (kind, id) = (EntityKind::File, fid);
    let file = write.file(fid)?.ok_or(Refusal::NotFound { kind, id })?;
    Ok(CommitOutcome::Committed(file))
}

/// Adds the event of a change that concerns only a file.
pub(super) fn record(
    write: &mut Write<'_>,
    author: &Author,
    action: &str,
    fid: i64,
    filename: &str,
) -> Result<(), isolario_db::DbError> {
    write.record_event(&author.event(action, (EntityKind::File, fid), filename))
}
