//! Bytes follow what becomes of their file: those that nobody can fetch any more leave the public
//! tree, come back with their file, and go when the trash is emptied. What is to be done is written
//! in the transaction of the change; it is done after the commit, and at the next start if need be.

use std::collections::HashMap;
use std::future::Future;
use std::io;

use crate::repository::Repository;
use isolario_blobs::{Blobs, OpenBlob, retired_name};
use isolario_db::{BlobIntent, Db, DbError, Write};
use isolario_disk::disk_fault::DiskFault;
use isolario_disk::faults;
use isolario_model::content::FileRecord;
use isolario_model::policy::PermittedChange;

/// The current bytes of a file are to leave the public tree.
pub fn retire<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    file: &FileRecord,
) -> Result<(), DbError> {
    let places = write.places_of_version(file.fid, file.version)?;
    let Some(blob) = places.last() else {
        return Ok(());
    };
    match retired_name(blob) {
        Some(target) => write.intend(permitted, file.fid, blob, Some(&target)),
        None => Ok(()),
    }
}

/// The current bytes of a file are to come back into the public tree.
pub fn revive<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    blobs: &Blobs,
    file: &FileRecord,
) -> Result<(), DbError> {
    let places = write.places_of_version(file.fid, file.version)?;
    let Some(blob) = places.last() else {
        return Ok(());
    };
    match blobs.revived_name(blob, &file.uri, file.version) {
        Some(target) => write.intend(permitted, file.fid, blob, Some(&target)),
        None => Ok(()),
    }
}

/// The bytes of every version of a file are to go for good.
pub fn erase<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    file: &FileRecord,
) -> Result<(), DbError> {
    for version in 1..=file.version {
        if let Some(blob) = write.places_of_version(file.fid, version)?.last() {
            write.intend(permitted, file.fid, blob, None)?;
        }
    }
    Ok(())
}

/// Carries out what is intended, in order. What the disk refuses now stays intended, and so does
/// everything while bytes have to stay; they can be read where they are.
pub async fn carry_out(db: &Db, blobs: &Blobs) -> Result<(), DbError> {
    const BATCH: u32 = 200;
    let Some(_relocating) = blobs.relocating().await else {
        return Ok(());
    };
    // The moves that the disk refused, by the name that the bytes would have.
    let (mut after, mut stuck): (_, HashMap<String, Vec<BlobIntent>>) = (0, HashMap::new());
    loop {
        let intents = db
            .read(move |read| read.blob_intents_after(after, BATCH))
            .await?;
        let Some(last) = intents.last() else {
            return Ok(());
        };
        after = last.id;
        let mut outcomes = Vec::with_capacity(intents.len());
        for intent in intents {
            let mut moves = stuck.remove(&intent.blob).unwrap_or_default();
            let outcome = match intent.target {
                Some(_) if !moves.is_empty() => None,
                Some(_) => attempt(blobs, &intent).await,
                None => erase_moved(blobs, &moves, &intent).await,
            };
            if let Some(done) = outcome {
                outcomes.extend(moves.into_iter().map(|moved| (moved, true)));
                outcomes.push((intent, done));
            } else if let Some(target) = intent.target.clone() {
                moves.push(intent);
                stuck.insert(target, moves);
            }
        }
        db.write(move |write| note(write, &outcomes)).await?;
    }
}

/// As `carry_out`, for a request whose change is already committed: it has done its part.
pub async fn follow(db: &Db, blobs: &Blobs) {
    let (db, blobs) = (db.clone(), blobs.clone());
    // Goes on to the end even if the one who waits for it goes away.
    let work = tokio::spawn(async move {
        let outcome = carry_out(&db, &blobs).await;
        blobs.fill_reserve().await;
        outcome
    });
    if let Ok(Err(error)) = work.await {
        tracing::error!(%error, "bytes stay where they are until the next start");
    }
}

/// Removes bytes, also by the names that they still have: what goes for good needs no room for another name before.
async fn erase_moved(blobs: &Blobs, moves: &[BlobIntent], erasure: &BlobIntent) -> Option<bool> {
    for moved in moves {
        let last = BlobIntent {
            target: None,
            ..moved.clone()
        };
        attempt(blobs, &last).await?;
    }
    attempt(blobs, erasure).await
}

/// Whether the intent was carried out, or, when the bytes are lost, given up; `None`: try again.
async fn attempt(blobs: &Blobs, intent: &BlobIntent) -> Option<bool> {
    let outcome = loop {
        let outcome = match &intent.target {
            Some(target) => blobs.move_blob(&intent.blob, target).await,
            None => blobs.erase(&intent.blob).await,
        };
        let lacks_space = matches!(&outcome, Err(error) if DiskFault::of(error) == DiskFault::Full);
        // What is on its way to be removed may lie behind this.
        if !lacks_space || !blobs.release_reserve().await {
            break outcome;
        }
    };
    faults::point("relocated");
    match outcome {
        Ok(()) => Some(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            tracing::error!(blob = intent.blob, "stored bytes are missing");
            Some(false)
        }
        Err(error) => {
            tracing::error!(%error, blob = intent.blob, "stored bytes cannot be moved");
            None
        }
    }
}

fn note(write: &mut Write<'_>, outcomes: &[(BlobIntent, bool)]) -> Result<(), DbError> {
    for (intent, done) in outcomes {
        match done {
            true => write.intent_is_done(intent)?,
            false => write.give_up_intent(intent.id)?,
        }
    }
    Ok(())
}

/// Does something with the bytes of a file's version, wherever they are on their way.
///
/// # Errors
/// `NotFound` when they are lost; what else `take` meets.
pub async fn wherever<T, F, Fut>(db: &Db, file: &FileRecord, take: F) -> io::Result<T>
where
    F: Fn(String) -> Fut,
    Fut: Future<Output = io::Result<T>>,
{
    /// More moves than a reader can meet between a look at the row and one at the disk.
    const ROUNDS: usize = 3;
    let mut outcome = take(file.blob.clone()).await;
    let (fid, version) = (file.fid, file.version);
    for _ in 0..ROUNDS {
        let places = match &outcome {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                db.read(move |read| read.places_of_version(fid, version))
            }
            _ => return outcome,
        };
        let places: Result<Vec<String>, DbError> = places.await;
        for place in places.map_err(io::Error::other)? {
            outcome = take(place).await;
            if outcome.is_ok() {
                return outcome;
            }
        }
    }
    outcome
}

/// Opens the bytes of a file's version, wherever they are on their way.
///
/// # Errors
/// As `wherever`.
pub async fn open_wherever(repository: &Repository, file: &FileRecord) -> io::Result<OpenBlob> {
    let blobs = &repository.blobs;
    let open = |blob: String| async move { blobs.open_blob(&blob).await };
    wherever(&repository.db, file, open).await
}
