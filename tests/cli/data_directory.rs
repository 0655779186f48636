//! The data directory: whose it is, and what it may not be.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::program::{Serving, complained, isolario, run, said};

fn mode(path: &Path) -> u32 {
    let metadata = std::fs::metadata(path).expect("there");
    metadata.permissions().mode() & 0o777
}

#[test]
fn one_program_holds_a_directory() {
    let data = tempfile::tempdir().expect("a directory");
    let _serving = Serving::start(data.path());
    let second = run(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert!(complained(&second, 1).contains("in use by another Isolario"));
}

#[test]
fn a_directory_stays_held_whatever_becomes_of_its_lock_file() {
    let data = tempfile::tempdir().expect("a directory");
    let lock = data.path().join("isolario.lock");
    let serving = Serving::start(data.path());
    type Tampering = fn(&Path);
    let tamperings: [Tampering; 3] = [
        |lock| std::fs::remove_file(lock).expect("there"),
        |lock| std::fs::write(lock, "").expect("written"),
        |lock| {
            std::fs::rename(lock, lock.with_extension("old")).expect("there");
            std::fs::write(lock, "1\n").expect("written");
        },
    ];
    for tampering in tamperings {
        tampering(&lock);
        for arguments in [&["rebuild", "--force"][..], &["rebuild", "--records"]] {
            let words = complained(&run(data.path(), arguments), 1);
            assert!(words.contains("in use by another Isolario"), "{words}");
        }
        let mut second = isolario(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
        let mut second = second.spawn().expect("the program starts");
        assert_eq!(second.wait().expect("it ends").code(), Some(1));
    }
    // Whoever asks is answered by the one that holds it.
    said(run(data.path(), &["user", "list"]));
    drop(serving);
    said(run(data.path(), &["user", "list"]));
}

#[test]
fn what_is_secret_is_for_its_owner_only() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("new/repository");
    let _serving = Serving::start(&data);
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&data.join("keys")), 0o700);
    assert_eq!(mode(&data.join("keys/token.pem")), 0o600);
    assert_eq!(mode(&data.join("control.sock")), 0o600);
}

#[test]
fn a_new_repository_in_an_open_directory_closes_it() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("made before");
    std::fs::create_dir(&data).expect("made");
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&data, open.clone()).expect("opened");
    said(run(&data, &["user", "list"]));
    assert_eq!(mode(&data), 0o700);
    std::fs::set_permissions(&data, open).expect("opened again");
    said(run(&data, &["user", "list"]));
    assert_eq!(mode(&data), 0o755, "its owner has decided so");
}

#[test]
fn a_directory_that_was_left_behind_can_be_taken_again() {
    let data = tempfile::tempdir().expect("a directory");
    let killed = Serving::start(data.path());
    drop(killed);
    assert!(data.path().join("control.sock").exists());
    said(run(data.path(), &["user", "list"]));
    let again = Serving::start(data.path());
    said(run(data.path(), &["user", "list"]));
    assert_eq!(again.get("/api/v1/session", None).0, 200);
}

#[test]
fn a_long_path_is_no_obstacle() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place
        .path()
        .join("a long name, ".repeat(10) + "and")
        .join("b".repeat(100));
    let _serving = Serving::start(&data);
    said(run(&data, &["user", "list"]));
}

#[test]
fn a_directory_with_other_things_is_refused_and_left_alone() {
    let data = tempfile::tempdir().expect("a directory");
    std::fs::write(data.path().join("thesis.odt"), "chapter 1").expect("written");
    let refused = run(data.path(), &["user", "list"]);
    assert!(complained(&refused, 1).contains("holds other things"));
    assert_eq!(data.path().read_dir().expect("there").count(), 1);
}

#[test]
fn a_mistake_in_the_configuration_is_named() {
    let data = tempfile::tempdir().expect("a directory");
    let config = data.path().join("config.toml");
    for (text, word) in [
        ("[server]\nadress = \"127.0.0.1\"\n", "adress"),
        (
            "[rest.GET]\nformats = [\"yaml\"]\nauthentication = []\n",
            "yaml",
        ),
        ("[tokens]\nissue = \"maybe\"\n", "issue"),
    ] {
        std::fs::write(&config, text).expect("written");
        let refused = run(data.path(), &["user", "list"]);
        let words = complained(&refused, 1);
        assert!(
            words.contains(word) && words.contains("config.toml"),
            "{words}"
        );
    }
}
