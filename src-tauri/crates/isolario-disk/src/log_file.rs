//! Log files. Lines gather in a thread of their own; a file that is full is put aside, and the oldest goes.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use crate::regular_file;
use isolario_platform::files::{self, WithMode};

/// How many lines may wait for the disk; beyond, lines are left out rather than requests held up.
const WAITING: usize = 16_384;
/// How long lines gather: waking a thread and writing costs more than answering a request.
const GATHERING: Duration = Duration::from_millis(100);

/// A log in `logs/` of a data directory. Cheap to clone.
#[derive(Clone)]
pub struct LogFile(SyncSender<Line>);

enum Line {
    Text(String),
    /// Answered when everything before is on its way to the disk.
    Flush(SyncSender<()>),
}

impl LogFile {
    /// Begins `logs/NAME.log`. A new file is begun after so many megabytes, and so many full ones are kept. A log that
    /// cannot be written is said once, and costs no request.
    pub fn open(
        data_directory: &Path,
        name: &'static str,
        megabytes: u64,
        kept_files: usize,
    ) -> LogFile {
        let (lines, waiting) = sync_channel(WAITING);
        let rotated = RotatedLog {
            directory: data_directory.join("logs"),
            name,
            limit: megabytes.max(1) * 1_000_000,
            kept: kept_files,
        };
        let thread = std::thread::Builder::new().name(name.to_owned());
        let spawned = thread.spawn(move || write_lines(&waiting, &rotated));
        if let Err(error) = spawned {
            tracing::error!(%error, name, "the log has no thread to write it");
        }
        LogFile(lines)
    }

    /// Adds a line, which ends in a line feed.
    pub fn add(&self, line: String) {
        // A full queue drops the line; see `WAITING`.
        let _ = self.0.try_send(Line::Text(line));
    }

    /// Waits until everything added so far is written.
    pub fn flush(&self) {
        let (done, written) = sync_channel(1);
        if self.0.send(Line::Flush(done)).is_ok() {
            let _ = written.recv();
        }
    }
}

fn write_lines(waiting: &Receiver<Line>, rotated: &RotatedLog) {
    let mut file = None;
    let mut said = false;
    while let Ok(first) = waiting.recv() {
        if matches!(first, Line::Text(_)) {
            std::thread::sleep(GATHERING);
        }
        let (text, flushed) = gathered(std::iter::once(first).chain(waiting.try_iter()));
        if let Err(error) = rotated.write(&mut file, &text)
            && !said
        {
            said = true;
            tracing::error!(%error, name = rotated.name, "the log cannot be written");
        }
        drop(flushed);
    }
}

/// The text of the lines, and those who wait for it to be written.
fn gathered(lines: impl Iterator<Item = Line>) -> (String, Vec<SyncSender<()>>) {
    let (mut text, mut waiting) = (String::new(), Vec::new());
    for line in lines.take(WAITING) {
        match line {
            Line::Text(line) => text.push_str(&line),
            Line::Flush(done) => waiting.push(done),
        }
    }
    (text, waiting)
}

/// A log file that is put aside when it is full.
struct RotatedLog {
    directory: PathBuf,
    name: &'static str,
    /// Bytes. No file is larger, but for a line that is.
    limit: u64,
    /// Full files that are kept.
    kept: usize,
}

impl RotatedLog {
    /// Writes whole lines: as many as the file takes, and the others into new files.
    fn write(&self, file: &mut Option<(File, u64)>, mut lines: &str) -> std::io::Result<()> {
        while !lines.is_empty() {
            let (open, size) = match file {
                Some(open) => open,
                None => file.insert(self.open()?),
            };
            let left = self.limit.saturating_sub(*size);
            let fitting = match whole_lines(lines, left) {
                0 if *size > 0 => {
                    *file = None;
                    self.put_aside()?;
                    continue;
                }
                0 => lines.find('\n').map_or(lines.len(), |end| end + 1),
                fitting => fitting,
            };
            open.write_all(&lines.as_bytes()[..fitting])?;
            *size += fitting as u64;
            lines = &lines[fitting..];
        }
        Ok(())
    }

    fn open(&self) -> std::io::Result<(File, u64)> {
        std::fs::create_dir_all(&self.directory)?;
        let mut options = OpenOptions::new();
        let options = options.create(true).append(true).mode(0o600);
        let file = regular_file::open_with(options, &self.path(0))?;
        let size = file.metadata()?.len();
        Ok((file, size))
    }

    /// `NAME.log` becomes `NAME.1.log`, and so on; the oldest goes.
    fn put_aside(&self) -> std::io::Result<()> {
        if self.kept == 0 {
            return files::remove_file(self.path(0));
        }
        for number in (0..self.kept).rev() {
            let from = self.path(number);
            if from.exists() {
                files::rename(from, self.path(number + 1))?;
            }
        }
        Ok(())
    }

    fn path(&self, number: usize) -> PathBuf {
        let name = self.name;
        self.directory.join(match number {
            0 => format!("{name}.log"),
            _ => format!("{name}.{number}.log"),
        })
    }
}

/// The length of the leading whole lines that have at most `limit` bytes.
fn whole_lines(lines: &str, limit: u64) -> usize {
    let most = usize::try_from(limit).map_or(lines.len(), |limit| limit.min(lines.len()));
    let end = lines.as_bytes()[..most]
        .iter()
        .rposition(|byte| *byte == b'\n');
    end.map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the files hold afterwards, by their names.
    fn written(limit: u64, kept: usize, texts: &[&str]) -> impl Fn(&str) -> Option<String> + use<> {
        let directory = tempfile::tempdir().expect("a directory");
        let rotated = RotatedLog {
            directory: directory.path().to_owned(),
            name: "requests",
            limit,
            kept,
        };
        let mut file = None;
        for text in texts {
            rotated.write(&mut file, text).expect("written");
        }
        move |name: &str| std::fs::read_to_string(directory.path().join(name)).ok()
    }

    #[test]
    fn full_files_are_put_aside_and_the_oldest_goes() {
        let lines: Vec<String> = (0..4)
            .map(|number| format!("line number {number}\n"))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let read = written(10, 2, &lines);
        assert_eq!(read("requests.log"), Some("line number 3\n".into()));
        assert_eq!(read("requests.2.log"), Some("line number 1\n".into()));
        assert_eq!(read("requests.3.log"), None);
    }

    #[test]
    fn no_file_grows_beyond_its_limit_however_much_is_written_at_once() {
        let lines = "0 line\n1 line\n2 line\n3 line\n4 line\n5 line\n6 line\n";
        let read = written(20, 2, &[lines]);
        assert_eq!(read("requests.log"), Some("6 line\n".into()));
        assert_eq!(read("requests.1.log"), Some("4 line\n5 line\n".into()));
        assert_eq!(read("requests.2.log"), Some("2 line\n3 line\n".into()));
        let read = written(20, 0, &[lines]);
        assert_eq!(read("requests.log"), Some("6 line\n".into()));
    }
}
