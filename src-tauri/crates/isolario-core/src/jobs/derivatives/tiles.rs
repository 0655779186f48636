//! Makes the tiles of a picture while somebody waits for them.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::timeout;

use super::make::{DerivativeError, DerivativeResult, produce};
use super::may_derive;
use crate::repository::Repository;
use isolario_derive::{Kind, kinds_for};
use isolario_model::content::FileRecord;

/// Whether there are tiles of a picture.
#[derive(Debug, PartialEq, Eq)]
pub enum Tiles {
    /// They are there, and say this of themselves.
    Made(Bytes),
    /// They are being made.
    Waiting,
    /// There are none, for this reason.
    Refused(String),
}

/// The tiles of a picture. Where there are none yet, it begins to make them, and waits no longer than `patience`.
///
/// # Errors
/// What the disk refuses.
pub async fn tiles(
    repository: &Arc<Repository>,
    file: FileRecord,
    patience: Duration,
) -> io::Result<Tiles> {
    let sha512 = file.sha512.clone();
    if let Some(info) = repository.blobs.tile_info(&sha512).await? {
        return Ok(Tiles::Made(info));
    }
    if !may_derive(repository) {
        return Ok(Tiles::Refused("Derivatives are switched off.".into()));
    }
    if !kinds_for(&file.mime).contains(&Kind::Service) || file.mime.starts_with("video/") {
        return Ok(Tiles::Refused("Only pictures are cut into tiles.".into()));
    }
    let job = repository.tile_jobs.join(&sha512, |sender| {
        let repository = repository.clone();
        tokio::spawn(async move {
            let closing = repository.closing.cancelled();
            let made = tokio::select! {
                made = make(&repository, &file) => made,
                () = closing => Err(DerivativeError::Hindered("The program is closing.".into())),
            };
            // Of what the file is to blame for, another try is of no use.
            if matches!(made, Ok(()) | Err(DerivativeError::Hindered(_))) {
                repository.tile_jobs.forget(&file.sha512);
            }
            sender.send_replace(Some(made.map_err(DerivativeError::into_words)));
        });
    });
    let Some(mut job) = job else {
        return Ok(Tiles::Waiting);
    };
    let outcome = match timeout(patience, job.wait_for(Option::is_some)).await {
        Ok(Ok(outcome)) => outcome.clone(),
        Ok(Err(_)) | Err(_) => None,
    };
    match outcome {
        None => Ok(Tiles::Waiting),
        Some(Err(words)) => Ok(Tiles::Refused(words)),
        Some(Ok(())) => {
            let info = repository.blobs.tile_info(&sha512).await?;
            Ok(info.map_or(Tiles::Waiting, Tiles::Made))
        }
    }
}

async fn make(repository: &Arc<Repository>, file: &FileRecord) -> Result<(), DerivativeError> {
    let turn = repository.tile_jobs.turn.acquire().await;
    let _turn = turn.map_err(|error| DerivativeError::Hindered(error.to_string()))?;
    match produce(repository, Kind::Tiles.as_str(), file).await {
        Ok(DerivativeResult::Staged(tiles, _)) => {
            let kept = repository.blobs.keep_tiles(&file.sha512, tiles).await;
            kept.map_err(|error| DerivativeError::Hindered(error.to_string()))
        }
        Ok(DerivativeResult::Facts(_)) => Err(DerivativeError::Gone),
        Err(error) => Err(error),
    }
}
