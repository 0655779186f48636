//! Retries the ingest of failed files.

use std::sync::Arc;

use super::now;
use super::rule_validation::folder_of;
use isolario_core::actions::Refusal;
use isolario_core::repository::Repository;
use isolario_model::content::{WatchState, WatchedFile};
use isolario_model::watch_rule::Rule;

/// Moves a failed file back to its path, and lets it settle again.
///
/// # Errors
/// `Conflict` with a sentence when it has not failed, is gone, or another file has its path.
pub async fn retry(
    repository: &Arc<Repository>,
    rule: Rule,
    mut file: WatchedFile,
) -> Result<(), Refusal> {
    if file.state != WatchState::Failed {
        return Err(Refusal::Conflict(format!("{} has not failed.", file.path)));
    }
    let (path, moved_to) = (file.path.clone(), file.moved_to.take());
    let wait = rule.settle_time();
    let owner = repository.clone();
    let back =
        tokio::task::spawn_blocking(move || put_back(&owner, &rule, &path, moved_to.as_deref()));
    back.await
        .map_err(|error| Refusal::Storage(error.to_string()))??;
    let now = now();
    (file.state, file.reason, file.untidy, file.attempts) = (WatchState::Seen, None, false, 0);
    (file.since, file.due, file.changed) = (now, now + wait, now);
    repository
        .db
        .write(move |write| write.update_watched_file(&file))
        .await?;
    Ok(())
}

fn put_back(
    repository: &Repository,
    rule: &Rule,
    path: &str,
    moved_to: Option<&str>,
) -> Result<(), Refusal> {
    let refused =
        |error: std::io::Error| Refusal::Conflict(format!("{path} cannot be put back: {error}."));
    let folder = folder_of(repository, rule).map_err(refused)?;
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
