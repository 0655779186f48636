//! The sandbox of Linux. Landlock restricts files, if the kernel has it (Linux 5.13). A process cannot lift that.

use std::io;
use std::os::fd::AsFd;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::fs::FileType;
use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::thread::set_no_new_privs;

use super::{FileAccess, unix};

/// The newest rules of the kernel that are asked for; an older one keeps those that it knows.
const RULES: ABI = ABI::V6;
/// What programs and their libraries lie in.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32"];
/// What programs look up of the machine.
const MACHINE: [&str; 5] = [
    "/etc/ld.so.cache",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
    "/dev/urandom",
];

pub(super) fn end_with_parent(parent: Option<u32>) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // It may have ended before its end was to be this process's, too.
    match parent.is_none_or(unix::is_parent) {
        true => Ok(()),
        false => Err(io::ErrorKind::NotFound.into()),
    }
}

pub(super) fn refuse_more_rights() -> io::Result<()> {
    Ok(set_no_new_privs(true)?)
}

/// The address space of the program and its libraries, in bytes: all but data (proc(5), status). It depends on the
/// build, not on the work.
#[expect(clippy::disallowed_methods, reason = "the system tells it in /proc")]
#[expect(clippy::unnecessary_wraps, reason = "some systems have no such limit")]
pub(super) fn mapped_code() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.trim_end_matches("kB").trim().parse().ok());
        number.unwrap_or(0)
    };
    Some(kilobytes("VmSize:").saturating_sub(kilobytes("VmData:")) << 10)
}

pub(super) fn can_restrict_files() -> bool {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let rules = rules.handle_access(AccessFs::from_all(ABI::V1));
    rules.and_then(Ruleset::create).is_ok()
}

pub(super) fn restrict_files(access: &FileAccess) -> io::Result<()> {
    let input = io::stdin();
    // What lies on no disk takes no rule, and needs none.
    let rules = with_input(access, &input).or_else(|_| rules(access));
    let held = rules.and_then(RulesetCreated::restrict_self);
    held.map(drop).map_err(io::Error::other)
}

fn with_input(access: &FileAccess, input: &impl AsFd) -> Result<RulesetCreated, RulesetError> {
    let found = rustix::fs::fstat(input);
    let is_file = found.is_ok_and(|found| FileType::from_raw_mode(found.st_mode).is_file());
    match is_file {
        true => rules(access)?.add_rule(PathBeneath::new(input.as_fd(), AccessFs::ReadFile)),
        false => rules(access),
    }
}

fn rules(access: &FileAccess) -> Result<RulesetCreated, RulesetError> {
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(RULES))?
        .handle_access(AccessNet::from_all(RULES))?
        .scope(Scope::from_all(RULES))?
        .create()?;
    let read = AccessFs::from_read(RULES);
    if access.programs {
        rules = allow(rules, "/dev/null", AccessFs::ReadFile | AccessFs::WriteFile)?;
        for path in MACHINE.iter().chain(&SYSTEM) {
            rules = allow(rules, path, read)?;
        }
    }
    for path in &access.read {
        rules = allow(rules, path, read)?;
    }
    Ok(rules)
}

/// Allows something at a path, if there is anything.
fn allow(
    rules: RulesetCreated,
    path: impl AsRef<Path>,
    access: impl Into<BitFlags<AccessFs>>,
) -> Result<RulesetCreated, RulesetError> {
    match PathFd::new(path) {
        Ok(place) => rules.add_rule(PathBeneath::new(place, access)),
        Err(_) => Ok(rules),
    }
}
