//! Restricts the files that a derivative process may open: its input, and the system files that other programs need. It
//! uses Landlock, if the kernel has it (Linux 5.13). The process cannot lift the restriction.

use std::env;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::fs::FileType;

use isolario_derive::{Kind, PROGRAMS, path_of};

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
/// Beside the directory of a program, what it brings along.
const BESIDE: [&str; 3] = ["lib", "libexec", "share"];

/// Whether the kernel has Landlock.
pub fn is_supported() -> bool {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let rules = rules.handle_access(AccessFs::from_all(ABI::V1));
    rules.and_then(Ruleset::create).is_ok()
}

/// Restricts this process and its children to their standard input and the files that the kind of derivative needs. It
/// also denies the network.
///
/// # Errors
/// What a kernel with Landlock refuses. Without Landlock, nothing is restricted.
pub fn restrict(kind: Kind) -> io::Result<()> {
    let input = io::stdin();
    // What lies on no disk takes no rule, and needs none.
    let rules = with_input(kind, &input).or_else(|_| rules(kind));
    let held = rules.and_then(RulesetCreated::restrict_self);
    held.map(drop).map_err(io::Error::other)
}

fn with_input(kind: Kind, input: &impl AsFd) -> Result<RulesetCreated, RulesetError> {
    let found = rustix::fs::fstat(input);
    let is_file = found.is_ok_and(|found| FileType::from_raw_mode(found.st_mode).is_file());
    match is_file {
        true => rules(kind)?.add_rule(PathBeneath::new(input.as_fd(), AccessFs::ReadFile)),
        false => rules(kind),
    }
}

fn rules(kind: Kind) -> Result<RulesetCreated, RulesetError> {
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(RULES))?
        .handle_access(AccessNet::from_all(RULES))?
        .scope(Scope::from_all(RULES))?
        .create()?;
    if matches!(kind, Kind::Facts | Kind::Tiles | Kind::Page) {
        return Ok(rules);
    }
    let read = AccessFs::from_read(RULES);
    rules = allow(rules, "/dev/null", AccessFs::ReadFile | AccessFs::WriteFile)?;
    let places = MACHINE.iter().chain(&SYSTEM).map(PathBuf::from);
    for path in places.chain(own_places()) {
        rules = allow(rules, path, read)?;
    }
    Ok(rules)
}

/// Places of programs that are not where the system has its own.
fn own_places() -> impl Iterator<Item = PathBuf> {
    let programs = PROGRAMS.iter().filter_map(|name| path_of(name));
    let languages = env::var_os("TESSDATA_PREFIX").map(PathBuf::from);
    let beside = programs.flat_map(|program| {
        let program = program.canonicalize().unwrap_or(program);
        let directory = program.parent().map(Path::to_owned);
        let above = directory.as_deref().and_then(Path::parent);
        let above = above.map(|above| BESIDE.map(|name| above.join(name)));
        directory.into_iter().chain(above.into_iter().flatten())
    });
    beside.chain(languages)
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
