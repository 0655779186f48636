//! The end of the log, and lines that are added to it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use chrono::Utc;

use super::{AuditEntry, AuditLine, FIRST, hash_of};
use isolario_disk::regular_file;
use isolario_model::fields::iso;
use isolario_platform::files::WithMode;

/// So much of the end is read. What was not synced is shorter.
const END: u64 = 1 << 20;

/// The log, open to be added to.
pub(super) struct Tail {
    file: File,
    number: u64,
    /// Hash of the last line.
    head: String,
    /// What the last line says; `None`: there is none.
    pub last: Option<AuditEntry>,
    /// Bytes that are not known to be on the disk.
    pub unsynced: usize,
}

impl Tail {
    /// Opens the log and makes it where there is none. What a power cut has left of lines that were not synced is taken away
    /// from its end, and a line says so: their changes are in the database.
    ///
    /// # Errors
    /// Those of the disk, and for a log of which no line at the end is one of ours.
    pub fn open(path: &Path) -> io::Result<Tail> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).mode(0o600);
        let mut file = regular_file::open_with(&mut options, path)?;
        let length = file.metadata()?.len();
        let from = length.saturating_sub(END);
        file.seek(SeekFrom::Start(from))?;
        let mut end = Vec::new();
        Read::take(&file, END).read_to_end(&mut end)?;
        let (last, whole) = last_of_chain(&end, from == 0);
        let Some((line, last)) = last else {
            return match from + whole {
                0 => Tail::emptied(file, length),
                _ => Err(not_ours()),
            };
        };
        let tail = Tail {
            number: last.number,
            head: hash_of(line),
            last: Some(last.entry),
            unsynced: 0,
            file,
        };
        tail.cut(from + whole, length)
    }

    /// A log without a line, of which so many bytes were left.
    fn emptied(file: File, length: u64) -> io::Result<Tail> {
        let tail = Tail {
            file,
            number: 0,
            head: FIRST.to_owned(),
            last: None,
            unsynced: 0,
        };
        tail.cut(0, length)
    }

    /// Takes away what stands behind a place, and says so.
    fn cut(mut self, at: u64, length: u64) -> io::Result<Tail> {
        if at == length {
            return Ok(self);
        }
        self.file.set_len(at)?;
        let after_event = self.last.as_ref().map_or(0, AuditEntry::last_event);
        self.add(vec![AuditEntry::Cut {
            at: iso(Utc::now().timestamp()),
            bytes: length - at,
            after_event,
        }])?;
        Ok(self)
    }

    /// Adds lines, on their way to the disk.
    ///
    /// # Errors
    /// Those of the disk. The log is to be opened again then.
    pub fn add(&mut self, entries: Vec<AuditEntry>) -> io::Result<()> {
        let mut lines = Vec::new();
        for entry in entries {
            self.number += 1;
            let line = AuditLine {
                number: self.number,
                previous: std::mem::take(&mut self.head),
                entry,
            };
            let text = serde_json::to_vec(&line)?;
            self.head = hash_of(&text);
            lines.extend(text);
            lines.push(b'\n');
            self.last = Some(line.entry);
        }
        self.unsynced += lines.len();
        self.file.write_all(&lines)
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        self.unsynced = 0;
        Ok(())
    }
}

/// The last line of a chain, and where it ends. `is_whole` says that the chain begins here; otherwise a part of a line
/// stands before.
fn last_of_chain(text: &[u8], is_whole: bool) -> (Option<(&[u8], AuditLine)>, u64) {
    let mut last: Option<(&[u8], AuditLine)> = None;
    let mut whole = 0;
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    if !is_whole {
        whole += lines.next().map_or(0, <[u8]>::len);
    }
    for line in lines {
        let Some(written) = line.strip_suffix(b"\n") else {
            break;
        };
        let Ok(read) = serde_json::from_slice::<AuditLine>(written) else {
            break;
        };
        let follows = match &last {
            Some((before, _)) => read.previous == hash_of(before),
            None => !is_whole || read.previous == FIRST,
        };
        if !follows {
            break;
        }
        whole += line.len();
        last = Some((written, read));
    }
    (last, whole as u64)
}

fn not_ours() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "its last lines are not those that this program has written",
    )
}
