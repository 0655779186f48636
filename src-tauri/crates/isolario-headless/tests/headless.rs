//! The program without a window: it answers, and holds nothing of a window.

use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_isolario-headless");

/// What a command prints when it succeeds.
fn printed(command: &mut Command) -> String {
    let output = command.output().expect("the command is there");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn it_describes_its_interface() {
    let described = printed(Command::new(PROGRAM).arg("openapi"));
    assert!(described.contains("\"/node/{nid}\""));
}

#[test]
fn it_is_not_linked_with_a_window() {
    let linked = printed(Command::new("ldd").arg(PROGRAM));
    assert!(linked.contains("libc.so"), "{linked}");
    for library in ["webkit", "gtk", "javascriptcore"] {
        assert!(!linked.contains(library), "{linked}");
    }
}

#[test]
fn nothing_of_a_window_is_built_into_it() {
    let mut tree = Command::new(env!("CARGO"));
    tree.current_dir(env!("CARGO_MANIFEST_DIR")).args([
        "tree",
        "--locked",
        "--offline",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
    ]);
    let packages = printed(&mut tree);
    assert!(packages.contains("axum "), "{packages}");
    let window = ["tauri", "wry", "tao", "webkit2gtk", "gtk", "rfd"];
    let found: Vec<&str> = packages
        .lines()
        .filter(|package| window.iter().any(|name| package.starts_with(name)))
        .collect();
    assert_eq!(found, Vec::<&str>::new());
}
