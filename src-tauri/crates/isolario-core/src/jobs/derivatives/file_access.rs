//! The files that a derivative process may open: its input, and what the programs need that it starts.

use std::env;
use std::path::{Path, PathBuf};

use isolario_derive::{Kind, PROGRAMS, path_of};
use isolario_platform::files;
use isolario_platform::sandbox::FileAccess;

/// Beside the directory of a program, what it brings along.
const BESIDE: [&str; 3] = ["lib", "libexec", "share"];

/// The access that makes a kind of derivative.
pub fn of(kind: Kind) -> FileAccess {
    if matches!(kind, Kind::Facts | Kind::Tiles | Kind::Page) {
        return FileAccess::default();
    }
    FileAccess {
        programs: true,
        read: own_places().collect(),
    }
}

/// Places of programs that are not where the system has its own.
fn own_places() -> impl Iterator<Item = PathBuf> {
    let programs = PROGRAMS.iter().filter_map(|name| path_of(name));
    let languages = env::var_os("TESSDATA_PREFIX").map(PathBuf::from);
    let beside = programs.flat_map(|program| {
        let program = files::canonicalize(&program).unwrap_or(program);
        let directory = program.parent().map(Path::to_owned);
        let above = directory.as_deref().and_then(Path::parent);
        let above = above.map(|above| BESIDE.map(|name| above.join(name)));
        directory.into_iter().chain(above.into_iter().flatten())
    });
    beside.chain(languages)
}
