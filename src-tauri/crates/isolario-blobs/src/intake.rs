//! Writes a body to a file and computes its checksums at the same time. Each batch of bytes is written by one thread
//! and summed by others.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, IoSlice, Write};
use std::path::Path;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::Instant;

use super::bounds::Bounds;
use super::checksum::Sum;
use super::early_upload::WriteProgress;
use super::{StageError, joined, on_disk};

/// Bytes of a batch. While it is written and summed, the next batch arrives.
const BATCH_BYTES: usize = 512 * 1024;
/// Chunks of a batch, because a sender may send tiny ones.
const BATCH_CHUNKS: usize = 512;
/// Bytes between two checks of the free disk space.
const SPACE_CHECK_INTERVAL: u64 = 16 * 1024 * 1024;

/// A file that is being written, and a guard that lives until the file is closed.
pub(super) struct Output<G> {
    pub file: File,
    pub guard: G,
    /// Is told how far the file is written.
    pub progress: Option<WriteProgress>,
}

/// The bounds of one body.
pub(super) struct Limit<'a> {
    pub bounds: &'a Bounds,
    /// A directory on the disk that must have space.
    pub directory: &'a Path,
    /// Bytes that the file had before this body.
    pub before: u64,
}

impl Limit<'_> {
    /// Refuses a body of so many bytes.
    pub fn refuse(&self, size: u64) -> Result<(), StageError> {
        self.bounds.refuse_size(self.before.saturating_add(size))?;
        self.bounds.refuse_without_space(self.directory, size)?;
        Ok(())
    }
}

/// Begins a checksum: of no bytes for a new file, of the bytes that are there for another.
pub(super) type Begin = Box<dyn FnOnce() -> io::Result<Sum> + Send>;

/// What is done with the bytes of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Retention {
    /// They are synced, also those of a body that breaks off.
    Part,
    /// Those of a body that breaks off are discarded. If they are few, they are synced together with the name that they
    /// get.
    Whole,
    /// As `Whole`, but they are not synced: they go elsewhere.
    Spool,
}

/// A body that was written.
pub(super) struct WrittenBody<G> {
    pub guard: G,
    /// Whether it is synced.
    pub synced: bool,
    /// Bytes of the body.
    pub size: u64,
    /// In the order of their beginning.
    pub sums: Vec<Sum>,
    /// Why the body broke off, if it did. Only with `Retention::Part`.
    pub broken: Option<StageError>,
}

/// Writes a body. Its length does not change the memory that this needs. A slow sender occupies no thread.
///
/// # Errors
/// What the disk refuses; how the body broke off, unless it is a part.
pub(super) async fn write_body<S, E, G>(
    mut body: S,
    open: impl FnOnce() -> io::Result<Output<G>> + Send + 'static,
    sums: Vec<Begin>,
    retention: Retention,
    limit: Limit<'_>,
) -> Result<WrittenBody<G>, StageError>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
    G: Send + 'static,
{
    let mut reader = BodyReader::new(limit);
    let mut batch = reader.read_batch(&mut body).await;
    if batch.ended {
        // A small body is here whole. Handing the work to other threads would cost more than the work.
        return Ok(on_disk(move || write_small_body(open, sums, &batch.chunks, retention)).await?);
    }
    // What breaks off at once makes no file.
    batch = batch.unless_discarded(retention)?;
    let mut intake = Intake::start(open, sums);
    loop {
        let is_last = batch.broken.is_some() || batch.ended;
        if !batch.chunks.is_empty() {
            intake.take(batch.chunks).await?;
        }
        if is_last {
            return Ok(intake.finish(batch.broken, retention).await?);
        }
        batch = reader.read_batch(&mut body).await;
        batch = batch.unless_discarded(retention)?;
    }
}

fn write_small_body<G>(
    open: impl FnOnce() -> io::Result<Output<G>>,
    sums: Vec<Begin>,
    chunks: &[Bytes],
    retention: Retention,
) -> io::Result<WrittenBody<G>> {
    let output = open()?.write(chunks)?;
    let sums = sums.into_iter().map(|begin| Ok(summed(begin()?, chunks)));
    let synced = retention == Retention::Part;
    Ok(WrittenBody {
        size: size_of(chunks),
        sums: sums.collect::<io::Result<_>>()?,
        guard: match synced {
            true => output.sync()?,
            false => output.guard,
        },
        synced,
        broken: None,
    })
}

