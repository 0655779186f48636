//! Processes, as every Unix has them.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Pid, Signal, kill_process_group};

use super::Interruption;

/// The executable of this program, also after its file was replaced, where the system has a name for that.
///
/// # Errors
/// When the system does not tell.
pub fn own_program() -> io::Result<PathBuf> {
    match cfg!(target_os = "linux") {
        true => Ok("/proc/self/exe".into()),
        false => std::env::current_exe(),
    }
}

/// Lets a process lead a group, with which all processes are ended that it starts. `name` is what it is called in the
/// list of processes.
pub fn lead_group<'c>(command: &'c mut Command, name: &str) -> &'c mut Command {
    command.arg0(name).process_group(0)
}

/// A process and all that it has started.
#[derive(Debug)]
pub struct ProcessGroup(Pid);

impl ProcessGroup {
    /// That of a process which leads one and has not ended.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn of(leader: &Child) -> io::Result<ProcessGroup> {
        Ok(ProcessGroup(Pid::from_child(leader)))
    }

    /// Ends all of them.
    pub fn end(&self) {
        // They may have ended in this moment.
        let _ = kill_process_group(self.0, Signal::KILL);
    }
}

/// Why the system ended a process; `None` for one that has ended by itself.
pub fn interruption(status: ExitStatus) -> Option<Interruption> {
    let is = |signal: Signal, number: i32| signal.as_raw() == number;
    status.signal().map(|number| match number {
        _ if is(Signal::KILL, number) || is(Signal::XCPU, number) => Interruption::Time,
        _ if is(Signal::XFSZ, number) => Interruption::FileSize,
        _ if is(Signal::ABORT, number) => Interruption::Abort,
        _ => Interruption::Signal(number),
    })
}

/// The standard input of this process as a file.
///
/// # Errors
/// What the system refuses.
pub fn standard_input() -> io::Result<File> {
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Goes on as another program, in this process. Returns only if that fails.
pub fn become_program(command: &mut Command) -> io::Error {
    command.exec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_known_why_a_process_ended() {
        let ended = |number| interruption(ExitStatus::from_raw(number));
        assert_eq!(ended(0), None);
        assert_eq!(ended(3 << 8), None);
        assert_eq!(ended(9), Some(Interruption::Time));
        assert_eq!(ended(24), Some(Interruption::Time));
        assert_eq!(ended(25), Some(Interruption::FileSize));
        assert_eq!(ended(6), Some(Interruption::Abort));
        assert_eq!(ended(11), Some(Interruption::Signal(11)));
    }
}
