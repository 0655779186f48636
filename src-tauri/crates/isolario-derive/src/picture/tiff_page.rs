//! Cuts a page out of a TIFF: a file of its own with the same fields and the same strips or tiles. Nothing is packed
//! anew. Only the places of what is in the file differ.

use std::io::{self, Read, Seek, SeekFrom, Write};

use serde_json::{Map, Value};

use super::super::Derivative;
use super::super::refused::DeriveError;
use super::super::source::{Input, Source};
use super::format::Format;
use super::tiff_directory::{Directory, Pages};
use super::tiff_entry::Writing;

const WIDTH: u16 = 256;
const HEIGHT: u16 = 257;
const COMPRESSION: u16 = 259;
/// The fields with the places of strips or of tiles, each with that of their lengths.
const CHUNKS: [(u16, u16); 2] = [(273, 279), (324, 325)];
/// Fields with the places of directories: of smaller pictures, of a fax, of the camera, of the place.
const CHILDREN: [u16; 5] = [330, 400, 34665, 34853, 40965];
/// Fields with the places of bytes that nobody uses, and with their lengths.
const UNUSED: [u16; 2] = [288, 289];
/// The JPEG of TIFF 6.0, whose fields hold places, each program in its own way (TIFF Technical Note 2).
const OLD_JPEG: u64 = 6;

/// How deep directories lie in others, and how many a page has.
const DEEPEST: usize = 3;
const MOST_CHILDREN: usize = 100;
/// Pages may share what is in the file: so many bytes each, beyond twice the bytes of the file.
const SHARED: u64 = 1 << 20;

/// Types of numbers: 4 bytes, and 8 bytes in a BigTIFF.
const LONG: u16 = 4;
const LONG8: u16 = 16;

/// Writes the page that is asked for, or the first, as a file of its own.
///
/// # Errors
/// This is no TIFF, it has no such page, or the page is not whole.
pub(in super::super) fn cut(
    source: &mut Source,
    target: &mut dyn Write,
) -> Result<Derivative, DeriveError> {
    if Format::of(source)? != Format::Tiff {
        return Err(DeriveError::unreadable(
            "Only of a TIFF can a page become a file of its own.",
        ));
    }
    let (number, length) = (source.page().unwrap_or(1), source.length());
    let file = source.rewound()?;
    let mut pages = Pages::of(file)?;
    let page = pages.numbered(file, number)?;
    let shared = SHARED.saturating_mul(number as u64);
    if pages.claimed() > length.saturating_mul(2).saturating_add(shared) {
        return Err(DeriveError::damaged(
            "TIFF",
            "its pages say that they have more bytes than the file",
        ));
    }
    let mut cutting = PageWriter::new(page.writing());
    let place = cutting.directory(&page, file, 0)?;
    cutting.write(place, length, file, target)?;
    let mut facts = Map::new();
    for (name, tag) in [("width", WIDTH), ("height", HEIGHT)] {
        facts.insert(
            name.to_owned(),
            page.number(tag).map_or(Value::Null, Value::from),
        );
    }
    Ok(Derivative {
        mime: "image/tiff",
        extension: "tif",
        facts,
    })
}

/// A field as it is written: its number of values, and their bytes.
struct NewEntry {
    tag: u16,
    kind: u16,
    count: u64,
    value: Vec<u8>,
    /// The values are the places of the chunks from this one on.
    chunks: Option<usize>,
}

/// A strip or tile.
struct Chunk {
    offset: u64,
    length: u64,
    /// Where its new place is to be written.
    place_at: usize,
}

/// The file of a page: its fields, which are followed by its strips or tiles.
struct PageWriter {
    writing: Writing,
    /// All that stands before the chunks, from the first byte of the file on.
    head: Vec<u8>,
    chunks: Vec<Chunk>,
    children: usize,
}

impl PageWriter {
    fn new(writing: Writing) -> PageWriter {
        let mut head = if writing.little { *b"II" } else { *b"MM" }.to_vec();
        head.extend(writing.bytes(if writing.big { 43 } else { 42 }, 2));
        if writing.big {
            head.extend(writing.bytes(8, 2));
            head.extend([0; 2]);
        }
        head.resize(head.len() + writing.inline(), 0);
        PageWriter {
            writing,
            head,
            chunks: Vec::new(),
            children: 0,
        }
    }

    /// Adds a directory, after those that it points to. Answers its place.
    fn directory(
        &mut self,
        directory: &Directory,
        file: &mut Input,
        depth: usize,
    ) -> Result<usize, DeriveError> {
        if !directory.is_whole() {
            return Err(DeriveError::damaged(
                "TIFF",
                "a field of the page is not whole",
            ));
        }
        if directory.number(COMPRESSION) == Some(OLD_JPEG) {
            return Err(DeriveError::unreadable(
                "The page is compressed by TIFF's method 6, of which no file of its own can be made.",
            ));
        }
        let mut entries = Vec::new();
        for field in directory.all_fields() {
            let chunks = CHUNKS.iter().find(|(places, _)| *places == field.tag);
            let entry = match chunks {
                Some((places, lengths)) => Some(self.chunk_places(directory, *places, *lengths)?),
                None if CHILDREN.contains(&field.tag) => {
                    self.child_places(directory, field.tag, file, depth)?
                }
                None => Some(NewEntry {
                    tag: field.tag,
                    kind: field.kind,
                    count: field.count as u64,
                    value: field.bytes.to_vec(),
                    chunks: None,
                }),
            };
            entries.extend(entry.filter(|entry| !UNUSED.contains(&entry.tag)));
        }
        Ok(self.table(&entries))
    }

