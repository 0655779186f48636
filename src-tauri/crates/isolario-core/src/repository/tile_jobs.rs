//! Which tiles are being made, so that nobody has the same made twice.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::{Semaphore, watch};

/// Jobs that wait, and outcomes that are remembered.
const MOST: usize = 200;

/// How a job ended: the reason where nothing was made.
pub type TileOutcome = Result<(), String>;

/// The jobs that make tiles, by the SHA-512 of their picture. Each takes as much memory as its picture, so they take
/// turns.
pub struct TileJobs {
    jobs: Mutex<HashMap<String, watch::Receiver<Option<TileOutcome>>>>,
    /// Held by the job that runs.
    pub turn: Semaphore,
    /// Held by each image that is put together of tiles, which takes memory for its pixels.
    pub renditions: Semaphore,
}

impl Default for TileJobs {
    fn default() -> TileJobs {
        TileJobs {
            jobs: Mutex::default(),
            turn: Semaphore::new(1),
            renditions: Semaphore::new(2),
        }
    }
}

impl TileJobs {
    /// The job of a picture, which `start` begins where there is none; `None` where too many wait.
    pub fn join(
        &self,
        sha512: &str,
        start: impl FnOnce(watch::Sender<Option<TileOutcome>>),
    ) -> Option<watch::Receiver<Option<TileOutcome>>> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = jobs.get(sha512) {
            return Some(job.clone());
        }
        if jobs.len() >= MOST {
            jobs.retain(|_, job| job.borrow().is_none());
        }
        if jobs.len() >= MOST {
            return None;
        }
        let (sender, job) = watch::channel(None);
        jobs.insert(sha512.to_owned(), job.clone());
        start(sender);
        Some(job)
    }

    /// Forgets a job: the next one to join starts another.
    pub fn forget(&self, sha512: &str) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.remove(sha512);
    }
}
