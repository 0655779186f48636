//! Removes expired uploads, and what a crash left of them.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use super::{LIFETIME, forget};
use crate::actions::Refusal;
use crate::repository::Repository;
use isolario_blobs::Blobs;
use isolario_db::{Db, DbError, Write};

/// How often expired uploads are removed.
pub const EVERY: Duration = Duration::from_secs(60 * 60);

/// Removes expired uploads at the start and every hour, until the program closes.
pub async fn expire_now_and_then(repository: Arc<Repository>) {
    loop {
        let now = chrono::Utc::now().timestamp();
        // Other uploads may have freed space since.
        repository.blobs.fill_reserve().await;
        match expire(&repository, now - LIFETIME).await {
            Ok(0) => {}
            Ok(expired) => tracing::info!(expired, "uploads that nobody went on with were removed"),
            Err(error) => tracing::error!(%error, "expired uploads could not be removed"),
        }
        tokio::select! {
            () = repository.closing.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

/// Removes the uploads that nobody has continued since a time (Unix seconds). Returns how many.
async fn expire(repository: &Repository, since: i64) -> Result<usize, Refusal> {
    let expired = repository
        .db
        .read(move |read| read.uploads_untouched_since(since));
    let mut removed = 0;
    for id in expired.await? {
        let Some(_turn) = repository.uploading.take_if_free(id) else {
            continue;
        };
        // Somebody may have gone on with it since it was found.
        let upload = repository.db.read(move |read| read.upload(id)).await?;
        if upload.is_some_and(|upload| upload.touched < since) {
            forget(repository, id).await?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Removes expired uploads. Also removes what a crash left: bytes without the row of an unfinished upload, and such
/// rows without bytes. It must run before the first upload of a run. Returns how many it removed.
///
/// # Errors
/// What the disk or the database refuses.
pub async fn clear_up(blobs: &Blobs, db: &Db) -> Result<usize, Refusal> {
    let since = chrono::Utc::now().timestamp() - LIFETIME;
    let expired = db
        .read(move |read| read.uploads_untouched_since(since))
        .await?;
    let mut swept = delete(db, expired).await?;
    let unfinished = db.read(|read| read.unfinished_uploads()).await?;
    let unfinished: HashSet<Uuid> = unfinished.into_iter().map(|upload| upload.id).collect();
    let there: HashSet<Uuid> = blobs
        .partials()
        .await
        .map_err(|error| Refusal::disk(&error))?
        .into_iter()
        .collect();
    for id in there.difference(&unfinished) {
        blobs
            .remove_partial(*id)
            .await
            .map_err(|error| Refusal::disk(&error))?;
        swept += 1;
    }
    let mut lost = Vec::new();
    for id in unfinished.difference(&there).copied() {
        // What a bucket has is fetched when somebody goes on with it.
        let pieces = db.read(move |read| read.upload_pieces(id)).await?;
        if pieces.is_empty() {
            lost.push(id);
        }
    }
    swept += blobs.remove_pieces_but_of(&unfinished).await;
    Ok(swept + delete(db, lost).await?)
}

/// Deletes rows. Returns how many.
async fn delete(db: &Db, ids: Vec<Uuid>) -> Result<usize, DbError> {
    let count = ids.len();
    if count > 0 {
        let delete =
            move |write: &mut Write<'_>| ids.into_iter().try_for_each(|id| write.delete_upload(id));
        db.write(delete).await?;
    }
    Ok(count)
}
