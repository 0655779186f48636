//! Points at which a test can kill the program, as a crash would. Only builds with debug assertions have them.

/// Kills the process here, if the environment says so: `ISOLARIO_KILL_AT=placed` when it gets here for the first time,
/// `ISOLARIO_KILL_AT=placed:3` for the third time.
#[cfg(debug_assertions)]
pub fn point(name: &str) {
    use std::sync::atomic::{AtomicU32, Ordering};
    static PASSED: AtomicU32 = AtomicU32::new(0);
    let Ok(setting) = std::env::var("ISOLARIO_KILL_AT") else {
        return;
    };
    let (point, times) = setting.split_once(':').unwrap_or((&setting, "1"));
    if point == name && (PASSED.fetch_add(1, Ordering::SeqCst) + 1).to_string() == times {
        isolario_platform::machine::crash();
    }
}

/// Does nothing.
#[cfg(not(debug_assertions))]
#[inline]
pub fn point(_: &str) {}
