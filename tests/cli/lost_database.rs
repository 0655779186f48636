//! A database that is lost, empty, cut short or somebody else's, beside what a repository has kept.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::client::Client;
use crate::holdings::fill;
use crate::program::{complained, run, said};
use crate::recorded::until_recorded;

/// A stopped repository, all of whose records are written and whose database is one file.
fn stopped(data: &Path) {
    let client = Client::start(data);
    fill(&client, data);
    until_recorded(data);
    client.stop();
    let connection = Connection::open(data.join("isolario.db")).expect("a database");
    connection
        .pragma_update(None, "journal_mode", "DELETE")
        .expect("brought in");
}

fn copied(from: &Path, to: &Path) {
    let copied = std::process::Command::new("cp")
        .arg("-a")
        .args([from, to])
        .status();
    assert!(copied.expect("cp is there").success());
}

/// What nobody may write over: all that is kept, with its bytes.
pub fn kept(data: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for name in ["records", "files", "ocfl", "uploads"] {
        gather(&data.join(name), &mut found);
    }
    assert!(!found.is_empty());
    found
}

fn gather(directory: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in directory.read_dir().expect("there") {
        let path = entry.expect("there").path();
        match path.is_dir() {
            true => gather(&path, found),
            false => drop(found.insert(path.clone(), std::fs::read(&path).expect("read"))),
        }
    }
}

/// Nothing starts, in one sentence that names the way out, and nothing is changed.
#[track_caller]
fn assert_refused(data: &Path, what: &str) {
    let database = data.join("isolario.db");
    let before = (kept(data), std::fs::read(&database).ok());
    for arguments in [&["user", "list"][..], &["role", "list"]] {
        let words = complained(&run(data, arguments), 1);
        assert!(words.contains("`isolario rebuild`"), "{what}: {words}");
        assert_eq!(words.trim().lines().count(), 1, "{what}: {words}");
    }
    let after = (kept(data), std::fs::read(&database).ok());
    assert!(before == after, "{what}: something was changed");
}

/// The database can be made again without being forced.
#[track_caller]
fn assert_rebuilt(data: &Path, what: &str) {
    let words = said(run(data, &["rebuild"]));
    assert!(words.contains("6 nodes, 5 media"), "{what}: {words}");
    said(run(data, &["user", "list"]));
}

/// Does something to a database.
fn change(path: &Path, sql: &str) {
    let connection = Connection::open(path).expect("a database");
    connection.execute_batch(sql).expect("changed");
}

#[test]
fn a_database_that_is_none_of_ours_is_refused_beside_what_is_kept() {
    let place = tempfile::tempdir().expect("a directory");
    let sound = place.path().join("sound");
    stopped(&sound);
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 7] = [
        ("missing", |path| {
            std::fs::remove_file(path).expect("there");
        }),
        ("empty", |path| std::fs::write(path, "").expect("written")),
        ("text", |path| {
            std::fs::write(path, "no database ".repeat(1000)).expect("written");
        }),
        ("zeros", |path| {
            std::fs::write(path, [0; 65536]).expect("written");
        }),
        ("without tables", |path| {
            std::fs::remove_file(path).expect("there");
            change(path, "VACUUM");
        }),
        ("of another program", |path| {
            std::fs::remove_file(path).expect("there");
            change(
                path,
                "CREATE TABLE recipe (name TEXT); PRAGMA user_version = 70",
            );
        }),
        ("never filled", |path| {
            change(path, "DELETE FROM content_model");
        }),
    ];
    for (what, damage) in damages {
        let data = place.path().join(what);
        copied(&sound, &data);
        damage(&data.join("isolario.db"));
        assert_refused(&data, what);
        assert_rebuilt(&data, what);
    }
}

