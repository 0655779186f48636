//! The machine under measurement: cores, a process's time and memory.

use std::process::Command;

/// The core of the program under test and of every limit.
pub const SERVER_CORE: &str = "0";
/// The core of the load.
pub const LOAD_CORE: &str = "1";

/// Every core there is (taskset takes those that are).
pub const ALL_CORES: &str = "0-1023";

/// A command that runs on these cores only.
pub fn pinned(core: &str, program: &std::path::Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", core]).arg(program);
    command
}

/// Keeps every thread of this process on one core.
pub fn stay_on(core: &str) {
    let id = std::process::id().to_string();
    let mut command = Command::new("taskset");
    command.args(["-a", "-p", "-c", core, &id]);
    let done = command.output().expect("taskset of util-linux");
    assert!(done.status.success(), "this machine has no core {core}");
}

/// Seconds of processor that a process has used, its threads together (proc(5), stat).
pub fn cpu_seconds(pid: u32) -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("a process");
    let (_, after_name) = stat.rsplit_once(')').expect("a name in parentheses");
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    // utime and stime are the fields 14 and 15 of proc(5); the state, field 3, is the first here.
    let ticks = |field: usize| fields[field - 3].parse::<f64>().expect("a number");
    (ticks(14) + ticks(15)) / TICKS_PER_SECOND
}

/// Bytes that a process has given to write(2) and its like, log and HTTP answers included (proc(5), io: wchar).
pub fn written_bytes(pid: u32) -> f64 {
    let io = std::fs::read_to_string(format!("/proc/{pid}/io")).expect("a process");
    let line = io.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|digits| digits.parse().ok())
        .expect("a number")
}

/// Resident memory of a process in MB (proc(5), status: VmRSS), and how much of it is no file (RssAnon).
pub fn resident_megabytes(pid: u32) -> (f64, f64) {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
    let of = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name));
        let digits = line.and_then(|line| line.split_whitespace().nth(1));
        digits
            .and_then(|text| text.parse::<f64>().ok())
            .unwrap_or(0.0)
            / 1024.0
    };
    (of("VmRSS:"), of("RssAnon:"))
}

/// What the figures were measured on, in one line.
pub fn description() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("unknown", |text| text.trim_start_matches(['\t', ' ', ':']));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("?");
    format!(
        "{model}, {cores} cores, Linux {}, load {load} at the start",
        kernel.trim()
    )
}