    /// Room for the places of strips or tiles, which are not known yet.
    fn chunk_places(
        &mut self,
        directory: &Directory,
        places: u16,
        lengths: u16,
    ) -> Result<NewEntry, DeriveError> {
        let (offsets, lengths) = (directory.numbers(places), directory.numbers(lengths));
        if offsets.len() != lengths.len() {
            let words = "it does not say how long all its strips are";
            return Err(DeriveError::damaged("TIFF", words));
        }
        let first = self.chunks.len();
        let chunks = offsets.iter().zip(lengths).map(|(offset, length)| Chunk {
            offset: *offset,
            length,
            place_at: 0,
        });
        self.chunks.extend(chunks);
        let mut entry = self.places(places, &vec![0; offsets.len()]);
        entry.chunks = Some(first);
        Ok(entry)
    }

    /// Adds the directories that a field points to. What cannot be read of them is left out.
    fn child_places(
        &mut self,
        directory: &Directory,
        tag: u16,
        file: &mut Input,
        depth: usize,
    ) -> Result<Option<NewEntry>, DeriveError> {
        let mut places = Vec::new();
        for place in directory.numbers(tag) {
            if depth == DEEPEST || self.children == MOST_CHILDREN {
                break;
            }
            self.children += 1;
            match directory.at(place, file) {
                Ok(child) if child.is_whole() => {
                    places.push(self.directory(&child, file, depth + 1)? as u64);
                }
                Ok(_) | Err(DeriveError::Unreadable(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok((!places.is_empty()).then(|| self.places(tag, &places)))
    }

    fn places(&self, tag: u16, places: &[u64]) -> NewEntry {
        let size = self.writing.inline();
        let bytes = places.iter().map(|place| self.writing.bytes(*place, size));
        NewEntry {
            tag,
            kind: if self.writing.big { LONG8 } else { LONG },
            count: places.len() as u64,
            value: bytes.flatten().collect(),
            chunks: None,
        }
    }

    /// Adds a table of fields and their values. Answers its place.
    fn table(&mut self, entries: &[NewEntry]) -> usize {
        let (writing, inline) = (self.writing, self.writing.inline());
        self.head.resize(self.head.len().next_multiple_of(8), 0);
        let place = self.head.len();
        let length = writing.count_size() + entries.len() * writing.entry_size() + inline;
        let mut values_at = place + length;
        let mut values = Vec::new();
        self.head
            .extend(writing.bytes(entries.len() as u64, writing.count_size()));
        for entry in entries {
            self.head.extend(writing.bytes(entry.tag.into(), 2));
            self.head.extend(writing.bytes(entry.kind.into(), 2));
            self.head.extend(writing.bytes(entry.count, inline));
            let mut at = self.head.len();
            if entry.value.len() > inline {
                at = values_at;
                self.head.extend(writing.bytes(at as u64, inline));
                values.extend(&entry.value);
                values.resize(values.len().next_multiple_of(8), 0);
                values_at = place + length + values.len();
            } else {
                self.head.extend(&entry.value);
                self.head.resize(at + inline, 0);
            }
            let chunks = entry
                .chunks
                .map_or(&mut [][..], |first| &mut self.chunks[first..]);
            for (index, chunk) in chunks.iter_mut().take(entry.count as usize).enumerate() {
                chunk.place_at = at + index * inline;
            }
        }
        // There is no next page.
        self.head.resize(self.head.len() + inline, 0);
        self.head.extend(values);
        place
    }

    /// Writes the whole file, with the directory at `first` as its page.
    fn write(
        mut self,
        first: usize,
        length: u64,
        file: &mut Input,
        target: &mut dyn Write,
    ) -> Result<(), DeriveError> {
        let inline = self.writing.inline();
        let from = if self.writing.big { 8 } else { 4 };
        self.put(from, first as u64);
        self.head.resize(self.head.len().next_multiple_of(8), 0);
        let (mut place, mut claimed) = (self.head.len() as u64, 0_u64);
        for index in 0..self.chunks.len() {
            let Chunk {
                length, place_at, ..
            } = self.chunks[index];
            self.put(place_at, place);
            claimed = claimed.saturating_add(length);
            place = place.saturating_add(length.saturating_add(length % 2));
        }
        if claimed > length {
            let words = "the page says that it has more bytes than the file";
            return Err(DeriveError::damaged("TIFF", words));
        }
        if inline == 4 && place > u64::from(u32::MAX) {
            return Err(DeriveError::unreadable(
                "The page is too large for a file of its own.",
            ));
        }
        target
            .write_all(&self.head)
            .map_err(DeriveError::not_written)?;
        for chunk in &self.chunks {
            copy(chunk, file, target)?;
        }
        Ok(())
    }

    fn put(&mut self, at: usize, place: u64) {
        let bytes = self.writing.bytes(place, self.writing.inline());
        self.head[at..at + bytes.len()].copy_from_slice(&bytes);
    }
}

/// Copies a strip or tile; the next one begins at an even place.
fn copy(chunk: &Chunk, file: &mut Input, target: &mut dyn Write) -> Result<(), DeriveError> {
    let found = file.seek(SeekFrom::Start(chunk.offset));
    found.map_err(|error| DeriveError::not_read("page", &error))?;
    let mut left = chunk.length;
    let mut bytes = vec![0; 64 << 10];
    while left > 0 {
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
        let read = file.read(&mut bytes[..wanted]);
        let read = match read {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            other => other,
        };
        let read = read.map_err(|error| DeriveError::not_read("page", &error))?;
        target
            .write_all(&bytes[..read])
            .map_err(DeriveError::not_written)?;
        left -= read as u64;
    }
    let padding = vec![0; (chunk.length % 2) as usize];
    target.write_all(&padding).map_err(DeriveError::not_written)
}

#[cfg(test)]
mod tests;
