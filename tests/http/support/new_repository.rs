//! A new repository with the people of the tests. To make one takes ten times as long as to copy it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use isolario_program::app::App;
use tokio::runtime::Runtime;

use super::server::{fresh_directory, introduce_everybody, options};

/// Fills a data directory with a copy of the repository.
pub fn copy_into(directory: &Path) {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    copy(MADE.get_or_init(make), directory);
}

fn make() -> PathBuf {
    let directory = fresh_directory();
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let server = App::start(options(&directory)).await;
        let server = server.expect("a repository starts");
        introduce_everybody(&server).await;
        assert_eq!(server.stop().await, 0, "records are left to write");
    });
    // A start makes it again.
    std::fs::remove_file(directory.join("reserve")).expect("it was made");
    directory
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp")
        .arg("-a")
        .arg(format!("{}/.", from.display()))
        .arg(to)
        .status();
    assert!(copied.expect("cp is there").success());
}
