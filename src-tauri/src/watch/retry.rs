//! Another turn for files that could not be taken.

use super::folder::Folder;
use super::{Rule, now};
use crate::actions::Refusal;
use crate::content::{WatchState, WatchedFile};
use crate::db::Db;

/// Puts a file that has failed back where it lay, and lets it settle again.
///
/// # Errors
/// `Conflict` with a sentence when it has not failed, is gone, or another lies in its place.
pub async fn retry(db: &Db, rule: Rule, mut file: WatchedFile) -> Result<(), Refusal> {
    if file.state != WatchState::Failed {
        return Err(Refusal::Conflict(format!("{} has not failed.", file.path)));
    }
    let (path, moved_to) = (file.path.clone(), file.moved_to.take());
    let wait = rule.settle_time();
    let back = tokio::task::spawn_blocking(move || put_back(&rule, &path, moved_to.as_deref()));
    back.await
        .map_err(|error| Refusal::Storage(error.to_string()))??;
    let now = now();
    (file.state, file.reason, file.untidy, file.attempts) = (WatchState::Seen, None, false, 0);
    (file.since, file.due, file.changed) = (now, now + wait, now);
    db.write(move |write| write.update_watched_file(&file))
        .await?;
    Ok(())
}

fn put_back(rule: &Rule, path: &str, moved_to: Option<&str>) -> Result<(), Refusal> {
    let refused =
        |error: std::io::Error| Refusal::Conflict(format!("{path} cannot be put back: {error}."));
    let folder = Folder::find(&rule.path).map_err(refused)?;
    if let Some(from) = moved_to {
        folder.make_way(path).map_err(refused)?;
        folder.rename(from, path).map_err(refused)?;
        folder.forget_explanation(from);
    }
    match folder.look(path).map_err(refused)? {
        Some(_) => Ok(()),
        None => Err(Refusal::Conflict(format!(
            "{path} is not in the folder any more."
        ))),
    }
}
