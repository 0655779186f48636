//! How many entries a ZIP has, before a reader takes their names into memory.

use isolario_platform::files::FileAt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

/// Bytes of the records at the end of a ZIP, with the longest comment.
const LONGEST_END: u64 = 22 + 20 + 56 + (1 << 16);
/// How many entries a ZIP says it has, before they are read into memory: the most that any record at its end says.
pub(crate) fn entries_said(file: &File, length: u64) -> io::Result<u64> {
    let start = length.saturating_sub(LONGEST_END);
    let mut end = Vec::new();
    let at = |at| BytesAt::new(file, at);
    at(start).take(LONGEST_END).read_to_end(&mut end)?;
    let mut most = 0;
    for place in 0..end.len().saturating_sub(22) + 1 {
        let record = &end[place..];
        if record.starts_with(b"PK\x05\x06") && record.len() >= 12 {
            most = most.max(u64::from(u16::from_le_bytes([record[10], record[11]])));
        } else if record.starts_with(b"PK\x06\x07") && record.len() >= 16 {
            // ZIP64: the record says where another one stands.
            let mut large = Vec::new();
            let place = number(&record[8..16]);
            at(place).take(40).read_to_end(&mut large)?;
            most = most.max(large.get(32..40).map_or(0, number));
        }
    }
    Ok(most)
}

fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Bytes of a file from a place on.
pub(crate) struct BytesAt<F> {
    file: F,
    at: u64,
}

impl<F: Deref<Target = File>> BytesAt<F> {
    /// Those of an open file from an offset on. Several read the same file.
    pub fn new(file: F, at: u64) -> BytesAt<F> {
        BytesAt { file, at }
    }
}

impl<F: Deref<Target = File>> Read for BytesAt<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}
