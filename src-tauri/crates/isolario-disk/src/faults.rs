//! Where a test may end the program as a crash would: in builds with debug assertions, and nowhere else.

/// Ends the process here, without any clearing up, if the environment says so:
/// `ISOLARIO_KILL_AT=placed` at the first passing, `ISOLARIO_KILL_AT=placed:3` at the third.
#[cfg(debug_assertions)]
pub fn point(name: &str) {
    use std::sync::atomic::{AtomicU32, Ordering};
    static PASSED: AtomicU32 = AtomicU32::new(0);
    let Ok(wish) = std::env::var("ISOLARIO_KILL_AT") else {
        return;
    };
    let (wished, times) = wish.split_once(':').unwrap_or((&wish, "1"));
    if wished == name && (PASSED.fetch_add(1, Ordering::SeqCst) + 1).to_string() == times {
        let own = rustix::process::getpid();
        // The signal that no program can answer.
        let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
        loop {
            std::thread::park();
        }
    }
}

/// Nothing.
#[cfg(not(debug_assertions))]
#[inline]
pub fn point(_: &str) {}
