//! Bytes on their way to a file: written and summed at the same time, each on a thread of its own
//! while there is a batch to work on.

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
use super::{StageError, joined, on_disk};

/// Bytes that are written and summed together while the next ones arrive.
const BATCH_BYTES: usize = 512 * 1024;
/// A sender of tiny chunks must not make a batch of millions.
const BATCH_CHUNKS: usize = 512;
/// Bytes between two looks at the room on the disk.
const BETWEEN_LOOKS: u64 = 16 * 1024 * 1024;

/// A file being written, and what must last as long as it is.
pub(super) struct Output<G> {
    pub file: File,
    pub guard: G,
}

/// How much may come, how long it may take, and where to.
pub(super) struct Limit<'a> {
    pub bounds: &'a Bounds,
    /// On the disk that has to have room.
    pub directory: &'a Path,
    /// Bytes of the file before this body.
    pub before: u64,
}

impl Limit<'_> {
    /// Refuses a body of so many bytes.
    pub fn refuse(&self, size: u64) -> Result<(), StageError> {
        self.bounds.refuse_size(self.before.saturating_add(size))?;
        self.bounds.refuse_without_room(self.directory, size)?;
        Ok(())
    }
}

/// How a checksum begins: at once for a new file, with what was there before for another.
pub(super) type Begin = Box<dyn FnOnce() -> io::Result<Sum> + Send>;

/// What becomes of the bytes of a body that breaks off.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fragment {
    Forgotten,
    Kept,
}

/// What has been written.
pub(super) struct WrittenBody<G> {
    pub guard: G,
    /// Whether it is on disk: a small body that is forgotten when it breaks off is not yet. It shares the wait
    /// for the disk with the name that it gets.
    pub synced: bool,
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
    limit: Limit<'_>,
) -> Result<WrittenBody<G>, StageError>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
    G: Send + 'static,
{
    let mut meter = Meter::new(limit);
    let mut batch = meter.gather(&mut body).await;
    if batch.ended {
        // Of a small body all is there: to hand the work from thread to thread would cost more than to do it.
        return Ok(on_disk(move || take_in_whole(open, sums, &batch.chunks, fragment)).await?);
    }
    let mut intake = Intake::start(open, sums);
    loop {
        let broken = match batch.broken {
            Some(broken) if fragment == Fragment::Forgotten => return Err(broken),
            broken => broken,
        };
        let is_last = broken.is_some() || batch.ended;
        if !batch.chunks.is_empty() {
            intake.take(batch.chunks).await?;
        }
        if is_last {
            return Ok(intake.finish(broken).await?);
        }
        batch = meter.gather(&mut body).await;
    }
}

fn take_in_whole<G>(
    open: impl FnOnce() -> io::Result<Output<G>>,
    sums: Vec<Begin>,
    chunks: &[Bytes],
    fragment: Fragment,
) -> io::Result<WrittenBody<G>> {
    let output = open()?.write(chunks)?;
    let sums = sums.into_iter().map(|begin| Ok(summed(begin()?, chunks)));
    let synced = fragment == Fragment::Kept;
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
    /// These are the last, and the body is whole.
    ended: bool,
}

/// Watches over what comes in.
struct Meter<'a> {
    limit: Limit<'a>,
    size: u64,
    looked_at: u64,
    deadline: Instant,
}

impl Meter<'_> {
    fn new(limit: Limit<'_>) -> Meter<'_> {
        Meter {
            deadline: Instant::now() + limit.bounds.time,
            limit,
            size: 0,
            looked_at: 0,
        }
    }

    /// The next bytes. More than may come end the body instead.
    async fn gather<S, E>(&mut self, body: &mut S) -> Batch
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: Display,
    {
        let batch = gather(body, self).await;
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
        if self.size - self.looked_at >= BETWEEN_LOOKS {
            self.looked_at = self.size;
            bounds.refuse_without_room(self.limit.directory, BETWEEN_LOOKS)?;
        }
        Ok(())
    }

    /// Until when the next bytes have to come, and what is to be said if they do not.
    fn patience(&self) -> (Instant, StageError) {
        let bounds = self.limit.bounds;
        let silent = Instant::now() + bounds.idle;
        match silent < self.deadline {
            true => (silent, StageError::Stalled(bounds.idle)),
            false => (self.deadline, StageError::TooSlow(bounds.time)),
        }
    }
}

async fn gather<S, E>(body: &mut S, meter: &Meter<'_>) -> Batch
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
{
    let mut chunks = Vec::new();
    let mut size = 0;
    let (mut broken, mut ended) = (None, false);
    while size < BATCH_BYTES && chunks.len() < BATCH_CHUNKS && broken.is_none() && !ended {
        let (until, impatience) = meter.patience();
        match tokio::time::timeout_at(until, body.next()).await {
            Err(_) => broken = Some(impatience),
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

    /// Starts work on a batch as soon as the one before it is done.
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

    async fn finish(self, broken: Option<StageError>) -> io::Result<WrittenBody<G>> {
        let output = joined(self.writing).await?;
        let synced = spawn_blocking(move || output.sync());
        let mut sums = Vec::new();
        for summing in self.summing {
            sums.push(joined(summing).await?);
        }
        Ok(WrittenBody {
            guard: joined(synced).await?,
            synced: true,
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
