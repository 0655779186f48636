//! Makes the tiles of a picture while somebody waits for them.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::digest;
use bytes::Bytes;
use tokio::time::timeout;

use super::make::{DerivativeError, DerivativeResult, produce};
use super::may_derive;
use super::process::FilePart;
use crate::repository::Repository;
use isolario_derive::{Kind, has_pages, is_picture};
use isolario_disk::faults;
use isolario_model::content::{FileRecord, PictureAdjustment};

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

/// The picture of a file or of one of its pages, as it is or adjusted.
#[derive(Debug, Clone)]
pub struct TiledPicture {
    pub file: FileRecord,
    pub adjustment: Option<PictureAdjustment>,
    /// From 1 on; none for the first.
    pub page: Option<usize>,
}

impl TiledPicture {
    /// The digest that its tiles are kept by: that of the bytes, where nothing is adjusted and no other page than the
    /// first is asked for.
    pub fn digest(&self) -> String {
        let mut text = self.file.sha512.clone();
        if let Some(adjustment) = self.adjustment {
            text.push_str(&format!(" {adjustment}"));
        }
        if let Some(page) = self.page.filter(|page| *page > 1) {
            text.push_str(&format!(" page {page}"));
        }
        match text == self.file.sha512 {
            true => text,
            false => hex::encode(digest::digest(&digest::SHA512, text.as_bytes())),
        }
    }
}

/// The tiles of a picture. Where there are none yet, it begins to make them, and waits no longer than `patience`.
///
/// # Errors
/// What the disk refuses.
pub async fn tiles(
    repository: &Arc<Repository>,
    picture: TiledPicture,
    patience: Duration,
) -> io::Result<Tiles> {
    let digest = picture.digest();
    if let Some(info) = repository.blobs.tile_info(&digest).await? {
        return Ok(Tiles::Made(info));
    }
    if !may_derive(repository) {
        return Ok(Tiles::Refused("Derivatives are switched off.".into()));
    }
    let mime = &picture.file.mime;
    if !is_picture(mime) && !has_pages(mime) {
        let words = "Only pictures and pages are cut into tiles.";
        return Ok(Tiles::Refused(words.into()));
    }
    let job = repository.tile_jobs.join(&digest, |sender| {
        let repository = repository.clone();
        tokio::spawn(async move {
            let closing = repository.closing.cancelled();
            let made = tokio::select! {
                made = make(&repository, &picture) => made,
                () = closing => Err(DerivativeError::Hindered("The program is closing.".into())),
            };
            // Of what the file is to blame for, another try is of no use.
            if matches!(made, Ok(()) | Err(DerivativeError::Hindered(_))) {
                repository.tile_jobs.forget(&picture.digest());
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
            let info = repository.blobs.tile_info(&digest).await?;
            Ok(info.map_or(Tiles::Waiting, Tiles::Made))
        }
    }
}

async fn make(repository: &Arc<Repository>, picture: &TiledPicture) -> Result<(), DerivativeError> {
    let turn = repository.tile_jobs.turn.acquire().await;
    let _turn = turn.map_err(|error| DerivativeError::Hindered(error.to_string()))?;
    let part = FilePart {
        adjustment: picture.adjustment.map(|one| one.to_string()),
        page: picture.page,
    };
    let kind = Kind::Tiles.as_str();
    match produce(repository, kind, &picture.file, part).await {
        Ok(DerivativeResult::Staged(tiles, _)) => {
            faults::point("tiled");
            let kept = repository.blobs.keep_tiles(&picture.digest(), tiles).await;
            kept.map_err(|error| DerivativeError::Hindered(error.to_string()))
        }
        Ok(DerivativeResult::Facts(_)) => Err(DerivativeError::Gone),
        Err(error) => Err(error),
    }
}