fn size_of(chunks: &[Bytes]) -> u64 {
    chunks.iter().map(|chunk| chunk.len() as u64).sum()
}

struct Batch {
    chunks: Vec<Bytes>,
    broken: Option<StageError>,
    /// Whether these are the last chunks of a whole body.
    ended: bool,
}

impl Batch {
    /// The batch, unless the body broke off and nothing of it is to be kept.
    fn unless_discarded(mut self, retention: Retention) -> Result<Batch, StageError> {
        match self.broken.take() {
            Some(broken) if retention != Retention::Part => Err(broken),
            broken => Ok(Batch { broken, ..self }),
        }
    }
}

/// Reads a body in batches and holds it to its bounds.
struct BodyReader<'a> {
    limit: Limit<'a>,
    size: u64,
    space_checked_at: u64,
    deadline: Instant,
}

impl BodyReader<'_> {
    fn new(limit: Limit<'_>) -> BodyReader<'_> {
        BodyReader {
            deadline: Instant::now() + limit.bounds.time,
            limit,
            size: 0,
            space_checked_at: 0,
        }
    }

    /// The next batch. A body that exceeds its bounds breaks off here.
    async fn read_batch<S, E>(&mut self, body: &mut S) -> Batch
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: Display,
    {
        let batch = collect_chunks(body, self).await;
        match self.count(&batch) {
            Ok(()) => batch,
            Err(excess) => Batch {
                chunks: Vec::new(),
                broken: Some(excess),
                ended: false,
            },
        }
    }

    fn count(&mut self, batch: &Batch) -> Result<(), StageError> {
        self.size += size_of(&batch.chunks);
        let bounds = self.limit.bounds;
        bounds.refuse_size(self.limit.before.saturating_add(self.size))?;
        if self.size - self.space_checked_at >= SPACE_CHECK_INTERVAL {
            self.space_checked_at = self.size;
            bounds.refuse_without_space(self.limit.directory, SPACE_CHECK_INTERVAL)?;
        }
        Ok(())
    }

    /// The time by which the next bytes must arrive, and the error if they do not.
    fn next_deadline(&self) -> (Instant, StageError) {
        let bounds = self.limit.bounds;
        let silent = Instant::now() + bounds.idle;
        match silent < self.deadline {
            true => (silent, StageError::Stalled(bounds.idle)),
            false => (self.deadline, StageError::TooSlow(bounds.time)),
        }
    }
}

async fn collect_chunks<S, E>(body: &mut S, reader: &BodyReader<'_>) -> Batch
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
{
    let mut chunks = Vec::new();
    let mut size = 0;
    let (mut broken, mut ended) = (None, false);
    while size < BATCH_BYTES && chunks.len() < BATCH_CHUNKS && broken.is_none() && !ended {
        let (deadline, too_late) = reader.next_deadline();
        match tokio::time::timeout_at(deadline, body.next()).await {
            Err(_) => broken = Some(too_late),
            Ok(Some(Err(error))) => broken = Some(StageError::Broken(error.to_string())),
            Ok(Some(Ok(chunk))) if chunk.is_empty() => {}
            Ok(Some(Ok(chunk))) => {
                size += chunk.len();
                chunks.push(chunk);
            }
            Ok(None) => ended = true,
        }
    }
    Batch {
        chunks,
        broken,
        ended,
    }
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

    /// Waits for the batch before, then starts to write and sum this one.
    async fn take(&mut self, batch: Vec<Bytes>) -> io::Result<()> {
        let output = joined(&mut self.writing).await?;
        self.size += size_of(&batch);
        for summing in &mut self.summing {
            let sum = joined(&mut *summing).await?;
            let copy = batch.clone(); // Counts references; the bytes are not copied.
            *summing = spawn_blocking(move || Ok(summed(sum, &copy)));
        }
        self.writing = spawn_blocking(move || output.write(&batch));
        Ok(())
    }

    async fn finish(
        self,
        broken: Option<StageError>,
        retention: Retention,
    ) -> io::Result<WrittenBody<G>> {
        let output = joined(self.writing).await?;
        let synced = retention != Retention::Spool;
        let closed = spawn_blocking(move || match synced {
            true => output.sync(),
            false => Ok(output.guard),
        });
        let mut sums = Vec::new();
        for summing in self.summing {
            sums.push(joined(summing).await?);
        }
        Ok(WrittenBody {
            guard: joined(closed).await?,
            synced,
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
        if let Some(progress) = &self.progress {
            progress.add(size_of(batch));
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
