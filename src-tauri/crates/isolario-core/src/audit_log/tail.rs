//! The end of the log, and lines that are added to it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use isolario_disk::regular_file;

use super::{AuditEntry, AuditLine, FIRST, hash_of};

/// So much of the end is read for the last line, which is shorter.
const END: u64 = 1 << 20;

/// The log, open to be added to.
pub(super) struct Tail {
    file: File,
    number: u64,
    /// Hash of the last line.
    head: String,
    /// What the last line says; `None`: there is none.
    pub last: Option<AuditEntry>,
}

impl Tail {
    /// Opens the log and makes it where there is none. A line that was not written to its end is taken away: its change is
    /// in the database.
    ///
    /// # Errors
    /// Those of the disk, and for a last line that is none of ours.
    pub fn open(path: &Path) -> io::Result<Tail> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).mode(0o600);
        let mut file = regular_file::open_with(&mut options, path)?;
        let length = file.metadata()?.len();
        let from = length.saturating_sub(END);
        file.seek(SeekFrom::Start(from))?;
        let mut end = Vec::new();
        Read::take(&file, END).read_to_end(&mut end)?;
        let whole = end.iter().rposition(|byte| *byte == b'\n');
        let Some(whole) = whole else {
            file.set_len(from)?;
            return match from {
                0 => Ok(Tail::empty(file)),
                _ => Err(not_ours()),
            };
        };
        file.set_len(from + whole as u64 + 1)?;
        let line = end[..whole].rsplit(|byte| *byte == b'\n').next();
        let line = line.unwrap_or_default();
        let last: AuditLine = serde_json::from_slice(line).map_err(|_| not_ours())?;
        Ok(Tail {
            file,
            number: last.number,
            head: hash_of(line),
            last: Some(last.entry),
        })
    }

    fn empty(file: File) -> Tail {
        Tail {
            file,
            number: 0,
            head: FIRST.to_owned(),
            last: None,
        }
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
        self.file.write_all(&lines)
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

fn not_ours() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "its last line is not one that this program has written",
    )
}
