//! The machine and this process.

/// The name of the machine, as its network knows it.
#[cfg(unix)]
pub fn host_name() -> String {
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().into_owned()
}

/// The name of the machine, as its network knows it.
#[cfg(windows)]
pub fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// Keeps the memory of this process small: a value or two on each of many huge pages would take hundreds of megabytes
/// (Linux, `PR_SET_THP_DISABLE`). A system that cannot do so has no such pages, or gives its memory away more freely.
pub fn keep_small() {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// Ends this process at once, so that nothing is tidied up.
pub fn crash() -> ! {
    #[cfg(unix)]
    // The signal that no program can answer.
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    std::process::abort();
}
