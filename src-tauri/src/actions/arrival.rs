//! What every upload has in common: bytes are staged, looked at, placed, and made known by one
//! transaction.

use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::Stream;
use uuid::Uuid;

use super::{Author, Refusal};
use crate::blobs::{
    Blobs, Checksum, Deposit, Placed, Signature, StageError, Staged, address, name,
};
use crate::content::{Bundle, FileFacts, FileRecord, FileUri};
use crate::db::{DbError, NewFileVersion, Read, Write};
use crate::media_types::{Facts, inspect};
use crate::repository::Repository;

/// A body on its way in.
pub struct Body<S> {
    pub chunks: S,
    /// Length the sender promised, in bytes.
    pub declared: Option<u64>,
    /// What the sender says of the bytes.
    pub checksums: Vec<Checksum>,
}

/// Where bytes lie: those of one file, under one address.
#[derive(Debug, Clone)]
pub(super) struct Home {
    /// Of the file.
    pub uuid: Uuid,
    pub uri: FileUri,
    /// 1 for the first bytes of a file.
    pub version: i64,
}

impl Home {
    /// Of a file that does not exist yet.
    pub fn new(uri: FileUri) -> Home {
        Home {
            uuid: Uuid::new_v4(),
            uri,
            version: 1,
        }
    }

    /// Of the next version of a file.
    ///
    /// # Errors
    /// `Storage` for a file whose identity is damaged.
    pub fn after(file: &FileRecord) -> Result<Home, Refusal> {
        let uuid = Uuid::parse_str(&file.uuid).map_err(|_| {
            Refusal::Storage(format!("\"{}\" is no identity of a file.", file.uuid))
        })?;
        Ok(Home {
            uuid,
            uri: file.uri.clone(),
            version: file.version + 1,
        })
    }

    /// Whether bytes that lie here are where those of `other` belong. The public tree has names
    /// for everything; an object holds the bytes of its own file, under its own address.
    fn is_that_of(&self, other: &Home) -> bool {
        let public = |home: &Home| home.uri.scheme == address::PUBLIC;
        (public(self) && public(other)) || (self.uuid == other.uuid && self.uri == other.uri)
    }
}

/// Where arriving bytes are to lie, what they are to be looked at as, and whose they are.
pub(super) struct Berth {
    pub home: Home,
    pub bundle: Arc<Bundle>,
    pub mime: String,
    pub author: Author,
}

/// Bytes that are placed and wait to be made known.
pub(super) struct Arrival {
    pub blob: String,
    pub mime: String,
    pub size: u64,
    pub sha512: String,
    pub facts: Facts,
    home: Home,
}

/// What became of placed bytes.
pub(super) enum Kept<T> {
    /// They are known now.
    Known(T),
    /// Somebody else was quicker, so they belong elsewhere. Nothing was changed.
    Elsewhere(Home),
}

impl Arrival {
    /// The row of this version.
    pub fn version<'a>(&'a self, author: &Author) -> NewFileVersion<'a> {
        NewFileVersion {
            blob: &self.blob,
            mime: &self.mime,
            size: self.size,
            width: self.facts.width,
            height: self.facts.height,
            sha512: &self.sha512,
            made: author.at,
            author: author.uid,
        }
    }

    /// Identity for a new file at this address, or where its bytes have to lie first.
    pub fn identity(&self, uri: &FileUri) -> Result<Uuid, Home> {
        if self.home.version == 1 && self.home.uri == *uri {
            return Ok(self.home.uuid);
        }
        let home = Home::new(uri.clone());
        match self.home.is_that_of(&home) {
            true => Ok(home.uuid),
            false => Err(home),
        }
    }

    /// Where the bytes have to lie to replace those of a file, unless they are there.
    ///
    /// # Errors
    /// As `Home::after`.
    pub fn moved_for(&self, file: &FileRecord) -> Result<Option<Home>, Refusal> {
        let home = Home::after(file)?;
        Ok((!self.home.is_that_of(&home)).then_some(home))
    }

    /// What references to the file show of it.
    pub fn file_facts(&self, uri: FileUri) -> FileFacts {
        FileFacts {
            uri,
            mime: self.mime.clone(),
            size: i64::try_from(self.size).unwrap_or(i64::MAX),
            width: self.facts.width.map(i64::from),
            height: self.facts.height.map(i64::from),
        }
    }
}

/// Takes the body in.
pub(super) async fn receive<S, E>(blobs: &Blobs, body: Body<S>) -> Result<Staged, Refusal>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
{
    let staged = blobs.stage(body.chunks, body.declared).await;
    let staged = staged.map_err(|error| match error {
        StageError::Disk(error) => storage(&error),
        broken => Refusal::Malformed(format!("{broken} Nothing was changed.")),
    })?;
    match staged.agrees_with(&body.checksums).await {
        Ok(true) => Ok(staged),
        Ok(false) => Err(Refusal::Malformed(
            "The bytes that arrived have another digest than was sent with them. Nothing was changed.".into(),
        )),
        Err(error) => Err(storage(&error)),
    }
}

