//! Other programs of this machine, which do what this one does not. They are bound as this process is: its limits are
//! theirs.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use super::refused::DeriveError;

/// Of what another program complains.
const COMPLAINT: usize = 300;

/// The programs that are asked: for posters and web copies of films, and for the text of pictures.
pub const PROGRAMS: [&str; 2] = ["ffmpeg", "tesseract"];

/// A program that was found.
pub(super) struct Program {
    name: &'static str,
    command: Command,
}

impl Program {
    /// The program, if it is on this machine.
    ///
    /// # Errors
    /// It is not; `purpose` says what it would be good for.
    pub fn find(name: &'static str, purpose: &str) -> Result<Program, DeriveError> {
        let missing = || {
            let words = format!("{name} is not on this machine; install it to get {purpose}.");
            DeriveError::Missing(words)
        };
        Ok(Program {
            command: Command::new(path_of(name).ok_or_else(missing)?),
            name,
        })
    }

    /// Adds arguments.
    pub fn with(mut self, arguments: &[&str]) -> Program {
        self.command.args(arguments);
        self
    }

    /// Runs the program on a file and hands on what it writes, at most `limit` bytes.
    ///
    /// # Errors
    /// It fails, and complains about the file.
    pub fn run(
        mut self,
        input: Stdio,
        limit: u64,
        target: &mut dyn Write,
    ) -> Result<u64, DeriveError> {
        self.command
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let failed =
            |error| DeriveError::Failed(format!("{} could not be run: {error}.", self.name));
        let mut child = self.command.spawn().map_err(failed)?;
        let mut errors = child.stderr.take();
        let complaint = thread::spawn(move || {
            let mut text = Vec::new();
            let read = errors.as_mut().map(|errors| errors.read_to_end(&mut text));
            let _ = read;
            String::from_utf8_lossy(&text).into_owned()
        });
        let output = child.stdout.take();
        let copied = match output {
            Some(output) => std::io::copy(&mut output.take(limit), target),
            None => Ok(0),
        };
        if copied.is_err() {
            // It may be writing still, and nobody reads.
            let _ = child.kill();
        }
        let status = child.wait().map_err(failed)?;
        let complaint = complaint.join().unwrap_or_default();
        let copied = copied.map_err(DeriveError::not_written)?;
        if status.success() || copied == limit {
            return Ok(copied);
        }
        let said = complaint.lines().rev().find(|line| !line.trim().is_empty());
        let said: String = said.unwrap_or("nothing").chars().take(COMPLAINT).collect();
        Err(DeriveError::unreadable(format!(
            "{} could not read the file, and said: {}.",
            self.name,
            said.trim().trim_end_matches('.')
        )))
    }
}

/// Where a program is found by its name.
pub fn path_of(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).map(|directory| directory.join(name));
    places.find(|place| place.is_file())
}
