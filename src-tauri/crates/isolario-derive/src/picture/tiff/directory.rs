//! The directories of a TIFF, one for each page (TIFF 6.0, Section 2; BigTIFF by its 64-bit counterparts).

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::super::super::refused::DeriveError;

/// More pages than any scanner has put into one file.
const PAGES: usize = 100_000;
/// Entries of a directory; real ones have some dozens.
const ENTRIES: u64 = 4096;
/// Bytes of all values of a directory: places of tiles, profiles, texts.
const VALUES: u64 = 64 << 20;

const NEW_SUBFILE_TYPE: u16 = 254;
const WIDTH: u16 = 256;

/// How numbers are written in a file.
#[derive(Debug, Clone, Copy)]
struct Writing {
    little: bool,
    big: bool,
}

/// Goes from page to page.
pub(in super::super) struct Pages {
    writing: Writing,
    next: u64,
    seen: HashSet<u64>,
}

/// A page: its tags.
#[derive(Debug)]
pub(in super::super) struct Directory {
    writing: Writing,
    entries: BTreeMap<u16, Entry>,
}

#[derive(Debug)]
struct Entry {
    kind: u16,
    bytes: Vec<u8>,
}

impl Pages {
    /// Before the first page.
    ///
    /// # Errors
    /// This is no TIFF.
    pub fn of(file: &mut impl BufRead) -> Result<Pages, DeriveError> {
        let mut head = [0; 8];
        read(file, &mut head)?;
        let little = &head[..2] == b"II";
        let plain = Writing { little, big: false };
        let big = plain.number(&head[2..4]) == 43;
        let writing = Writing { little, big };
        let next = if big {
            let mut offset = [0; 8];
            read(file, &mut offset)?;
            writing.number(&offset)
        } else {
            writing.number(&head[4..8])
        };
        Ok(Pages {
            writing,
            next,
            seen: HashSet::new(),
        })
    }

    /// The next page, if there is one.
    ///
    /// # Errors
    /// The pages go round in a circle, are too many, or the file ends within one.
    pub fn next_page(
        &mut self,
        file: &mut (impl BufRead + Seek),
    ) -> Result<Option<Directory>, DeriveError> {
        if self.next == 0 {
            return Ok(None);
        }
        if !self.seen.insert(self.next) {
            return Err(DeriveError::unreadable(
                "The pages of the TIFF go round in a circle.",
            ));
        }
        if self.seen.len() > PAGES {
            return Err(DeriveError::unreadable(format!(
                "The TIFF has more than {PAGES} pages."
            )));
        }
        let (directory, next) = Directory::read(file, self.writing, self.next)?;
        self.next = next;
        Ok(Some(directory))
    }

    /// A directory that a page names, which is no page.
    ///
    /// # Errors
    /// The file ends within it.
    pub fn directory_at(
        &self,
        file: &mut (impl BufRead + Seek),
        place: u64,
    ) -> Result<Directory, DeriveError> {
        Ok(Directory::read(file, self.writing, place)?.0)
    }
}

impl Directory {
    fn read(
        file: &mut (impl BufRead + Seek),
        writing: Writing,
        offset: u64,
    ) -> Result<(Directory, u64), DeriveError> {
        let (count_size, entry_size) = if writing.big { (8, 20) } else { (2, 12) };
        let (inline, offset_size) = if writing.big { (8, 8) } else { (4, 4) };
        seek(file, offset)?;
        let count = writing.take(file, count_size)?;
        if count == 0 || count > ENTRIES {
            return Err(DeriveError::damaged(
                "TIFF",
                format!("a page has {count} tags"),
            ));
        }
        let mut table = vec![0; count as usize * entry_size];
        read(file, &mut table)?;
        let next = writing.take(file, offset_size)?;
        let mut entries = BTreeMap::new();
        let mut left = VALUES;
        for entry in table.chunks_exact(entry_size) {
            let tag = writing.number(&entry[..2]) as u16;
            let kind = writing.number(&entry[2..4]) as u16;
            let count = writing.number(&entry[4..entry_size - inline]);
            let value = &entry[entry_size - inline..];
            let Some(length) = count
                .checked_mul(size(kind))
                .filter(|length| *length <= left)
            else {
                continue;
            };
            left -= length;
            let bytes = if length <= inline as u64 {
                value[..length as usize].to_vec()
            } else {
                seek(file, writing.number(value))?;
                let mut bytes = Vec::new();
                let taken = file.take(length).read_to_end(&mut bytes);
                taken.map_err(|error| DeriveError::not_read("TIFF", &error))?;
                bytes
            };
            entries.insert(tag, Entry { kind, bytes });
        }
        Ok((Directory { writing, entries }, next))
    }

    /// The whole numbers of a tag; none where it is missing or holds something else.
    pub fn numbers(&self, tag: u16) -> Vec<u64> {
        let Some(entry) = self.entries.get(&tag) else {
            return Vec::new();
        };
        let size = match entry.kind {
            1 | 3 | 4 | 13 | 16 | 18 => size(entry.kind) as usize,
            _ => return Vec::new(),
        };
        let values = entry.bytes.chunks_exact(size);
        values.map(|bytes| self.writing.number(bytes)).collect()
    }

    /// The first number of a tag.
    pub fn number(&self, tag: u16) -> Option<u64> {
        self.numbers(tag).first().copied()
    }

    /// The first fraction of a tag.
    pub fn fraction(&self, tag: u16) -> Option<f64> {
        let entry = self.entries.get(&tag).filter(|entry| entry.kind == 5)?;
        let (top, bottom) = (entry.bytes.get(..4)?, entry.bytes.get(4..8)?);
        Some(self.writing.number(top) as f64 / self.writing.number(bottom) as f64)
    }

    /// The bytes of a tag, whatever they mean.
    pub fn bytes(&self, tag: u16) -> Option<&[u8]> {
        let entry = self.entries.get(&tag)?;
        Some(entry.bytes.as_slice()).filter(|bytes| !bytes.is_empty())
    }

    /// Whether the page is a preview of another one, or no picture.
    pub fn is_reduced(&self) -> bool {
        let kind = self.number(NEW_SUBFILE_TYPE).unwrap_or_default();
        kind & 1 == 1 || self.number(WIDTH).is_none()
    }

    /// Whether numbers are written with the least byte first.
    pub fn is_little_endian(&self) -> bool {
        self.writing.little
    }
}

impl Writing {
    fn number(self, bytes: &[u8]) -> u64 {
        let shift = |number, byte: &u8| number << 8 | u64::from(*byte);
        match self.little {
            true => bytes.iter().rev().fold(0, shift),
            false => bytes.iter().fold(0, shift),
        }
    }

    fn take(self, file: &mut impl BufRead, size: usize) -> Result<u64, DeriveError> {
        let mut bytes = [0; 8];
        read(file, &mut bytes[..size])?;
        Ok(self.number(&bytes[..size]))
    }
}

/// Bytes of a value, by its type. Unknown types are taken for bytes.
fn size(kind: u16) -> u64 {
    match kind {
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16 | 17 | 18 => 8,
        _ => 1,
    }
}

fn read(file: &mut impl BufRead, bytes: &mut [u8]) -> Result<(), DeriveError> {
    let read = file.read_exact(bytes);
    read.map_err(|error: io::Error| DeriveError::not_read("TIFF", &error))
}

fn seek(file: &mut impl Seek, offset: u64) -> Result<(), DeriveError> {
    match file.seek(SeekFrom::Start(offset)) {
        Ok(_) => Ok(()),
        Err(error) => Err(DeriveError::damaged("TIFF", error)),
    }
}
