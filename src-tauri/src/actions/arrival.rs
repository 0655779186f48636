//! What every upload has in common: bytes are staged, looked at, placed, and made known by one
//! transaction.

mod home;
mod keep;

use std::fmt::Display;

use bytes::Bytes;
use futures_util::Stream;

use super::Refusal;
use crate::auth::{Actor, Denial};
use crate::blobs::{Algorithm, Blobs, Checksum, StageError, Staged, name};
use crate::content::FileUri;
use crate::db::{DbError, Read};
use crate::repository::Repository;
pub(super) use home::Home;
pub(super) use keep::{Arrival, Berth, Kept, keep};

/// A body on its way in.
pub struct Body<S> {
    pub chunks: S,
    /// Length the sender promised, in bytes.
    pub declared: Option<u64>,
    /// What the sender says of the bytes.
    pub checksums: Vec<Checksum>,
    /// Checksums that are to be made and kept besides SHA-512 and those.
    pub asked: Vec<Algorithm>,
}

/// Takes the body in.
pub(super) async fn receive<S, E>(blobs: &Blobs, body: Body<S>) -> Result<Staged, Refusal>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
{
    let promised = body.checksums.iter().map(|checksum| checksum.algorithm);
    let asked: Vec<Algorithm> = promised.chain(body.asked).collect();
    let staged = blobs.stage(body.chunks, body.declared, &asked).await;
    let staged = staged.map_err(|error| unfit(error, "Nothing was changed."))?;
    refuse_other_bytes(&staged, &body.checksums)?;
    Ok(staged)
}

/// The actor as they are now: while bytes came, their account may have changed.
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
pub(super) fn unfit(error: StageError, outcome: &str) -> Refusal {
    let words = format!("{error} {outcome}");
    match error {
        StageError::Disk(error) => storage(&error),
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
pub(super) fn refuse_other_bytes(staged: &Staged, promised: &[Checksum]) -> Result<(), Refusal> {
    match staged.agrees_with(promised) {
        true => Ok(()),
        false => Err(Refusal::Malformed(
            "The bytes that arrived have another digest than was sent with them. Nothing was changed.".into(),
        )),
    }
}

pub(super) fn storage(error: &std::io::Error) -> Refusal {
    tracing::error!(%error, "an upload could not be stored");
    Refusal::Storage(format!(
        "The disk refused the upload: {error}. Nothing was changed."
    ))
}

/// The MIME type of an upload, parameters included.
///
/// # Errors
/// `Malformed` when there is none, or no MIME type.
pub(super) fn mime_of(content_type: Option<&str>) -> Result<String, Refusal> {
    let content_type = content_type.unwrap_or_default().trim();
    if content_type.is_empty() {
        return Err(Refusal::Malformed("Missing Content-Type header".into()));
    }
    let essence = content_type.split(';').next().unwrap_or_default();
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic());
    let named = essence
        .trim()
        .split_once('/')
        .is_some_and(|(kind, name)| is_word(kind) && is_word(name));
    if !named
        || content_type.len() > 255
        || !content_type
            .bytes()
            .all(|byte| (b' '..=b'~').contains(&byte))
    {
        return Err(Refusal::Malformed(
            "The Content-Type header does not name a MIME type such as image/png.".into(),
        ));
    }
    Ok(content_type.to_owned())
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
    use crate::db::{Db, Deletion, NewFile, NewFileVersion, Write};

    #[test]
    fn content_types_keep_their_parameters() {
        assert_eq!(
            mime_of(Some("text/plain; charset=utf-8")).unwrap(),
            "text/plain; charset=utf-8"
        );
        for wrong in [
            None,
            Some(""),
            Some("png"),
            Some("/"),
            Some("image/"),
            Some("a b/c"),
        ] {
            assert!(mime_of(wrong).is_err(), "{wrong:?}");
        }
    }

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
            mime: "image/png",
            size: 1,
            width: None,
            height: None,
            sha512: String::new(),
            sha256: None,
            md5: None,
            made: 0,
            author: 1,
        };
        write.insert_file(&file, &version)
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
                door: "rest",
            };
            let mut given = Vec::new();
            for number in 0..40 {
                let uri = free_uri(write, &wanted)?;
                let fid = insert(write, &uri, &format!("public/{number}"))?;
                write.delete_file(fid, &deletion)?;
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
