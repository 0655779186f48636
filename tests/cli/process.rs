//! What a running program costs, as the system counts it.

use std::path::PathBuf;

/// Processor time that a process has taken, in clock ticks.
pub fn processor_time(process: u32) -> u64 {
    let text = std::fs::read_to_string(place(process, "stat")).expect("it runs");
    let after_name = text.rsplit(')').next().expect("a line");
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    // Fields 14 and 15 of proc(5), counted from behind the name.
    let ticks = |field: usize| fields[field - 3].parse::<u64>().expect("a number");
    ticks(14) + ticks(15)
}

/// The most memory that a process has ever held, in kilobytes.
pub fn peak_memory(process: u32) -> u64 {
    let text = std::fs::read_to_string(place(process, "status")).expect("it runs");
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|text| text.parse().ok()).expect("a peak")
}

/// By how many KB the peak has risen since it was read last. The system counts a process's memory for
/// every processor apart and adds it up now and then, so that even a peak may be read a little lower later.
pub fn peak_memory_since(before: u64, process: u32) -> u64 {
    peak_memory(process).saturating_sub(before)
}

fn place(process: u32, name: &str) -> PathBuf {
    PathBuf::from(format!("/proc/{process}/{name}"))
}