#[test]
fn a_database_that_is_cut_short_is_refused_wherever_it_is_cut() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().join("data");
    stopped(&data);
    let path = data.join("isolario.db");
    let whole = std::fs::read(&path).expect("a database");
    let ends = [1, 15, 16, 17, 59, 99, 100, 512, 4095, 4096, 4097, 8192];
    let from_the_end = [whole.len() / 2, whole.len() - 4096, whole.len() - 1];
    for end in ends.into_iter().chain(from_the_end) {
        std::fs::write(&path, &whole[..end]).expect("written");
        assert_refused(&data, &format!("cut after {end} bytes"));
    }
    assert_rebuilt(&data, "cut short");
}

/// A repository that was killed: most of its database is in the log.
fn killed(data: &Path) {
    let client = Client::start(data);
    fill(&client, data);
    until_recorded(data);
    drop(client);
    let log = data.join("isolario.db-wal").metadata().expect("a log");
    assert!(log.len() > 100_000, "{} bytes", log.len());
}

#[test]
fn a_log_without_its_database_is_refused_and_kept() {
    let place = tempfile::tempdir().expect("a directory");
    let sound = place.path().join("sound");
    killed(&sound);
    for what in ["missing", "empty"] {
        let data = place.path().join(what);
        copied(&sound, &data);
        let [path, log] = ["isolario.db", "isolario.db-wal"].map(|name| data.join(name));
        std::fs::remove_file(&path).expect("there");
        if what == "empty" {
            std::fs::write(&path, "").expect("written");
        }
        let before = std::fs::read(&log).expect("a log");
        assert_refused(&data, what);
        assert!(std::fs::read(&log).expect("a log") == before, "{what}");
        assert_rebuilt(&data, what);
        let aside = std::fs::read(data.join("isolario.db.damaged-1-wal"));
        assert!(aside.expect("kept") == before, "{what}");
    }
}

#[test]
fn a_database_without_its_log_is_refused() {
    let data = tempfile::tempdir().expect("a directory");
    killed(data.path());
    for ending in ["-wal", "-shm"] {
        std::fs::remove_file(data.path().join(format!("isolario.db{ending}"))).expect("there");
    }
    assert_refused(data.path(), "without its log");
    assert_rebuilt(data.path(), "without its log");
}

#[test]
fn a_database_that_is_cut_short_beside_its_log_is_refused() {
    let data = tempfile::tempdir().expect("a directory");
    let path = data.path().join("isolario.db");
    stopped(data.path());
    said(run(data.path(), &["role", "add", "binder"]));
    // The last page is in the file only, the first in the log, too.
    let reader = Connection::open(&path).expect("a database");
    let count = "SELECT count(*) FROM role";
    let roles: i64 = reader.query_row(count, [], |row| row.get(0)).expect("rows");
    assert!(roles > 1);
    said(run(data.path(), &["role", "add", "gilder"]));
    let log = data.path().join("isolario.db-wal").metadata();
    assert!(log.expect("a log").len() > 4096);
    let log = std::fs::read(data.path().join("isolario.db-wal")).expect("a log");
    drop(reader);
    std::fs::write(data.path().join("isolario.db-wal"), log).expect("written");
    let file = std::fs::File::options().write(true).open(&path);
    let file = file.expect("a database");
    let size = file.metadata().expect("there").len();
    file.set_len(size - 4096).expect("cut");
    assert_refused(data.path(), "cut short beside its log");
}

#[test]
fn a_killed_repository_goes_on() {
    let data = tempfile::tempdir().expect("a directory");
    killed(data.path());
    let roles = said(run(data.path(), &["role", "list"]));
    assert!(roles.contains("reader"), "{roles}");
}

#[test]
fn a_directory_that_keeps_nothing_yet_becomes_a_repository() {
    for content in [None, Some("")] {
        let data = tempfile::tempdir().expect("a directory");
        for name in ["files", "ocfl/lost+found", "uploads"] {
            std::fs::create_dir_all(data.path().join(name)).expect("made");
        }
        if let Some(content) = content {
            std::fs::write(data.path().join("isolario.db"), content).expect("written");
        }
        said(run(data.path(), &["user", "list"]));
    }
}
