//! Files that are read in blocks, each of which is compared with its checksum.

use std::collections::HashMap;
use std::fmt::{self, Debug, Formatter};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crc32fast::Hasher;
use isolario_platform::files::FileAt as _;
use tantivy::HasLen;
use tantivy::directory::{FileHandle, OwnedBytes};

/// Bytes of which there is a checksum.
pub const BLOCK: usize = 4_096;

/// Bytes that are read at a time where less is asked for.
const CHUNK: usize = 16 * BLOCK;

/// Bytes that are remembered when nobody uses them.
const MOST_CACHED: usize = 32 << 20;
/// While an index is made, nobody searches in it.
const MOST_CACHED_UNUSED: usize = 4 << 20;

/// Bytes at the end: the checksum of the name, the length and the checksums, and what says that it is one.
const END: usize = 8;
const MARK: [u8; 4] = *b"seal";
const CHECKSUM: usize = 4;

/// What is written behind the content of a file.
pub fn seal(name: &Path, length: u64, checksums: &[u32]) -> Vec<u8> {
    let mut seal: Vec<u8> = checksums.iter().flat_map(|one| one.to_le_bytes()).collect();
    let mut hasher = Hasher::new();
    hasher.update(name.as_os_str().as_encoded_bytes());
    hasher.update(&length.to_le_bytes());
    hasher.update(&seal);
    seal.extend(hasher.finalize().to_le_bytes());
    seal.extend(MARK);
    seal
}

fn damaged(name: &Path) -> io::Error {
    let words = format!("{} is not as it was written", name.display());
    io::Error::new(io::ErrorKind::InvalidData, words)
}

/// A file whose end was compared with its seal, and whose blocks are when they are read.
pub struct SealedFile {
    file: File,
    name: PathBuf,
    /// Of the content.
    length: usize,
    checksums: Vec<u32>,
    /// The file in the cache.
    number: u64,
    cache: Arc<Cache>,
}

impl SealedFile {
    /// Reads the seal of a file.
    pub fn open(file: File, name: &Path, cache: Arc<Cache>) -> io::Result<SealedFile> {
        let whole = usize::try_from(file.metadata()?.len()).map_err(|_| damaged(name))?;
        let sealed = whole.checked_sub(END).ok_or_else(|| damaged(name))?;
        let blocks = sealed.div_ceil(BLOCK + CHECKSUM);
        let length = sealed.checked_sub(blocks * CHECKSUM);
        let length = length.ok_or_else(|| damaged(name))?;
        let mut read = vec![0; whole - length];
        file.read_exact_at(&mut read, length as u64)?;
        let table = read[..blocks * CHECKSUM].chunks_exact(CHECKSUM);
        let checksums: Vec<u32> = table
            .map(|one| u32::from_le_bytes([one[0], one[1], one[2], one[3]]))
            .collect();
        if read != seal(name, length as u64, &checksums) {
            return Err(damaged(name));
        }
        static FILES: AtomicU64 = AtomicU64::new(0);
        Ok(SealedFile {
            file,
            name: name.to_owned(),
            length,
            checksums,
            number: FILES.fetch_add(1, Ordering::Relaxed),
            cache,
        })
    }

    /// The content, which is not remembered.
    pub fn read_whole(&self) -> io::Result<Vec<u8>> {
        Ok(self.read(0..self.length)?.to_vec())
    }

    /// Compares all blocks with their checksums.
    pub fn verify(&self) -> io::Result<()> {
        let mut starts = (0..self.length).step_by(CHUNK);
        starts.try_for_each(|start| self.read(start..(start + CHUNK).min(self.length)).map(drop))
    }

