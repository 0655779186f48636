//! Moves the bytes of one file.

use std::io;
use std::sync::Arc;

use uuid::Uuid;

use crate::actions::Refusal;
use crate::actions::ingest::signature;
use crate::repository::Repository;
use isolario_blobs::{
    BlobLocation, Blobs, Deposit, Destination, FileDigest, PlacedBlob, StagedBlob, retired_name,
};
use isolario_db::{DbError, INVENTORY, Read, StoredVersion, Write};
use isolario_disk::disk_fault::DiskFault;
use isolario_disk::faults;
use isolario_model::content::FileUri;
use isolario_model::content::file_url;
use isolario_model::content::record::{FileHistory, FileVersion};
use isolario_model::policy::{Actor, permit_server};

/// What came of moving a file.
pub(super) enum FileMove {
    Moved {
        versions: u64,
        bytes: u64,
    },
    /// Its versions lay in two places. They are together now, and can be moved.
    Joined,
    /// Somebody else is changing it.
    Busy,
    /// Its bytes stay where they are, and this sentence says why.
    Fault(String),
}

/// Why a file was not moved.
enum Stop {
    Busy,
    Fault(io::Error),
    Refused(Refusal),
}

impl From<DbError> for Stop {
    fn from(error: DbError) -> Stop {
        Stop::Refused(error.into())
    }
}

impl From<io::Error> for Stop {
    /// What concerns this file alone, or all of them.
    fn from(error: io::Error) -> Stop {
        match DiskFault::of(&error) {
            DiskFault::Vanished(_) | DiskFault::Damaged(_) | DiskFault::Other(_) => {
                Stop::Fault(error)
            }
            _ => Stop::Refused(Refusal::disk(&error)),
        }
    }
}

/// The versions of a file that are moved, and where they go.
struct Plan {
    file: FileHistory,
    uri: FileUri,
    uuid: Uuid,
    versions: Vec<(StoredVersion, Deposit)>,
    destination: Destination,
}

/// Moves the versions of a file that are not at the destination.
///
/// # Errors
/// What concerns all files: the disk, the store, the database.
pub(super) async fn move_file(
    repository: &Arc<Repository>,
    actor: &Actor,
    fid: i64,
    destination: Destination,
) -> Result<FileMove, Refusal> {
    let plan = repository
        .db
        .read(move |read| plan(read, fid, destination))
        .await?;
    let Some(plan) = plan else {
        return Ok(FileMove::Busy);
    };
    let (versions, label) = (plan.versions.clone(), plan.file.filename.clone());
    let is_joining = plan.destination != destination;
    match carry_out(repository, actor, plan).await {
        Ok(()) if is_joining => Ok(FileMove::Joined),
        Ok(()) => Ok(FileMove::Moved {
            versions: versions.len() as u64,
            bytes: versions.iter().map(|(version, _)| version.size).sum(),
        }),
        Err(Stop::Busy) => Ok(FileMove::Busy),
        Err(Stop::Fault(error)) => Ok(FileMove::Fault(format!("File {fid}, {label}: {error}."))),
        Err(Stop::Refused(refusal)) => Err(refusal),
    }
}

/// Plans the move of a file; `None` while its bytes are on their way elsewhere.
fn plan(read: &Read<'_>, fid: i64, destination: Destination) -> Result<Option<Plan>, DbError> {
    let Some(file) = read.file_history(fid)? else {
        return Ok(None);
    };
    let (Some(uri), Ok(uuid)) = (FileUri::parse(&file.uri), Uuid::parse_str(&file.uuid)) else {
        return Ok(None);
    };
    // An object begins with its first version, so one that would not is made whole on the disk.
    let has_object = |version: &FileVersion| Blobs::object_in_bucket(&version.blob).is_some();
    let destination = match file.versions.iter().any(has_object) {
        true => Destination::Disk,
        false => destination,
    };
    let object = match destination {
        Destination::Disk => format!("ocfl/{uuid}/"),
        Destination::Bucket => format!("bucket/ocfl/{uuid}/"),
    };
    if read.is_to_be_removed(&object)? {
        return Ok(None);
    }
    let mut versions = Vec::new();
    for version in &file.versions {
        if read.places_of_version(fid, version.version)?.len() > 1 {
            return Ok(None);
        }
        if Blobs::is_in_bucket(&version.blob) != (destination == Destination::Disk) {
            continue;
        }
        let stored = StoredVersion {
            fid,
            version: version.version,
            blob: version.blob.clone(),
            size: version.size,
            sha512: version.sha512.clone(),
        };
        let location = BlobLocation {
            uuid,
            uri: uri.clone(),
            version: version.version,
            replaced: None,
        };
        let deposit = Deposit {
            location,
            signature: signature(read, version.version, version.author, version.made)?,
        };
        versions.push((stored, deposit));
    }
    Ok(Some(Plan {
        file,
        uri,
        uuid,
        versions,
        destination,
    }))
}

