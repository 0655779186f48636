//! Bytes on their way to a file: written and summed at the same time, each on a thread of its own
//! while there is a batch to work on.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, IoSlice, Write};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::task::{JoinHandle, spawn_blocking};

use super::checksum::Sum;
use super::{StageError, joined};

/// Bytes that are written and summed together while the next ones arrive.
const BATCH_BYTES: usize = 512 * 1024;
/// A sender of tiny chunks must not make a batch of millions.
const BATCH_CHUNKS: usize = 512;
/// A sender that is silent for so long has gone.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// A file being written, and what must last as long as it is.
pub(super) struct Output<G> {
    pub file: File,
    pub guard: G,
}

/// How a checksum begins: at once for a new file, with what was there before for another.
pub(super) type Begin = Box<dyn FnOnce() -> io::Result<Sum> + Send>;

/// What becomes of the bytes of a body that breaks off.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fragment {
    Forgotten,
    Kept,
}

/// What has been written and is on disk.
pub(super) struct Taken<G> {
    pub guard: G,
    /// Bytes that came in.
    pub size: u64,
    /// In the order they were begun.
    pub sums: Vec<Sum>,
    /// Why no more came, unless that was all. Only where fragments are kept.
    pub broken: Option<StageError>,
}

/// Takes a body in. Memory is bounded whatever its length; no thread is held while the sender is slow.
///
/// # Errors
/// What the disk refuses; how the body broke off, unless what came before is to be kept.
pub(super) async fn take_in<S, E, G>(
    mut body: S,
    open: impl FnOnce() -> io::Result<Output<G>> + Send + 'static,
    sums: Vec<Begin>,
    fragment: Fragment,
) -> Result<Taken<G>, StageError>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
    G: Send + 'static,
{
    let mut intake = Intake::start(open, sums);
    loop {
        let batch = gather(&mut body).await;
        let broken = match batch.broken {
            Some(broken) if fragment == Fragment::Forgotten => return Err(broken),
            broken => broken,
        };
        let is_last = broken.is_some() || batch.chunks.is_empty();
        if !batch.chunks.is_empty() {
            intake.take(batch.chunks).await?;
        }
        if is_last {
            return Ok(intake.finish(broken).await?);
        }
    }
}

struct Batch {
    chunks: Vec<Bytes>,
    broken: Option<StageError>,
}

async fn gather<S, E>(body: &mut S) -> Batch
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
{
    let mut chunks = Vec::new();
    let mut size = 0;
    let mut broken = None;
    while size < BATCH_BYTES && chunks.len() < BATCH_CHUNKS && broken.is_none() {
        match tokio::time::timeout(PATIENCE, body.next()).await {
            Err(_) => broken = Some(StageError::Stalled),
            Ok(Some(Err(error))) => broken = Some(StageError::Broken(error.to_string())),
            Ok(Some(Ok(chunk))) if chunk.is_empty() => {}
            Ok(Some(Ok(chunk))) => {
                size += chunk.len();
                chunks.push(chunk);
            }
            Ok(None) => break,
        }
    }
    Batch { chunks, broken }
}

struct Intake<G> {
    size: u64,
    writing: JoinHandle<io::Result<Output<G>>>,
    summing: Vec<JoinHandle<io::Result<Sum>>>,
}

impl<G: Send + 'static> Intake<G> {
    fn start(
        open: impl FnOnce() -> io::Result<Output<G>> + Send + 'static,
        sums: Vec<Begin>,
    ) -> Intake<G> {
        Intake {
            size: 0,
            writing: spawn_blocking(open),
            summing: sums.into_iter().map(spawn_blocking).collect(),
        }
    }

    /// Starts work on a batch as soon as the one before it is done.
    async fn take(&mut self, batch: Vec<Bytes>) -> io::Result<()> {
        let output = joined(&mut self.writing).await?;
        self.size += batch.iter().map(|chunk| chunk.len() as u64).sum::<u64>();
        for summing in &mut self.summing {
            let sum = joined(&mut *summing).await?;
            let copy = batch.clone(); // Counts references; the bytes are not copied.
            *summing = spawn_blocking(move || Ok(summed(sum, &copy)));
        }
        self.writing = spawn_blocking(move || output.write(&batch));
        Ok(())
    }

    async fn finish(self, broken: Option<StageError>) -> io::Result<Taken<G>> {
        let output = joined(self.writing).await?;
        let synced = spawn_blocking(move || output.sync());
        let mut sums = Vec::new();
        for summing in self.summing {
            sums.push(joined(summing).await?);
        }
        Ok(Taken {
            guard: joined(synced).await?,
            size: self.size,
            sums,
            broken,
        })
    }
}

impl<G> Output<G> {
    fn write(mut self, batch: &[Bytes]) -> io::Result<Output<G>> {
        let mut slices: Vec<IoSlice<'_>> = batch.iter().map(|chunk| IoSlice::new(chunk)).collect();
        let mut rest = slices.as_mut_slice();
        while !rest.is_empty() {
            match self.file.write_vectored(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => IoSlice::advance_slices(&mut rest, written),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self)
    }

    fn sync(self) -> io::Result<G> {
        self.file.sync_all()?;
        Ok(self.guard)
    }
}

fn summed(mut sum: Sum, batch: &[Bytes]) -> Sum {
    for chunk in batch {
        sum.update(chunk);
    }
    sum
}