    /// Reads whole blocks.
    fn read(&self, range: Range<usize>) -> io::Result<Arc<[u8]>> {
        let mut content: Arc<[u8]> = std::iter::repeat_n(0, range.len()).collect();
        let bytes = Arc::make_mut(&mut content);
        self.file.read_exact_at(bytes, range.start as u64)?;
        let checksums = &self.checksums[range.start / BLOCK..];
        let mut blocks = bytes.chunks(BLOCK).zip(checksums);
        match blocks.all(|(block, checksum)| crc32fast::hash(block) == *checksum) {
            true => Ok(content),
            false => Err(damaged(&self.name)),
        }
    }
}

impl FileHandle for SealedFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if range.end > self.length || range.start > range.end {
            return Err(damaged(&self.name));
        }
        if range.is_empty() {
            return Ok(OwnedBytes::empty());
        }
        // What lies in one chunk is read with its neighbours, which are often asked for next.
        let is_small = range.start / CHUNK == (range.end - 1) / CHUNK;
        let unit = if is_small { CHUNK } else { BLOCK };
        let start = range.start / unit * unit;
        let end = range.end.next_multiple_of(unit).min(self.length);
        let read = || self.read(start..end);
        let content = self.cache.get((self.number, start, end), read)?;
        Ok(OwnedBytes::new(content).slice(range.start - start..range.end - start))
    }
}

impl HasLen for SealedFile {
    fn len(&self) -> usize {
        self.length
    }
}

impl Debug for SealedFile {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "SealedFile({})", self.name.display())
    }
}

/// A file, and where a part of it starts and ends.
type Key = (u64, usize, usize);

/// What was read: as long as somebody uses it, and so many bytes of the rest.
#[derive(Debug, Default)]
pub struct Cache(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    used: HashMap<Key, Weak<[u8]>>,
    /// With the time at which it was last asked for.
    kept: HashMap<Key, (Arc<[u8]>, u64)>,
    bytes: usize,
    time: u64,
    /// Whether nobody searches.
    is_unused: bool,
}

impl Cache {
    fn get(&self, key: Key, read: impl FnOnce() -> io::Result<Arc<[u8]>>) -> io::Result<Arc<[u8]>> {
        if let Some(known) = self.cached().find(key) {
            return Ok(known);
        }
        let content = read()?;
        self.cached().keep(key, &content);
        Ok(content)
    }

    /// Forgets what nobody uses. It remembers less as long as nobody searches.
    pub fn clear(&self, is_unused: bool) {
        let mut cached = self.cached();
        cached.is_unused = is_unused;
        cached.shrink(0);
    }

    fn cached(&self) -> std::sync::MutexGuard<'_, Cached> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cached {
    fn find(&mut self, key: Key) -> Option<Arc<[u8]>> {
        self.time += 1;
        if let Some((content, time)) = self.kept.get_mut(&key) {
            *time = self.time;
            return Some(Arc::clone(content));
        }
        let content = self.used.get(&key).and_then(Weak::upgrade)?;
        self.keep(key, &content);
        Some(content)
    }

    fn keep(&mut self, key: Key, content: &Arc<[u8]>) {
        self.used.insert(key, Arc::downgrade(content));
        let replaced = self.kept.insert(key, (Arc::clone(content), self.time));
        self.bytes += content.len();
        self.bytes -= replaced.map_or(0, |(content, _)| content.len());
        let most = match self.is_unused {
            true => MOST_CACHED_UNUSED,
            false => MOST_CACHED,
        };
        if self.bytes > most {
            self.shrink(most / 2);
        }
    }

    /// Leaves what was last asked for, of at most so many bytes.
    fn shrink(&mut self, bytes: usize) {
        let mut kept: Vec<(u64, Key)> = self
            .kept
            .iter()
            .map(|(key, (_, time))| (*time, *key))
            .collect();
        kept.sort_unstable();
        for (_, key) in kept {
            if self.bytes <= bytes {
                break;
            }
            let removed = self.kept.remove(&key);
            self.bytes -= removed.map_or(0, |(content, _)| content.len());
        }
        self.used.retain(|_, content| content.strong_count() > 0);
    }
}
