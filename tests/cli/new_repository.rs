//! A new repository. To make one takes several times as long as to copy it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::program::Serving;

/// Makes a data directory a copy of the repository. Returns the password of its administrator.
pub fn copy_to(data: &Path) -> &'static str {
    static MADE: OnceLock<(PathBuf, String)> = OnceLock::new();
    let (made, password) = MADE.get_or_init(make);
    copy(made, data);
    password
}

fn make() -> (PathBuf, String) {
    let name = format!("new-repository-{}", std::process::id());
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let serving = Serving::start(&data);
    let password = serving.password().expect("a password").to_owned();
    serving.interrupt();
    assert_eq!(serving.end().0, Some(0));
    // A start makes it again.
    std::fs::remove_file(data.join("reserve")).expect("it was made");
    (data, password)
}

/// Copies a directory, with its permissions and times.
pub fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp")
        .arg("-a")
        .arg(format!("{}/.", from.display()))
        .arg(to)
        .status();
    assert!(copied.expect("cp is there").success());
}
