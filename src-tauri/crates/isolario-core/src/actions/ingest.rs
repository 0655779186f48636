//! The steps that every ingest has in common: bytes are staged, inspected, placed, and committed in one transaction.

mod commit;
mod signature;

use std::fmt::Display;

use bytes::Bytes;
use futures_util::Stream;

use super::Refusal;
use crate::repository::Repository;
pub(super) use commit::{CommitOutcome, PlacedUpload, UploadTarget, place_and_commit};
use isolario_blobs::{Algorithm, BlobLocation, Blobs, Checksum, StageError, StagedBlob, name};
use isolario_db::{DbError, Read};
use isolario_model::content::{FileRecord, FileUri, MimeType};
use isolario_model::policy::{Actor, Denial};
pub(crate) use signature::signature;

/// The body of an upload, before it is read.
pub struct Body<S> {
    pub chunks: S,
    /// Length that the sender declares, in bytes.
    pub declared: Option<u64>,
    /// Checksums that the sender declares.
    pub checksums: Vec<Checksum>,
    /// Checksums that are to be made and kept besides SHA-512 and those.
    pub asked: Vec<Algorithm>,
}

/// Stages the body. If it is known where its bytes will belong, it may come into the bucket meanwhile.
pub(super) async fn receive<S, E>(
    blobs: &Blobs,
    location: Option<&BlobLocation>,
    body: Body<S>,
) -> Result<StagedBlob, Refusal>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
{
    let promised = body.checksums.iter().map(|checksum| checksum.algorithm);
    let asked: Vec<Algorithm> = promised.chain(body.asked).collect();
    let staged = blobs.stage_for(location, body.chunks, body.declared, &asked);
    let staged = staged.await;
    let staged = staged.map_err(|error| unfit(error, "Nothing was changed."))?;
    refuse_other_bytes(&staged, &body.checksums)?;
    Ok(staged)
}

/// The actor with the current state of the account: it may have changed while the body was read.
///
/// # Errors
/// `Denied` for an account that was disabled meanwhile.
pub(super) async fn as_of_now(repository: &Repository, actor: &Actor) -> Result<Actor, Refusal> {
    let authenticator = &repository.authenticator;
    if actor.is_anonymous() {
        return Ok(authenticator.anonymous()?);
    }
    let current = authenticator.actor(actor.uid).await?;
    let disabled = || Denial::new("This account has been disabled.");
    Ok(current.ok_or_else(disabled)?)
}

/// The refusal of a body that could not be taken in; `outcome` says what became of what there was.
pub(crate) fn unfit(error: StageError, outcome: &str) -> Refusal {
    let words = format!("{error} {outcome}");
    match error {
        StageError::Disk(error) => Refusal::disk(&error),
        StageError::TooLarge { .. } => Refusal::TooLarge(words),
        StageError::Stalled(_) | StageError::TooSlow(_) => Refusal::TooSlow(words),
        StageError::Busy => Refusal::Busy(words),
        StageError::Broken(_) | StageError::Length { .. } => Refusal::Malformed(words),
    }
}

/// Refuses bytes that are not those which were sent.
///
/// # Errors
/// `Malformed`.
pub(super) fn refuse_other_bytes(
    staged: &StagedBlob,
    promised: &[Checksum],
) -> Result<(), Refusal> {
    match staged.agrees_with(promised) {
        true => Ok(()),
        false => Err(Refusal::Malformed(
            "The bytes that arrived have another digest than was sent with them. Nothing was changed.".into(),
        )),
    }
}

/// Where the next bytes of a file belong.
///
/// # Errors
/// `Storage` for a file whose identity is damaged.
pub(super) fn location_after(file: &FileRecord) -> Result<BlobLocation, Refusal> {
    BlobLocation::after(file).map_err(|_| {
        let uuid = &file.uuid;
        Refusal::Storage(format!("\"{uuid}\" is no identity of a file."))
    })
}

/// The MIME type of an upload, parameters included.
///
/// # Errors
/// `Malformed` when there is none, or not exactly one.
pub(super) fn mime_of(content_type: Option<&str>) -> Result<MimeType, Refusal> {
    let content_type = content_type.unwrap_or_default();
    if content_type.trim().is_empty() {
        return Err(Refusal::Malformed("Missing Content-Type header".into()));
    }
    MimeType::parse(content_type).ok_or_else(|| {
        Refusal::Malformed(
            "The Content-Type header does not name one MIME type such as image/png or text/plain; charset=utf-8."
                .into(),
        )
    })
}

/// The wanted address, or the next one that no file has or had: `a.png`, `a_0.png`, `a_1.png` ….
pub(super) fn free_uri(read: &Read<'_>, wanted: &FileUri) -> Result<FileUri, DbError> {
    if !read.uri_is_taken(wanted)? {
        return Ok(wanted.clone());
    }
    let numbered = |number: u64| {
        FileUri::new(
            &wanted.scheme,
            &name::marked(&wanted.path, &format!("_{number}")),
        )
    };
    // Numbers are given in their order, so doubling and then halving finds the first free one.
    let mut free = 0;
    while read.uri_is_taken(&numbered(free))? {
        free = free * 2 + 1;
    }
    let mut taken_below = free / 2;
    while taken_below < free {
        let middle = taken_below + (free - taken_below) / 2;
        if read.uri_is_taken(&numbered(middle))? {
            taken_below = middle + 1;
        } else {
            free = middle;
        }
    }
    Ok(numbered(free))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isolario_db::{Db, Deletion, NewFile, NewFileVersion, Write};
    use isolario_model::content::EntityKind;
    use isolario_model::policy::{Operation, Subject, permit};

    fn insert(write: &mut Write<'_>, uri: &FileUri, blob: &str) -> Result<i64, DbError> {
        let file = NewFile {
            uuid: uuid::Uuid::new_v4(),
            uid: 1,
            filename: uri.basename(),
            uri,
            permanent: true,
        };
        let version = NewFileVersion {
            blob,
            mime: &MimeType::from("image/png".to_owned()),
            size: 1,
            width: None,
            height: None,
            sha512: String::new(),
            sha256: None,
            md5: None,
            made: 0,
            author: 1,
        };
        let media = Subject::of_new(EntityKind::Media, "image", 1);
        let permitted = permit(&Actor::program(), Operation::Create, &media)?;
        write.insert_file(&permitted, &file, &version)
    }

    #[tokio::test]
    async fn the_next_free_name_is_the_first_free_one() {
        let disk = tempfile::tempdir().unwrap();
        let db = Db::open(&disk.path().join("test.db")).unwrap();
        let given = db.write(|write| -> Result<Vec<String>, DbError> {
            let wanted = FileUri::new("public", "up/a.png");
            let deletion = Deletion {
                at: 1,
                actor: 1,
                origin: "rest",
            };
            let mut given = Vec::new();
            for number in 0..40 {
                let uri = free_uri(write, &wanted)?;
                let fid = insert(write, &uri, &format!("public/{number}"))?;
                let file = write.file(fid)?.expect("inserted");
                let subject = Subject::of_file(&file);
                let permitted = permit(&Actor::program(), Operation::Delete, &subject)?;
                write.delete_file(&permitted, fid, &deletion)?;
                given.push(uri.path);
            }
            Ok(given)
        });
        let given = given.await.unwrap();
        assert_eq!(given[0], "up/a.png");
        for (number, path) in given[1..].iter().enumerate() {
            assert_eq!(*path, format!("up/a_{number}.png"));
        }
    }
}
