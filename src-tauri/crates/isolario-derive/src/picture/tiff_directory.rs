//! The directories of a TIFF, one for each page (TIFF 6.0, Section 2; BigTIFF by its 64-bit counterparts).

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead, Read, Seek};

use super::super::refused::DeriveError;
use super::tiff_entry::{Entry, Writing, read, seek};

/// More pages than any scanner has put into one file.
const PAGES: usize = 100_000;
/// Entries of a directory; real ones have some dozens.
const ENTRIES: u64 = 4096;
/// Bytes of all values of a directory: places of tiles, profiles, texts.
const VALUES: u64 = 64 << 20;

const NEW_SUBFILE_TYPE: u16 = 254;
const WIDTH: u16 = 256;
/// Lengths of strips, and of tiles.
const LENGTHS: [u16; 2] = [279, 325];
/// What is read of a page that is passed by.
const OUTLINE: [u16; 4] = [NEW_SUBFILE_TYPE, WIDTH, LENGTHS[0], LENGTHS[1]];

/// Goes from page to page.
pub(super) struct Pages {
    writing: Writing,
    next: u64,
    seen: HashSet<u64>,
    /// Bytes that the pages so far say they have.
    claimed: u64,
}

/// A page: its tags.
#[derive(Debug)]
pub(super) struct Directory {
    writing: Writing,
    entries: BTreeMap<u16, Entry>,
    /// Whether all its fields were read as a whole.
    is_whole: bool,
    /// Bytes of the values of all its fields, as it says.
    claimed: u64,
}

/// A field of a directory.
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
            claimed: 0,
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
        self.next_with(file, |_| true)
    }

    /// The page of a number, from 1 on, among those that are no smaller pictures of others. A file of nothing but
    /// smaller pictures has one page, the first of these.
    ///
    /// # Errors
    /// As `next_page`; there is no such page.
    pub fn numbered(
        &mut self,
        file: &mut (impl BufRead + Seek),
        number: usize,
    ) -> Result<Directory, DeriveError> {
        let (mut count, mut smaller) = (0, None);
        loop {
            let place = self.next;
            let Some(page) = self.next_with(file, |tag| OUTLINE.contains(&tag))? else {
                break;
            };
            let lengths = LENGTHS.iter().flat_map(|tag| page.numbers(*tag));
            self.claimed = lengths.fold(
                self.claimed.saturating_add(page.claimed),
                u64::saturating_add,
            );
            if page.is_reduced() {
                smaller.get_or_insert((page, place));
                continue;
            }
            count += 1;
            if count == number {
                return page.at(place, file);
            }
        }
        match smaller.filter(|_| count == 0 && number == 1) {
            Some((page, place)) => page.at(place, file),
            None if count == 0 => Err(DeriveError::unreadable("The TIFF has no page.")),
            None => Err(DeriveError::unreadable(format!(
                "The TIFF has no page {number}."
            ))),
        }
    }

    /// Bytes that the pages up to the last one that was asked for say they have.
    pub fn claimed(&self) -> u64 {
        self.claimed
    }

    fn next_with(
        &mut self,
        file: &mut (impl BufRead + Seek),
        keeps: impl Fn(u16) -> bool,
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
        let (directory, next) = Directory::read(file, self.writing, self.next, keeps)?;
        self.next = next;
        Ok(Some(directory))
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
        keeps: impl Fn(u16) -> bool,
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
        let mut directory = Directory {
            writing,
            entries: BTreeMap::new(),
            is_whole: true,
            claimed: 0,
        };
        let mut left = VALUES;
        for entry in table.chunks_exact(writing.entry_size()) {
            directory.claimed = directory.claimed.saturating_add(writing.length(entry));
            if !keeps(writing.tag(entry)) {
                continue;
            }
            let value = writing.entry(file, entry, &mut left)?;
            directory.is_whole &= matches!(value, Some((_, _, true)));
            if let Some((tag, value, _)) = value {
                directory.entries.insert(tag, value);
            }
        }
        Ok((directory, next))
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
        Directory {
            writing,
            entries,
            is_whole: false,
            claimed: 0,
        }
    }

    /// What can be read of a directory that a field of this one points to.
    pub fn child(&self, tag: u16, file: &mut (impl BufRead + Seek)) -> Option<Directory> {
        let child = Directory::readable(file, self.writing, self.number(tag)?);
        (!child.is_empty()).then_some(child)
    }

    /// The directory at a place of the same file.
    ///
    /// # Errors
    /// The file ends within it.
    pub fn at(
        &self,
        place: u64,
        file: &mut (impl BufRead + Seek),
    ) -> Result<Directory, DeriveError> {
        Ok(Directory::read(file, self.writing, place, |_| true)?.0)
    }

    /// Whether it has no field.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Its fields of the types of TIFF 6.0.
    pub fn fields(&self) -> impl Iterator<Item = Field<'_>> {
        self.all_fields()
            .filter(|field| (1..=12).contains(&field.kind))
    }

    /// Its fields, whatever their types.
    pub fn all_fields(&self) -> impl Iterator<Item = Field<'_>> {
        self.entries.iter().map(|(tag, entry)| Field {
            tag: *tag,
            kind: entry.kind,
            count: entry.count(),
            bytes: &entry.bytes,
        })
    }

    /// Whether all its fields were read as a whole.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// How its numbers are written.
    pub fn writing(&self) -> Writing {
        self.writing
    }

    /// The whole numbers of a tag; none where it is missing or holds something else.
    pub fn numbers(&self, tag: u16) -> Vec<u64> {
        let Some(entry) = self.entries.get(&tag) else {
            return Vec::new();
        };
        if !matches!(entry.kind, 1 | 3 | 4 | 13 | 16 | 18) {
            return Vec::new();
        }
        let values = entry.bytes.chunks_exact(entry.size());
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
