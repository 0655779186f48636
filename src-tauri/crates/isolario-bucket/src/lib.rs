//! A bucket of an S3-compatible store, named by `[bytes]` of the configuration.
//!
//! Of a store it asks three things only: what it has acknowledged stays, it can be read at once, and an upload in parts
//! is invisible until it is complete. It never relies on conditions or checksums of a store, because stores differ in
//! them. A name is written once, so a request that is sent twice does no harm.

#[cfg(any(test, not(feature = "s3")))]
#[cfg_attr(test, expect(dead_code, reason = "compiled for the compiler alone"))]
mod absent;
#[cfg(feature = "s3")]
mod deletion;
#[cfg(feature = "s3")]
mod part_buffers;
#[cfg(feature = "s3")]
mod present;
mod store_health;

#[cfg(not(feature = "s3"))]
pub use absent::NoBucket as Bucket;
#[cfg(feature = "s3")]
pub use present::Bucket;

pub use store_health::StoreHealth;

use std::ops::Range;

use tokio::sync::watch;

/// The first bytes of an object, with its size.
#[derive(Debug, Clone)]
pub struct ObjectStart {
    /// Bytes of the whole object.
    pub size: u64,
    pub bytes: bytes::Bytes,
}

/// How far a file is written that is put meanwhile.
#[derive(Debug, Clone, Copy)]
pub enum Progress {
    /// Bytes that are there.
    Written(u64),
    /// No more will come, and nobody wants what has.
    Abandoned,
}

/// A file that is put while it is written.
#[derive(Debug, Clone)]
pub struct FileGrowth {
    /// Bytes that it will have.
    pub size: u64,
    pub progress: watch::Receiver<Progress>,
}

impl FileGrowth {
    /// Of a file that is whole.
    pub fn whole(size: u64) -> FileGrowth {
        let (_, progress) = watch::channel(Progress::Written(size));
        FileGrowth { size, progress }
    }

    /// Whether nobody wants it any more.
    pub fn is_abandoned(&self) -> bool {
        matches!(*self.progress.borrow(), Progress::Abandoned)
    }

    /// Waits until so many bytes are there.
    ///
    /// # Errors
    /// `UnexpectedEof` where they will not come.
    pub async fn written(&self, bytes: u64) -> std::io::Result<()> {
        let mut progress = self.progress.clone();
        let enough = |progress: &Progress| match progress {
            Progress::Written(written) => *written >= bytes,
            Progress::Abandoned => true,
        };
        match progress.wait_for(enough).await.as_deref() {
            Ok(Progress::Written(_)) => Ok(()),
            _ => Err(std::io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// A part of a file that is sent as one part of an upload, in bytes.
pub type Part = Range<u64>;

/// The bytes of one part of a file of so many bytes. A store takes 10,000 parts at most, and at least 5 MiB in each but
/// the last (Amazon S3, multipart upload limits).
pub fn part_size(size: u64) -> u64 {
    const USUAL: u64 = 5 << 20;
    const MOST_PARTS: u64 = 9_000;
    USUAL.max(size.div_ceil(MOST_PARTS).next_multiple_of(1 << 20))
}

/// The parts of a file of so many bytes.
pub fn parts_of(size: u64) -> impl Iterator<Item = Part> {
    let step = part_size(size);
    (0..size.div_ceil(step)).map(move |at| at * step..((at + 1) * step).min(size))
}

#[cfg(test)]
mod part_tests {
    use super::{part_size, parts_of};

    #[test]
    fn parts_are_the_whole_and_never_too_many() {
        for size in [0, 1, 8 << 20, (8 << 20) + 1, 20_000_000_000, 5_u64 << 40] {
            let mut end = 0;
            let mut count = 0;
            for part in parts_of(size) {
                assert_eq!(part.start, end);
                assert!(part.end > part.start && part.end - part.start <= part_size(size));
                end = part.end;
                count += 1;
            }
            assert_eq!(end, size);
            assert!(count <= 10_000, "{size}: {count}");
        }
    }
}