/// Inspects, places and commits. Goes on to the end even if the one who waits for it goes away:
/// bytes must not be left between their place and the database.
pub(super) async fn keep<T, F>(
    repository: Arc<Repository>,
    staged: Staged,
    berth: Berth,
    commit: F,
) -> Result<T, Refusal>
where
    T: Send + 'static,
    F: Fn(&mut Write<'_>, &Arrival) -> Result<Kept<T>, Refusal> + Send + Sync + 'static,
{
    let whole = tokio::spawn(async move {
        let facts = look_at(&staged, &berth).await?;
        let signature = sign(&repository, &berth).await?;
        let commit = Arc::new(commit);
        let (mut staged, mut home) = (staged, berth.home.clone());
        // Each further round was lost to somebody who is done.
        loop {
            let arrival = Arrival {
                blob: String::new(),
                mime: berth.mime.clone(),
                size: staged.size,
                sha512: staged.sha512.clone(),
                facts,
                home,
            };
            let placed = place(&repository, staged, &arrival.home, &signature).await?;
            match make_known(&repository, placed, arrival, commit.clone()).await? {
                Round::Won(made) => return Ok(made),
                Round::Lost(back, elsewhere) => (staged, home) = (back, elsewhere),
            }
        }
    });
    whole.await.unwrap_or_else(|error| {
        Err(Refusal::Storage(format!(
            "The upload could not be kept: {error}."
        )))
    })
}

enum Round<T> {
    Won(T),
    Lost(Staged, Home),
}

async fn place(
    repository: &Repository,
    staged: Staged,
    home: &Home,
    signature: &Signature,
) -> Result<Placed, Refusal> {
    let deposit = Deposit {
        uuid: home.uuid,
        uri: home.uri.clone(),
        version: home.version,
        signature: signature.clone(),
    };
    let placed = repository.blobs.place(staged, &deposit).await;
    placed.map_err(|error| cannot_place(&error, &home.uri))
}

async fn make_known<T, F>(
    repository: &Repository,
    placed: Placed,
    arrival: Arrival,
    commit: Arc<F>,
) -> Result<Round<T>, Refusal>
where
    T: Send + 'static,
    F: Fn(&mut Write<'_>, &Arrival) -> Result<Kept<T>, Refusal> + Send + Sync + 'static,
{
    let blobs = &repository.blobs;
    let arrival = Arrival {
        blob: placed.blob.clone(),
        ..arrival
    };
    let written = repository.db.write(move |write| commit(write, &arrival));
    match written.await {
        Ok(Kept::Known(made)) => {
            blobs.settle(placed).await;
            Ok(Round::Won(made))
        }
        Ok(Kept::Elsewhere(home)) => {
            let staged = blobs.reclaim(placed).await;
            Ok(Round::Lost(staged.map_err(|error| storage(&error))?, home))
        }
        Err(Refusal::Database(error)) if !matches!(error, DbError::Constraint(_)) => {
            // Whether the commit is on disk is not known; the next start finds out.
            tracing::error!(%error, blob = placed.blob, "an upload was not committed");
            Err(Refusal::Database(error))
        }
        Err(refusal) => {
            blobs.discard(placed).await;
            Err(refusal)
        }
    }
}

/// How the author signs the bytes where they carry a signature with them.
async fn sign(repository: &Repository, berth: &Berth) -> Result<Signature, DbError> {
    let uid = berth.author.uid;
    let user = repository.db.read(move |read| read.user(uid)).await?;
    let (name, address) = match user {
        Some(user) => (user.name, Some(format!("urn:uuid:{}", user.uuid))),
        None => (format!("user {uid}"), None),
    };
    let made = match berth.home.version {
        1 => "Stored",
        _ => "Replaced",
    };
    Ok(Signature {
        name,
        address,
        message: berth.author.log.clone().unwrap_or_else(|| made.into()),
        at: berth.author.at,
    })
}

async fn look_at(staged: &Staged, berth: &Berth) -> Result<Facts, Refusal> {
    let bytes = staged.reader().map_err(|error| storage(&error))?;
    let bundle = berth.bundle.clone();
    let looking = tokio::task::spawn_blocking(move || inspect(&bundle, bytes));
    Ok(looking.await.unwrap_or_default())
}

fn cannot_place(error: &std::io::Error, uri: &FileUri) -> Refusal {
    match error.kind() {
        std::io::ErrorKind::NotADirectory => Refusal::Malformed(format!(
            "Nothing can be stored at {uri}: a part of its path is a file. Nothing was changed."
        )),
        _ => storage(error),
    }
}

fn storage(error: &std::io::Error) -> Refusal {
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
    use crate::db::{Db, NewFile};

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
            uuid: Uuid::new_v4(),
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
            sha512: "",
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
            let mut given = Vec::new();
            for number in 0..40 {
                let uri = free_uri(write, &wanted)?;
                let fid = insert(write, &uri, &format!("public/{number}"))?;
                write.delete_file(fid, 1)?;
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
