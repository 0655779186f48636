//! Moves the bytes of all files from the disk into the bucket of the configuration, or back, while the repository goes
//! on. The bytes of a file are put where they go and read back there. Then its rows name them, and the former ones are
//! removed. What was broken off goes on when it is asked for again.

mod file_move;

use std::sync::Arc;

use futures_util::{StreamExt, stream};

use super::{Refusal, relocate};
use crate::repository::{Repository, make_records_due};
use file_move::{FileMove, move_file};
use isolario_blobs::IN_BUCKET;
use isolario_db::DbError;
use isolario_model::policy::{Actor, permit_server};

pub use isolario_blobs::Destination;

/// Files that are moved at the same time.
const AT_ONCE: usize = 4;
/// Files that are looked up at the same time.
const PAGE: u32 = 64;
/// Faults that are told in words.
const MOST_TOLD: usize = 20;

/// What came of moving bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MoveReport {
    /// Versions of files that were moved, and their bytes.
    pub versions: u64,
    pub bytes: u64,
    /// Versions that are still where they were.
    pub left: u64,
    /// Why some are, a sentence for each file.
    pub faults: Vec<String>,
    /// Why it ended early.
    pub stopped: Option<String>,
    /// Whether the repository needs its bucket no longer.
    pub is_given_up: bool,
}

/// Moves all bytes that are not at the destination, and lets new ones go there.
///
/// # Errors
/// `Denied`; `Conflict` where bytes are moved already, or in words what is wrong with the bucket; what the database or
/// the store refuses before anything is moved.
pub async fn move_bytes(
    repository: &Arc<Repository>,
    actor: &Actor,
    destination: Destination,
    say: &(dyn Fn(String) + Send + Sync),
) -> Result<MoveReport, Refusal> {
    permit_server(actor)?;
    let Ok(_turn) = repository.moving_bytes.try_lock() else {
        return Err(Refusal::Conflict("Bytes are being moved already.".into()));
    };
    direct_new_bytes(repository, destination).await?;
    let mut report = MoveReport::default();
    let total = left(repository, destination).await?;
    loop {
        // What somebody else was changing is tried again, for as long as anything moves.
        let tell = |report: &MoveReport| say(progress(report, total));
        let has_moved = pass(repository, actor, destination, &mut report, &tell).await?;
        relocate::follow(&repository.db, &repository.blobs).await;
        if report.stopped.is_some() || !has_moved {
            break;
        }
    }
    (report.left, _) = left(repository, destination).await?;
    if destination == Destination::Disk && report.left == 0 && report.stopped.is_none() {
        report.is_given_up = give_up(repository).await?;
    }
    Ok(report)
}

/// Versions that are not at the destination, and their bytes.
async fn left(repository: &Repository, destination: Destination) -> Result<(u64, u64), DbError> {
    let are_in_bucket = destination == Destination::Disk;
    let total = move |read: &isolario_db::Read<'_>| read.total_of_blobs(IN_BUCKET, are_in_bucket);
    repository.db.read(total).await
}

async fn direct_new_bytes(
    repository: &Repository,
    destination: Destination,
) -> Result<(), Refusal> {
    let directed = match destination {
        Destination::Disk => repository.blobs.leave_bucket().await,
        Destination::Bucket => {
            let prepare = async || make_records_due(&repository.db).await;
            repository.blobs.enter_bucket(prepare).await
        }
    };
    directed.map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidInput => Refusal::Conflict(format!("{error}.")),
        _ => Refusal::disk(&error),
    })
}

/// Moves each file once that has bytes elsewhere. Says whether any was moved.
async fn pass(
    repository: &Arc<Repository>,
    actor: &Actor,
    destination: Destination,
    report: &mut MoveReport,
    tell: &(dyn Fn(&MoveReport) + Send + Sync),
) -> Result<bool, Refusal> {
    let (are_in_bucket, mut after, mut has_moved) = (destination == Destination::Disk, 0, false);
    report.faults.clear();
    loop {
        let page = repository
            .db
            .read(move |read| read.files_with_blobs(after, IN_BUCKET, are_in_bucket, PAGE))
            .await?;
        let Some(last) = page.last() else {
            return Ok(has_moved);
        };
        after = *last;
        let moves = stream::iter(page).map(|fid| {
            let (repository, actor) = (repository.clone(), actor.clone());
            // It goes on to its end even if nobody waits for it any more.
            tokio::spawn(async move { move_file(&repository, &actor, fid, destination).await })
        });
        let mut moves = moves.buffer_unordered(AT_ONCE);
        while let Some(outcome) = moves.next().await {
            let outcome = outcome.map_err(|error| Refusal::Storage(error.to_string()))?;
            has_moved |= report.add(outcome);
            tell(report);
            if repository.closing.is_cancelled() {
                report.stopped = Some("The program was closed.".into());
            }
            if report.stopped.is_some() {
                return Ok(has_moved);
            }
        }
        relocate::follow(&repository.db, &repository.blobs).await;
    }
}

impl MoveReport {
    /// Adds what came of a file. Says whether it was moved.
    fn add(&mut self, outcome: Result<FileMove, Refusal>) -> bool {
        match outcome {
            Ok(FileMove::Moved { versions, bytes }) => {
                self.versions += versions;
                self.bytes += bytes;
                return true;
            }
            Ok(FileMove::Joined) => return true,
            Ok(FileMove::Busy) => {}
            Ok(FileMove::Fault(words)) if self.faults.len() < MOST_TOLD => self.faults.push(words),
            Ok(FileMove::Fault(_)) => {}
            Err(refusal) => self.stopped = Some(refusal.to_string()),
        }
        false
    }
}

fn progress(report: &MoveReport, (versions, bytes): (u64, u64)) -> String {
    format!(
        "{} of {versions} versions of files, {} of {} MB",
        report.versions,
        report.bytes / 1_000_000,
        bytes / 1_000_000
    )
}

/// Gives the bucket up, unless something is still there.
async fn give_up(repository: &Repository) -> Result<bool, Refusal> {
    let is_unused = async || {
        let is_used = repository.db.read(|read| -> Result<bool, DbError> {
            let (versions, _) = read.total_of_blobs(IN_BUCKET, true)?;
            Ok(versions > 0 || read.is_to_be_removed(IN_BUCKET)?)
        });
        let is_used = is_used.await;
        is_used
            .map(|is_used| !is_used)
            .map_err(|error| std::io::Error::other(error.to_string()))
    };
    let given_up = repository.blobs.give_up_bucket(is_unused).await;
    given_up.map_err(|error| Refusal::disk(&error))
}
