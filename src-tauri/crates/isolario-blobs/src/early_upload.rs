//! An upload into the bucket that begins while its bytes arrive.

use std::io;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::in_flight::InFlight;
use super::notes::Note;
use super::{Blobs, joined};
use isolario_bucket::Progress;

/// A blob that is whole in the bucket.
#[derive(Debug)]
pub(super) struct PutBlob {
    pub blob: String,
    pub note: Note,
    pub in_flight: InFlight,
}

/// A blob that is put while its file is written. Unless it is finished, it is taken back.
#[derive(Debug)]
pub(super) struct EarlyUpload {
    /// Its name.
    pub blob: String,
    /// The part of its name that nobody else has.
    pub random: String,
    pub blobs: Blobs,
    pub progress: watch::Sender<Progress>,
    /// It takes back what it does not finish.
    pub putting: Option<JoinHandle<io::Result<PutBlob>>>,
}

/// Tells an early upload how far its file is written.
#[derive(Debug)]
pub(super) struct WriteProgress(watch::Sender<Progress>);

impl EarlyUpload {
    /// What is to be told how far its file is written.
    pub fn write_progress(&self) -> WriteProgress {
        WriteProgress(self.progress.clone())
    }

    /// Waits until the blob is whole in the bucket.
    ///
    /// # Errors
    /// `StoreFault`; what the disk refuses.
    pub async fn finish(mut self) -> io::Result<PutBlob> {
        let put = match &mut self.putting {
            Some(putting) => joined(putting).await,
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        };
        self.putting = None;
        put
    }
}

impl Drop for EarlyUpload {
    fn drop(&mut self) {
        if let Some(putting) = self.putting.take() {
            self.progress.send_replace(Progress::Abandoned);
            self.blobs.take_back_early(putting);
        }
    }
}

impl WriteProgress {
    /// So many more bytes are written.
    pub fn add(&self, bytes: u64) {
        self.0.send_if_modified(|progress| match progress {
            Progress::Written(written) => {
                *written += bytes;
                true
            }
            Progress::Abandoned => false,
        });
    }
}
