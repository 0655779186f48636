//! Processes, as Windows has them. A group is a job object: whoever closes the job ends all of them.

use std::fs::File;
use std::io;
use std::os::windows::io::{AsHandle, AsRawHandle};
use std::os::windows::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, PoisonError};

use win32job::{ExtendedLimitInfo, Job};

use super::Interruption;

/// No window of a console (Windows, Process Creation Flags).
const CREATE_NO_WINDOW: u32 = 0x0800_0000;
/// How the system says that a process used up its time, and that it gave up (ntstatus.h).
const STATUS_QUOTA_EXCEEDED: u32 = 0xC000_0044;
const STATUS_STACK_BUFFER_OVERRUN: u32 = 0xC000_0409;

/// The executable of this program. The system does not let anybody replace it while it runs.
///
/// # Errors
/// When the system does not tell.
pub fn own_program() -> io::Result<PathBuf> {
    std::env::current_exe()
}

/// Lets a process be ended with all that it starts.
pub fn lead_group<'c>(command: &'c mut Command, _name: &str) -> &'c mut Command {
    command.creation_flags(CREATE_NO_WINDOW)
}

/// A process and all that it has started.
#[derive(Debug)]
pub struct ProcessGroup(Mutex<Option<Job>>);

impl ProcessGroup {
    /// That of a process which has just been started.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn of(leader: &Child) -> io::Result<ProcessGroup> {
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
        let process = leader.as_raw_handle() as isize;
        job.assign_process(process).map_err(io::Error::other)?;
        Ok(ProcessGroup(Mutex::new(Some(job))))
    }

    /// Ends all of them.
    pub fn end(&self) {
        // Closing it does so.
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// Why the system ended a process; `None` for one that has ended by itself.
pub fn interruption(status: ExitStatus) -> Option<Interruption> {
    match status.code()?.cast_unsigned() {
        STATUS_QUOTA_EXCEEDED => Some(Interruption::Time),
        STATUS_STACK_BUFFER_OVERRUN => Some(Interruption::Abort),
        _ => None,
    }
}

/// The standard input of this process as a file.
///
/// # Errors
/// What the system refuses.
pub fn standard_input() -> io::Result<File> {
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

/// Goes on as another program: starts it, waits, and ends as it did. Returns only if that fails.
pub fn become_program(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
