//! Two programs that know nothing of ours and judge an OCFL storage root: rocfl and ocfl-py
//! (`make install-test-rust` installs both).

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::in_sources;

/// What a validator has against a root; it has to be there.
fn complaints(program: &str, arguments: &[&str]) -> Option<String> {
    let program = in_sources(".tools").join(program);
    let output = Command::new(&program).args(arguments).output();
    let output = output.unwrap_or_else(|error| {
        let program = program.display();
        panic!("{program}: {error}. `make install-test-rust` installs it.")
    });
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let words = ["WARN", "[W", "INVALID"];
    let content = output.status.success() && !words.iter().any(|word| text.contains(word));
    (!content).then_some(text)
}

/// What both validators have against the root of a data directory.
pub fn judged(data: &Path) -> [Option<String>; 2] {
    let root = data.join("ocfl");
    // Asked for a root alone, ocfl-py has nothing against its objects.
    let mut paths = objects(&root);
    paths.insert(0, root);
    let paths: Vec<&str> = paths.iter().filter_map(|path| path.to_str()).collect();
    [
        complaints("bin/rocfl", &["--root", paths[0], "validate"]),
        complaints("ocfl-py/bin/ocfl-validate.py", &paths),
    ]
}

/// Both validators find the root valid; returns how many objects it holds.
#[track_caller]
pub fn valid_objects(data: &Path) -> usize {
    assert_eq!(judged(data), [None, None]);
    objects(&data.join("ocfl")).len()
}

/// The directories of objects.
pub fn objects(directory: &Path) -> Vec<PathBuf> {
    if directory.join("0=ocfl_object_1.1").exists() {
        return vec![directory.to_owned()];
    }
    let entries = directory.read_dir().expect("there").flatten();
    let below = entries.filter(|entry| entry.path().is_dir());
    below.flat_map(|entry| objects(&entry.path())).collect()
}
