//! A ZIP whose files are stored as they are, written from the first byte to the last. Its directory waits on the disk, so
//! the number of files costs no memory. Sizes and places beyond 4 GB are told as ZIP64 (APPNOTE 4.5.3).

use std::io;
use std::path::Path;

use bytes::Bytes;
use chrono::{DateTime, Datelike, Timelike, Utc};
use crc32fast::Hasher;
use futures_util::{Stream, StreamExt};

use super::spool::Spool;
use crate::byte_stream::Output;

/// A length or number that stands elsewhere.
const ELSEWHERE: u32 = u32::MAX;
/// The checksum and the sizes follow the bytes; names are UTF-8.
const FLAGS: u16 = 1 << 3 | 1 << 11;
/// The version of the format that a reader must know: ZIP64.
const VERSION: u16 = 45;
/// Made by a UNIX of that version.
const MADE_BY: u16 = 3 << 8 | VERSION;
/// A plain file that everybody may read.
const MODE: u32 = 0o100_644 << 16;

/// A ZIP in the making.
pub(crate) struct ZipContainer {
    output: Output,
    directory: Spool,
    files: u64,
    written: u64,
    modified: (u16, u16),
}

impl ZipContainer {
    /// An empty one. Its directory waits in `staging`.
    pub fn new(output: Output, staging: &Path) -> io::Result<ZipContainer> {
        Ok(ZipContainer {
            output,
            directory: Spool::new(staging)?,
            files: 0,
            written: 0,
            modified: dos_time(Utc::now()),
        })
    }

    /// Adds a file of a known size. Its bytes are handed on while they are read.
    ///
    /// # Errors
    /// Other than so many bytes; what the reader of the bytes says.
    pub async fn add(
        &mut self,
        path: &str,
        size: u64,
        mut bytes: impl Stream<Item = io::Result<Bytes>> + Unpin,
    ) -> io::Result<()> {
        let (start, is_large) = (self.written, size >= u64::from(ELSEWHERE));
        self.send(self.local_header(path, is_large)).await?;
        let (mut crc, mut sent) = (Hasher::new(), 0);
        while let Some(chunk) = bytes.next().await {
            let chunk = chunk?;
            crc.update(&chunk);
            sent += chunk.len() as u64;
            self.written += chunk.len() as u64;
            self.output.send(chunk).await?;
        }
        if sent != size {
            return Err(io::Error::other(format!(
                "{path} has {sent} bytes, not {size}"
            )));
        }
        let crc = crc.finalize();
        let mut after = b"PK\x07\x08".to_vec();
        after.extend(crc.to_le_bytes());
        for size in [size; 2] {
            match is_large {
                true => after.extend(size.to_le_bytes()),
                false => after.extend(short(size).to_le_bytes()),
            }
        }
        self.send(after).await?;
        self.files += 1;
        let entry = self.directory_entry(path, crc, size, start);
        self.directory.write(&entry)
    }

    /// Writes the directory and the end.
    pub async fn finish(mut self) -> io::Result<()> {
        let start = self.written;
        let ended = self.directory.finish()?;
        let size = ended.digest.size;
        let mut chunks = ended.into_stream();
        while let Some(chunk) = chunks.next().await {
            self.output.send(chunk?).await?;
        }
        let (files, end) = (self.files, start + size);
        let mut last = Vec::new();
        last.extend(b"PK\x06\x06");
        last.extend(44_u64.to_le_bytes());
        last.extend(MADE_BY.to_le_bytes());
        last.extend(VERSION.to_le_bytes());
        last.extend([0; 8]);
        for number in [files, files, size, start] {
            last.extend(number.to_le_bytes());
        }
        last.extend(b"PK\x06\x07");
        last.extend(0_u32.to_le_bytes());
        last.extend(end.to_le_bytes());
        last.extend(1_u32.to_le_bytes());
        last.extend(b"PK\x05\x06");
        last.extend([0; 4]);
        let count = u16::try_from(files).unwrap_or(u16::MAX);
        last.extend(count.to_le_bytes());
        last.extend(count.to_le_bytes());
        last.extend(short(size).to_le_bytes());
        last.extend(short(start).to_le_bytes());
        last.extend([0; 2]);
        self.output.send(last).await
    }

    async fn send(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.output.send(bytes).await
    }

    fn local_header(&self, path: &str, is_large: bool) -> Vec<u8> {
        let mut header = b"PK\x03\x04".to_vec();
        header.extend(VERSION.to_le_bytes());
        self.put_method_and_time(&mut header);
        header.extend([0; 4]);
        let size = if is_large { ELSEWHERE } else { 0 };
        header.extend(size.to_le_bytes());
        header.extend(size.to_le_bytes());
        let extra: &[u8] = match is_large {
            true => &[1, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            false => &[],
        };
        put_lengths(&mut header, path, extra);
        header.extend(path.as_bytes());
        header.extend(extra);
        header
    }

    fn directory_entry(&self, path: &str, crc: u32, size: u64, start: u64) -> Vec<u8> {
        let mut large = Vec::new();
        for (number, times) in [(size, 2), (start, 1)] {
            if number >= u64::from(ELSEWHERE) {
                large.extend(std::iter::repeat_n(number.to_le_bytes(), times).flatten());
            }
        }
        let mut extra = Vec::new();
        if let (false, Ok(length)) = (large.is_empty(), u16::try_from(large.len())) {
            extra.extend([1, 0]);
            extra.extend(length.to_le_bytes());
            extra.extend(large);
        }
        let mut entry = b"PK\x01\x02".to_vec();
        entry.extend(MADE_BY.to_le_bytes());
        entry.extend(VERSION.to_le_bytes());
        self.put_method_and_time(&mut entry);
        entry.extend(crc.to_le_bytes());
        entry.extend(short(size).to_le_bytes());
        entry.extend(short(size).to_le_bytes());
        put_lengths(&mut entry, path, &extra);
        // Length of a comment, number of a disk, kind of the content.
        entry.extend([0; 6]);
        entry.extend(MODE.to_le_bytes());
        entry.extend(short(start).to_le_bytes());
        entry.extend(path.as_bytes());
        entry.extend(extra);
        entry
    }

    fn put_method_and_time(&self, header: &mut Vec<u8>) {
        header.extend(FLAGS.to_le_bytes());
        header.extend([0; 2]);
        header.extend(self.modified.0.to_le_bytes());
        header.extend(self.modified.1.to_le_bytes());
    }
}

fn put_lengths(header: &mut Vec<u8>, path: &str, extra: &[u8]) {
    let length = |bytes: &[u8]| u16::try_from(bytes.len()).unwrap_or(u16::MAX).to_le_bytes();
    header.extend(length(path.as_bytes()));
    header.extend(length(extra));
}

/// A number in four bytes, or the mark that it stands elsewhere.
fn short(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(ELSEWHERE)
}

/// Time and date as ZIP has them.
fn dos_time(at: DateTime<Utc>) -> (u16, u16) {
    let year = u32::try_from(at.year().clamp(1980, 2107) - 1980).unwrap_or(0);
    let time = (at.hour() << 11) | (at.minute() << 5) | (at.second() / 2);
    let date = (year << 9) | (at.month() << 5) | at.day();
    let part = |number: u32| u16::try_from(number).unwrap_or(0);
    (part(time), part(date))
}
