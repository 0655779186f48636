//! The backup that somebody has asked for while the program serves.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::history::back_up_and_note;
use crate::repository::Repository;

/// A backup under way.
#[derive(Debug, Clone)]
pub struct RunningBackup {
    pub folder: PathBuf,
    /// Unix seconds.
    pub began: i64,
    /// How far it is, in words; empty at first.
    pub words: String,
}

/// At most one is made at a time by this way.
#[derive(Debug, Default)]
pub struct BackupNow(Mutex<Option<RunningBackup>>);

impl BackupNow {
    /// The backup under way.
    pub fn running(&self) -> Option<RunningBackup> {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<RunningBackup>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the turn; false where one is under way.
    fn begin(&self, folder: &Path) -> bool {
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

/// Begins a backup in the background, and says whether it did: not while another one is under way. How it
/// went is noted as of every backup.
pub fn begin(repository: &Arc<Repository>, folder: PathBuf) -> bool {
    if !repository.backup.begin(&folder) {
        return false;
    }
    let repository = repository.clone();
    tokio::spawn(async move {
        let told = repository.clone();
        let progress = Arc::new(move |words| told.backup.tell(words));
        let closing = repository.closing.clone();
        tokio::select! {
            () = closing.cancelled() => {}
            // What went wrong is noted there.
            _ = back_up_and_note(&repository, &folder, false, progress) => {}
        }
        repository.backup.end();
    });
    true
}
