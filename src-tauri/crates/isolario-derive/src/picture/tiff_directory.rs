//! The directories of a TIFF, one for each page (TIFF 6.0, Section 2; BigTIFF by its 64-bit counterparts).

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::super::refused::DeriveError;

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
pub(super) struct Pages {
    writing: Writing,
    next: u64,
    seen: HashSet<u64>,
}

/// A page: its tags.
#[derive(Debug)]
pub(super) struct Directory {
    writing: Writing,
    entries: BTreeMap<u16, Entry>,
}

#[derive(Debug)]
struct Entry {
    kind: u16,
    bytes: Vec<u8>,
}

/// A field of a directory whose type TIFF 6.0 knows.
pub(super) struct Field<'a> {
    pub tag: u16,
    pub kind: u16,
    /// Values of that type.
    pub count: usize,
    pub bytes: &'a [u8],
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

    /// What can be read of the next page.
    pub fn readable_page(&self, file: &mut (impl BufRead + Seek)) -> Directory {
        Directory::readable(file, self.writing, self.next)
    }
}

impl Directory {
    fn read(
        file: &mut (impl BufRead + Seek),
        writing: Writing,
        offset: u64,
    ) -> Result<(Directory, u64), DeriveError> {
        seek(file, offset)?;
        let count = writing.take(file, writing.count_size())?;
        if count == 0 || count > ENTRIES {
            return Err(DeriveError::damaged(
                "TIFF",
                format!("a page has {count} tags"),
            ));
        }
        let mut table = vec![0; count as usize * writing.entry_size()];
        read(file, &mut table)?;
        let next = writing.take(file, writing.inline())?;
        let mut entries = BTreeMap::new();
        let mut left = VALUES;
        for entry in table.chunks_exact(writing.entry_size()) {
            if let Some((tag, value, _)) = writing.entry(file, entry, &mut left)? {
                entries.insert(tag, value);
            }
        }
        Ok((Directory { writing, entries }, next))
    }

    /// Those of its fields that are whole.
    fn readable(file: &mut (impl BufRead + Seek), writing: Writing, offset: u64) -> Directory {
        let mut entries = BTreeMap::new();
        let count = seek(file, offset).and_then(|()| writing.take(file, writing.count_size()));
        let length = count.unwrap_or_default().min(ENTRIES) * writing.entry_size() as u64;
        let mut table = Vec::new();
        // What was read before the end is of use.
        let _ = file.take(length).read_to_end(&mut table);
        let mut left = VALUES;
        for entry in table.chunks_exact(writing.entry_size()) {
            if let Ok(Some((tag, value, true))) = writing.entry(file, entry, &mut left) {
                entries.entry(tag).or_insert(value);
            }
        }
        Directory { writing, entries }
    }

    /// What can be read of a directory that a field of this one points to.
    pub fn child(&self, tag: u16, file: &mut (impl BufRead + Seek)) -> Option<Directory> {
        let child = Directory::readable(file, self.writing, self.number(tag)?);
        (!child.is_empty()).then_some(child)
    }

    /// Whether it has no field.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Its fields of the types of TIFF 6.0.
    pub fn fields(&self) -> impl Iterator<Item = Field<'_>> {
        let known = self
            .entries
            .iter()
            .filter(|(_, entry)| (1..=12).contains(&entry.kind));
        known.map(|(tag, entry)| Field {
            tag: *tag,
            kind: entry.kind,
            count: entry.bytes.len() / size(entry.kind) as usize,
            bytes: &entry.bytes,
        })
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
    /// Bytes of the number of entries of a directory.
    fn count_size(self) -> usize {
        if self.big { 8 } else { 2 }
    }

    fn entry_size(self) -> usize {
        if self.big { 20 } else { 12 }
    }

    /// Bytes of an offset, and of a value that stands in its entry.
    fn inline(self) -> usize {
        if self.big { 8 } else { 4 }
    }

    /// The tag and the value of an entry, and whether all of the value is there; none where it is too long.
    fn entry(
        self,
        file: &mut (impl BufRead + Seek),
        entry: &[u8],
        left: &mut u64,
    ) -> Result<Option<(u16, Entry, bool)>, DeriveError> {
        let (entry, value) = entry.split_at(self.entry_size() - self.inline());
        let tag = self.number(&entry[..2]) as u16;
        let kind = self.number(&entry[2..4]) as u16;
        let length = self.number(&entry[4..]).checked_mul(size(kind));
        let Some(length) = length.filter(|length| length <= left) else {
            return Ok(None);
        };
        *left -= length;
        let mut bytes = Vec::new();
        if length <= self.inline() as u64 {
            bytes.extend(&value[..length as usize]);
        } else {
            seek(file, self.number(value))?;
            let taken = file.take(length).read_to_end(&mut bytes);
            taken.map_err(|error| DeriveError::not_read("TIFF", &error))?;
        }
        let whole = bytes.len() as u64 == length;
        Ok(Some((tag, Entry { kind, bytes }, whole)))
    }

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
