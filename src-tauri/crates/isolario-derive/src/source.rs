//! The file that something is made of.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::process::Stdio;

use super::adjustment::Adjustment;
use super::refused::DeriveError;

/// Large enough that a picture is read in few calls.
const BUFFER: usize = 256 * 1024;

/// What can be read again and again.
pub(super) trait Bytes: Read + Seek + Debug {}
impl<R: Read + Seek + Debug> Bytes for R {}

/// What readers are given.
pub(super) type Input = BufReader<Box<dyn Bytes>>;

/// An opened file with what was said about it when it came.
#[derive(Debug)]
pub struct Source {
    input: Input,
    /// The file, for other programs.
    file: Option<File>,
    length: u64,
    mime: String,
    name: Option<String>,
    adjustment: Adjustment,
    /// The page that something is made of; none for the whole file.
    page: Option<usize>,
}

impl Source {
    /// A file that can be read again from the start.
    ///
    /// # Errors
    /// It cannot: a pipe, or a directory.
    pub fn new(file: File, mime: &str, name: Option<&str>) -> io::Result<Source> {
        let about = file.metadata()?;
        if !about.is_file() {
            return Err(io::Error::other("this is no regular file"));
        }
        Ok(Source {
            file: Some(file.try_clone()?),
            input: BufReader::with_capacity(BUFFER, Box::new(file)),
            length: about.len(),
            mime: mime.to_owned(),
            name: name.map(str::to_owned),
            adjustment: Adjustment::default(),
            page: None,
        })
    }

    /// One page of the file, from 1 on.
    #[must_use]
    pub fn of_page(self, page: usize) -> Source {
        Source {
            page: Some(page),
            ..self
        }
    }

    /// What was found within a file: a cover, a poster.
    pub(super) fn of_memory(bytes: Vec<u8>, mime: &str) -> Source {
        Source {
            file: None,
            length: bytes.len() as u64,
            input: BufReader::new(Box::new(Cursor::new(bytes))),
            mime: mime.to_owned(),
            name: None,
            adjustment: Adjustment::default(),
            page: None,
        }
    }

    /// The same file, whose picture is to be adjusted.
    pub fn adjusted(self, adjustment: Adjustment) -> Source {
        Source { adjustment, ..self }
    }

    /// How its picture is to be adjusted.
    pub(super) fn adjustment(&self) -> Adjustment {
        self.adjustment
    }

    /// Gives it a name to have come with.
    #[cfg(test)]
    pub(super) fn set_name(&mut self, name: &str) {
        self.name = Some(name.to_owned());
    }

    /// Bytes of the whole file.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The MIME type it came with, which may be wrong.
    pub fn mime(&self) -> &str {
        &self.mime
    }

    /// The name it came with.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The page that something is made of, from 1 on; none for the whole file.
    pub(super) fn page(&self) -> Option<usize> {
        self.page
    }

    /// The file from its first byte.
    ///
    /// # Errors
    /// The disk fails.
    pub(super) fn rewound(&mut self) -> Result<&mut Input, DeriveError> {
        let moved = self.input.seek(SeekFrom::Start(0));
        moved.map_err(|error| DeriveError::not_read("file", &error))?;
        Ok(&mut self.input)
    }

    /// The first bytes, `wanted` of them or as many as there are.
    ///
    /// # Errors
    /// The disk fails.
    pub fn head(&mut self, wanted: u64) -> Result<Vec<u8>, DeriveError> {
        let mut head = Vec::new();
        let read = self.rewound()?.take(wanted).read_to_end(&mut head);
        read.map_err(|error| DeriveError::not_read("file", &error))?;
        Ok(head)
    }

    /// So many bytes from the start and from the end; the whole file where that is not longer.
    ///
    /// # Errors
    /// The disk fails.
    pub(super) fn ends(&mut self, wanted: u64) -> Result<Vec<u8>, DeriveError> {
        let mut ends = self.head(wanted)?;
        let from = self.length.saturating_sub(wanted).max(wanted);
        let read = self.input.seek(SeekFrom::Start(from));
        let read = read.and_then(|_| (&mut self.input).take(wanted).read_to_end(&mut ends));
        read.map_err(|error| DeriveError::not_read("file", &error))?;
        Ok(ends)
    }

    /// The whole file in memory, for readers that cannot do with less.
    ///
    /// # Errors
    /// It has more than `limit` bytes, or the disk fails.
    pub fn whole(&mut self, limit: u64) -> Result<Vec<u8>, DeriveError> {
        if self.length > limit {
            return Err(DeriveError::unreadable(format!(
                "The file has {} MB; of this format, at most {} MB can be read.",
                self.length >> 20,
                limit >> 20
            )));
        }
        self.head(limit)
    }

    /// The file as the standard input of another program, from its first byte; `/proc/self/fd/0` for that program.
    ///
    /// # Errors
    /// The disk fails, or this is no file.
    pub(super) fn for_program(&mut self) -> Result<Stdio, DeriveError> {
        self.rewound()?;
        let none = || io::Error::other("there is no file of its own");
        let file = self
            .file
            .as_ref()
            .ok_or_else(none)
            .and_then(|file| file.try_clone());
        let file = file.map_err(|error| {
            DeriveError::Failed(format!("The file could not be read: {error}."))
        })?;
        Ok(Stdio::from(file))
    }
}