async fn carry_out(repository: &Arc<Repository>, actor: &Actor, plan: Plan) -> Result<(), Stop> {
    let blobs = &repository.blobs;
    let mut staged = Vec::new();
    for (version, deposit) in &plan.versions {
        staged.push((stage(repository, version).await?, deposit.clone()));
    }
    let placed = blobs.place_versions(staged, plan.destination).await?;
    faults::point("placed");
    if let Err(error) = read_back(blobs, &placed, &plan).await {
        blobs.discard_versions(placed).await;
        return Err(error.into());
    }
    let names: Vec<String> = placed.iter().map(|placed| placed.blob.clone()).collect();
    let actor = actor.clone();
    let written = repository
        .db
        .write(move |write| commit(write, &actor, &plan, &names))
        .await;
    faults::point("committed");
    match written {
        Ok(true) => {
            for one in placed {
                blobs.settle_moved(one).await;
            }
            Ok(())
        }
        Ok(false) => {
            blobs.discard_versions(placed).await;
            Err(Stop::Busy)
        }
        // The next start finds out whether the commit is on disk.
        Err(refusal @ Refusal::Database(DbError::Uncertain(_) | DbError::Closed)) => {
            Err(Stop::Refused(refusal))
        }
        Err(refusal) => {
            blobs.discard_versions(placed).await;
            Err(Stop::Refused(refusal))
        }
    }
}

/// Stages the bytes of a version, and compares them with their checksum.
async fn stage(repository: &Repository, version: &StoredVersion) -> Result<StagedBlob, Stop> {
    let staged = repository
        .blobs
        .stage_again(&version.blob, &version.sha512, &[])
        .await;
    match staged {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let version = version.clone();
            let is_there = repository.db.read(move |read| read.version_is_at(&version));
            match is_there.await? {
                true => Err(error.into()),
                false => Err(Stop::Busy),
            }
        }
        staged => Ok(staged?),
    }
}

/// Reads placed bytes and compares them with their checksums.
async fn read_back(blobs: &Blobs, placed: &[PlacedBlob], plan: &Plan) -> io::Result<()> {
    for (placed, (version, _)) in placed.iter().zip(&plan.versions) {
        let known = FileDigest {
            size: version.size,
            sha512: version.sha512.clone(),
        };
        if blobs.digest(&placed.blob).await? != known {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "what was put cannot be read back unchanged",
            ));
        }
    }
    Ok(())
}

/// Gives the versions of a file the names of their new blobs. Says false if somebody else has changed the file.
fn commit(
    write: &mut Write<'_>,
    actor: &Actor,
    plan: &Plan,
    names: &[String],
) -> Result<bool, Refusal> {
    let permitted = permit_server(actor)?;
    let Some(file) = write.file_history(plan.file.fid)? else {
        return Ok(false);
    };
    if file.versions != plan.file.versions || file.deleted != plan.file.deleted {
        return Ok(false);
    }
    for ((version, _), blob) in plan.versions.iter().zip(names) {
        if write.places_of_version(version.fid, version.version)?.len() > 1 {
            return Ok(false);
        }
        // The bytes of a deleted file leave the public tree.
        let is_retired = file.deleted.is_some() && version.version == file.version;
        let next = is_retired.then(|| retired_name(blob)).flatten();
        write.move_version(&permitted, version, blob, next.as_deref())?;
    }
    let is_object = plan.uri.scheme != file_url::PUBLIC;
    if is_object && plan.destination == Destination::Bucket {
        write.add_job(INVENTORY, &plan.uuid.to_string())?;
    }
    Ok(true)
}
