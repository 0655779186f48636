//! The sandbox of Windows: a job object bounds memory, time and priority. It restricts neither which files are opened nor
//! the network.

use std::io;
use std::time::Duration;

use cpu_time::ProcessTime;
use win32job::{ExtendedLimitInfo, Job, PriorityClass};

use super::{FileAccess, ProcessBounds};

/// The least memory that a process keeps, bytes.
const LEAST: usize = 1 << 20;
/// How often a process looks how much time it has taken.
const INTERVAL: Duration = Duration::from_millis(200);
/// How the system says that a process used up what it had (ntstatus.h).
const STATUS_QUOTA_EXCEEDED: u32 = 0xC000_0044;

/// The parent has this process in a job that ends with it.
#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
pub(super) fn end_with_parent(_: Option<u32>) -> io::Result<()> {
    Ok(())
}

#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
pub(super) fn refuse_more_rights() -> io::Result<()> {
    Ok(())
}

/// Code does not count as memory of a job.
#[expect(clippy::unnecessary_wraps, reason = "some systems have no such limit")]
pub(super) fn mapped_code() -> Option<u64> {
    Some(0)
}

/// Puts this process into a job, which stays open as long as the process is there: its memory is bounded by what it may
/// keep of the machine's, and it has the lowest priority. A thread looks after its time.
pub(super) fn bound(bounds: &ProcessBounds, code: Option<u64>) -> io::Result<()> {
    let memory = bounds.memory + code.unwrap_or(0);
    let mut limits = ExtendedLimitInfo::new();
    limits.limit_priority_class(PriorityClass::Idle);
    limits.limit_working_memory(LEAST, usize::try_from(memory).unwrap_or(usize::MAX));
    let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
    job.assign_current_process().map_err(io::Error::other)?;
    std::mem::forget(job);
    let most = Duration::from_secs(bounds.seconds);
    let look = move || {
        while ProcessTime::now().as_duration() < most {
            std::thread::sleep(INTERVAL);
        }
        std::process::exit(STATUS_QUOTA_EXCEEDED.cast_signed());
    };
    std::thread::Builder::new().spawn(look).map(drop)
}

/// The job does so.
#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
pub(super) fn give_way() -> io::Result<()> {
    Ok(())
}

pub(super) fn can_restrict_files() -> bool {
    false
}

#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
pub(super) fn restrict_files(_: &FileAccess) -> io::Result<()> {
    Ok(())
}
