//! The file that something is made of.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::refused::Refused;

/// Large enough that a picture is read in few calls.
const BUFFER: usize = 256 * 1024;

/// An opened file with what was said about it when it came.
#[derive(Debug)]
pub struct Source {
    file: BufReader<File>,
    length: u64,
    mime: String,
    name: Option<String>,
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
            file: BufReader::with_capacity(BUFFER, file),
            length: about.len(),
            mime: mime.to_owned(),
            name: name.map(str::to_owned),
        })
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

    /// The file from its first byte.
    ///
    /// # Errors
    /// The disk fails.
    pub fn from_start(&mut self) -> Result<&mut BufReader<File>, Refused> {
        let moved = self.file.seek(SeekFrom::Start(0));
        moved.map_err(|error| Refused::not_read("file", &error))?;
        Ok(&mut self.file)
    }

    /// The first bytes, `wanted` of them or as many as there are.
    ///
    /// # Errors
    /// The disk fails.
    pub fn head(&mut self, wanted: u64) -> Result<Vec<u8>, Refused> {
        let mut head = Vec::new();
        let read = self.from_start()?.take(wanted).read_to_end(&mut head);
        read.map_err(|error| Refused::not_read("file", &error))?;
        Ok(head)
    }

    /// The whole file in memory, for readers that cannot do with less.
    ///
    /// # Errors
    /// It has more than `limit` bytes, or the disk fails.
    pub fn whole(&mut self, limit: u64) -> Result<Vec<u8>, Refused> {
        if self.length > limit {
            return Err(Refused::unreadable(format!(
                "The file has {} MB; of this format, at most {} MB can be read.",
                self.length >> 20,
                limit >> 20
            )));
        }
        self.head(limit)
    }
}
