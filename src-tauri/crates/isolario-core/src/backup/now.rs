//! A requested backup while the program serves.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::history::{back_up_and_note, state};
use crate::actions::Refusal;
use crate::repository::Repository;
use isolario_config::allowed_folders::{FolderUse, overlap, resolved};
use isolario_model::policy::{Actor, may_run_server};

/// A backup in progress.
#[derive(Debug, Clone)]
pub struct RunningBackup {
    pub folder: PathBuf,
    /// Unix seconds.
    pub began: i64,
    /// How far it is, in words; empty at first.
    pub words: String,
}

/// At most one backup is made at a time on demand.
pub struct BackupNow {
    repository: Arc<Repository>,
    running: Mutex<Option<RunningBackup>>,
}

impl BackupNow {
    /// None is under way.
    pub fn new(repository: Arc<Repository>) -> BackupNow {
        BackupNow {
            repository,
            running: Mutex::default(),
        }
    }

    /// The backup under way.
    pub fn running(&self) -> Option<RunningBackup> {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<RunningBackup>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves the only place. Returns false while a backup is in progress.
    fn take_turn(&self, folder: &Path) -> bool {
        let mut running = self.lock();
        if running.is_some() {
            return false;
        }
        *running = Some(RunningBackup {
            folder: folder.to_owned(),
            began: chrono::Utc::now().timestamp(),
            words: String::new(),
        });
        true
    }

    fn tell(&self, words: String) {
        if let Some(running) = self.lock().as_mut() {
            running.words = words;
        }
    }

    fn end(&self) {
        *self.lock() = None;
    }
}

/// Begins a backup in the background. Returns false while another one is in progress. Its outcome goes to the history,
/// as that of every backup.
fn begin(backups: &Arc<BackupNow>, folder: PathBuf) -> bool {
    if !backups.take_turn(&folder) {
        return false;
    }
    let backups = backups.clone();
    tokio::spawn(async move {
        let told = backups.clone();
        let progress = Arc::new(move |words| told.tell(words));
        let closing = backups.repository.closing.clone();
        tokio::select! {
            () = closing.cancelled() => {}
            // What went wrong is noted there.
            _ = back_up_and_note(&backups.repository, &folder, false, progress) => {}
        }
        backups.end();
    });
    true
}

/// Begins a backup: into a folder, or without one into that of the schedule, else into that of the latest backup.
///
/// # Errors
/// `Refusal::Denied`; `Refusal::Invalid` where no folder is known, or it is not allowed; `Refusal::Conflict` while
/// another one is under way.
pub async fn back_up_now(
    backups: &Arc<BackupNow>,
    actor: &Actor,
    folder: Option<PathBuf>,
) -> Result<(), Refusal> {
    may_run_server(actor)?;
    let repository = &backups.repository;
    let state = state(&repository.db, None).await?;
    let known = repository.config.backup.directory.clone();
    let known = known.or(state.last_made.map(|run| run.folder.into()));
    let failed = || state.last.map(|run| PathBuf::from(run.folder));
    let folder = folder.or_else(|| known.clone()).or_else(failed);
    let folder = folder.ok_or_else(|| {
        Refusal::Invalid(
            "No backup was made yet: name the folder that this one is to be made in.".into(),
        )
    })?;
    let folder = match known.as_ref() == Some(&folder) {
        true => folder,
        false => allowed(repository, &folder)?,
    };
    match begin(backups, folder) {
        true => Ok(()),
        false => Err(Refusal::Conflict("A backup is being made.".into())),
    }
}

/// The path of a folder that an HTTP request names for a backup.
fn allowed(repository: &Repository, folder: &Path) -> Result<PathBuf, Refusal> {
    if !folder.is_absolute() {
        return Err(Refusal::Invalid("The folder must be a full path.".into()));
    }
    let place = repository.folders.find(folder, FolderUse::Backup);
    let place = place.map_err(Refusal::Invalid)?;
    let watched = repository.db.read_here(|read| read.watch_rules())?;
    let mut watched = watched.iter().map(|rule| resolved(Path::new(&rule.path)));
    match watched.find(|other| overlap(other, &place)) {
        None => Ok(place),
        Some(other) => Err(Refusal::Invalid(format!(
            "{} is watched: the backup would be taken into the repository.",
            other.display()
        ))),
    }
}
