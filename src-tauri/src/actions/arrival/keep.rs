//! From staged bytes to a file that everybody sees.

use std::sync::Arc;

use uuid::Uuid;

use super::{Home, storage};
use crate::actions::{Author, Refusal, relocate};
use crate::blobs::{Algorithm, Checksum, Deposit, Placed, Signature, Staged};
use crate::content::{Bundle, FileFacts, FileRecord, FileUri};
use crate::db::{DbError, NewFileVersion, Write};
use crate::faults;
use crate::media_types::{Facts, inspect};
use crate::repository::Repository;

/// Where arriving bytes are to lie, what they are to be looked at as, and whose they are.
pub struct Berth {
    pub home: Home,
    pub bundle: Arc<Bundle>,
    pub mime: String,
    pub author: Author,
}

/// Bytes that are placed and wait to be made known.
pub struct Arrival {
    pub blob: String,
    pub mime: String,
    pub size: u64,
    /// SHA-512 and what else was asked for.
    pub checksums: Vec<Checksum>,
    pub facts: Facts,
    home: Home,
}

/// What became of placed bytes.
pub enum Kept<T> {
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
            sha512: self.hex(Algorithm::Sha512).unwrap_or_default(),
            sha256: self.hex(Algorithm::Sha256),
            md5: self.hex(Algorithm::Md5),
            made: author.at,
            author: author.uid,
        }
    }

    fn hex(&self, algorithm: Algorithm) -> Option<String> {
        let mut checksums = self.checksums.iter();
        let made = checksums.find(|checksum| checksum.algorithm == algorithm);
        made.map(Checksum::hex)
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

/// Inspects, places and commits. Goes on to the end even if the one who waits for it goes away:
/// bytes must not be left between their place and the database.
pub async fn keep<T, F>(
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
        let signer = signer(&repository, &berth.author).await?;
        let commit = Arc::new(commit);
        let (mut staged, mut home) = (staged, berth.home.clone());
        // Each further round was lost to somebody who is done.
        loop {
            let arrival = Arrival {
                blob: String::new(),
                mime: berth.mime.clone(),
                size: staged.size,
                checksums: staged.checksums.clone(),
                facts,
                home,
            };
            let replaces = arrival.home.version > 1;
            let deposit = deposit(&arrival.home, signer.clone(), &berth.author);
            let placed = repository.blobs.place(staged, &deposit).await;
            let placed = placed.map_err(|error| cannot_place(&error, &deposit.uri))?;
            faults::point("placed");
            match make_known(&repository, placed, arrival, commit.clone()).await? {
                Round::Won(made) => {
                    if replaces {
                        relocate::follow(&repository.db, &repository.blobs).await;
                    }
                    return Ok(made);
                }
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
    let written = written.await;
    faults::point("committed");
    match written {
        Ok(Kept::Known(made)) => {
            blobs.settle(placed).await;
            Ok(Round::Won(made))
        }
        Ok(Kept::Elsewhere(home)) => {
            let staged = blobs.reclaim(placed).await;
            Ok(Round::Lost(staged.map_err(|error| storage(&error))?, home))
        }
        Err(Refusal::Database(error @ (DbError::Uncertain(_) | DbError::Closed))) => {
            // The next start finds out whether the commit is on disk.
            tracing::error!(%error, blob = placed.blob, "an upload was not committed");
            Err(Refusal::Database(error))
        }
        Err(refusal) => {
            blobs.discard(placed).await;
            Err(refusal)
        }
    }
}

/// Name of the author and a URI, as the bytes carry them along.
async fn signer(
    repository: &Repository,
    author: &Author,
) -> Result<(String, Option<String>), DbError> {
    let uid = author.uid;
    let user = repository.db.read(move |read| read.user(uid)).await?;
    Ok(match user {
        Some(user) => (user.name, Some(format!("urn:uuid:{}", user.uuid))),
        None => (format!("user {uid}"), None),
    })
}

fn deposit(home: &Home, signer: (String, Option<String>), author: &Author) -> Deposit {
    let (name, address) = signer;
    let made = match home.version {
        1 => "Stored",
        _ => "Replaced",
    };
    Deposit {
        uuid: home.uuid,
        uri: home.uri.clone(),
        version: home.version,
        replaced: home.replaced.clone(),
        signature: Signature {
            name,
            address,
            message: author.log.clone().unwrap_or_else(|| made.into()),
            at: author.at,
        },
    }
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
