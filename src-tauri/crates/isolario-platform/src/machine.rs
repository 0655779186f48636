//! The machine and this process.

/// The name of the machine, as its network knows it.
pub fn host_name() -> String {
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().into_owned()
}

/// Keeps the memory of this process small: a value or two on each of many huge pages would take hundreds of megabytes
/// (Linux, `PR_SET_THP_DISABLE`). A system that cannot do so has no such pages, or gives its memory away more freely.
pub fn keep_small() {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// Ends this process at once, as a crash would, so that nothing is tidied up.
pub fn crash() -> ! {
    // The signal that no program can answer.
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    loop {
        std::thread::park();
    }
}
