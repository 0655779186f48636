//! The parts of a ZIP whose files are stored as they are (APPNOTE 4.3). Sizes and places beyond 4 GB are told as ZIP64
//! (4.5.3).

use chrono::{DateTime, Datelike, Timelike, Utc};

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

/// A file in a ZIP.
#[derive(Debug, Clone, Copy)]
pub(super) struct ZipEntry<'p> {
    pub path: &'p str,
    /// Bytes.
    pub size: u64,
    /// Time and date as ZIP has them.
    pub modified: (u16, u16),
}

impl ZipEntry<'_> {
    fn is_large(&self) -> bool {
        self.size >= u64::from(ELSEWHERE)
    }

    /// What stands before the bytes.
    pub fn local_header(&self) -> Vec<u8> {
        let mut header = b"PK\x03\x04".to_vec();
        header.extend(VERSION.to_le_bytes());
        self.put_method_and_time(&mut header);
        header.extend([0; 4]);
        let size = if self.is_large() { ELSEWHERE } else { 0 };
        header.extend(size.to_le_bytes());
        header.extend(size.to_le_bytes());
        let extra: &[u8] = match self.is_large() {
            true => &[1, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            false => &[],
        };
        put_lengths(&mut header, self.path, extra);
        header.extend(self.path.as_bytes());
        header.extend(extra);
        header
    }

    /// What stands after the bytes.
    pub fn data_descriptor(&self, crc: u32) -> Vec<u8> {
        let mut after = b"PK\x07\x08".to_vec();
        after.extend(crc.to_le_bytes());
        for size in [self.size; 2] {
            match self.is_large() {
                true => after.extend(size.to_le_bytes()),
                false => after.extend(short(size).to_le_bytes()),
            }
        }
        after
    }

    /// What stands in the directory of an entry that begins at `start`.
    pub fn directory_header(&self, crc: u32, start: u64) -> Vec<u8> {
        let mut large = Vec::new();
        for (number, times) in [(self.size, 2), (start, 1)] {
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
        entry.extend(short(self.size).to_le_bytes());
        entry.extend(short(self.size).to_le_bytes());
        put_lengths(&mut entry, self.path, &extra);
        // Length of a comment, number of a disk, kind of the content.
        entry.extend([0; 6]);
        entry.extend(MODE.to_le_bytes());
        entry.extend(short(start).to_le_bytes());
        entry.extend(self.path.as_bytes());
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

/// What stands after a directory of some files, which begins at `start` and has `size` bytes.
pub(super) fn end_of_directory(files: u64, start: u64, size: u64) -> Vec<u8> {
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
    last.extend((start + size).to_le_bytes());
    last.extend(1_u32.to_le_bytes());
    last.extend(b"PK\x05\x06");
    last.extend([0; 4]);
    let count = u16::try_from(files).unwrap_or(u16::MAX);
    last.extend(count.to_le_bytes());
    last.extend(count.to_le_bytes());
    last.extend(short(size).to_le_bytes());
    last.extend(short(start).to_le_bytes());
    last.extend([0; 2]);
    last
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
pub(super) fn dos_time(at: DateTime<Utc>) -> (u16, u16) {
    let year = u32::try_from(at.year().clamp(1980, 2107) - 1980).unwrap_or(0);
    let time = (at.hour() << 11) | (at.minute() << 5) | (at.second() / 2);
    let date = (year << 9) | (at.month() << 5) | at.day();
    let part = |number: u32| u16::try_from(number).unwrap_or(0);
    (part(time), part(date))
}

/// The length of a ZIP of files whose sizes are known.
#[derive(Debug, Default)]
pub(crate) struct ZipLength {
    files: u64,
    entries: u64,
    directory: u64,
}

impl ZipLength {
    /// Counts a file; they are counted in the order in which they are written.
    pub fn add(&mut self, path: &str, size: u64) {
        let modified = Default::default();
        let entry = ZipEntry {
            path,
            size,
            modified,
        };
        let around = entry.local_header().len() + entry.data_descriptor(0).len();
        self.directory += entry.directory_header(0, self.entries).len() as u64;
        self.entries += around as u64 + size;
        self.files += 1;
    }

    /// Bytes of the whole ZIP.
    pub fn total(&self) -> u64 {
        let end = end_of_directory(self.files, self.entries, self.directory);
        self.entries + self.directory + end.len() as u64
    }
}
