//! Only `isolario-platform` names a system, and the window, each of whose parts has a file for Linux and one for others.

use super::layers::inside;
use super::rust_source::{code, without_tests};
use super::{assert_none, program_without_tests};

/// What names a system, or has other parts on each.
const NAMES: [&str; 11] = [
    "std::os::",
    "os::unix",
    "os::fd",
    "target_os",
    "cfg(unix",
    "cfg(windows",
    "rustix",
    "landlock",
    "net::Unix",
    "net::unix",
    "signal::unix",
];

#[test]
fn only_the_platform_names_a_system() {
    let mut findings = Vec::new();
    for file in program_without_tests() {
        if inside(&file).starts_with("platform/") || inside(&file).starts_with("desktop/") {
            continue;
        }
        let source = code(&file.text);
        for (index, line) in without_tests(&source).lines().enumerate() {
            if NAMES.iter().any(|name| line.contains(name)) {
                findings.push(format!("{}:{} {}", file.path, index + 1, line.trim()));
            }
        }
    }
    assert_none("the platform knows the systems", &findings);
}
