//! What administrators ask of the care for stored bytes: a check now, a backup now.

use std::path::PathBuf;
use std::sync::Arc;

use super::Refusal;
use crate::auth::{Actor, may_run_server};
use crate::backup;
use crate::repository::Repository;

/// Verifies all stored bytes now, as fast as the configuration lets it.
///
/// # Errors
/// `Refusal::Denied`; `Refusal::Conflict` where the configuration wants no audit.
pub fn check_now(repository: &Repository, actor: &Actor) -> Result<(), Refusal> {
    may_run_server(actor)?;
    if !repository.config.fixity.enabled {
        return Err(Refusal::Conflict(
            "The verification of stored bytes is switched off in config.toml.".into(),
        ));
    }
    repository.audit.check_now();
    Ok(())
}

/// Begins a backup: into a folder, or without one into that of the schedule, else into that of the latest backup.
///
/// # Errors
/// `Refusal::Denied`; `Refusal::Invalid` where no folder is known, or it is no path from the root on;
/// `Refusal::Conflict` while another one is under way.
pub async fn back_up_now(
    repository: &Arc<Repository>,
    actor: &Actor,
    folder: Option<PathBuf>,
) -> Result<(), Refusal> {
    may_run_server(actor)?;
    let folder = match folder.or_else(|| repository.config.backup.directory.clone()) {
        Some(folder) => Some(folder),
        None => latest_folder(repository).await?,
    };
    let folder = folder.ok_or_else(|| {
        Refusal::Invalid(
            "No backup was made yet: name the folder that this one is to be made in.".into(),
        )
    })?;
    if !folder.is_absolute() {
        return Err(Refusal::Invalid(
            "The folder must be a path from the root on.".into(),
        ));
    }
    match backup::begin(repository, folder) {
        true => Ok(()),
        false => Err(Refusal::Conflict("A backup is being made.".into())),
    }
}

async fn latest_folder(repository: &Repository) -> Result<Option<PathBuf>, Refusal> {
    let state = backup::state(&repository.db, None).await?;
    Ok(state.last_made.or(state.last).map(|run| run.folder.into()))
}
