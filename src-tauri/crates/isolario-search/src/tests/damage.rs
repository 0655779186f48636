//! Whatever happens to the files of an index: it is recognised, or the answers are right.

use std::fs;
use std::path::{Path, PathBuf};

use tantivy::Directory as _;

use crate::index::schema::VERSION;
use crate::index::sealed::SealedDirectory;
use crate::{
    Change, Order, Rebuild, Search, SearchDocument, SearchError, SearchIndex, SearchResults,
    Unusable, Visibilities,
};

use super::support::{ANONYMOUS, With, index, item, put, typed};

/// A directory with an index of several segments, of which one has deleted items.
fn sound() -> tempfile::TempDir {
    let documents: Vec<_> = (0..40).map(|id| item(id, "map of Venice")).collect();
    let indexed = index(&documents);
    indexed
        .index
        .apply(&[Change::Delete(3), put(item(50, "map").hidden(7))], 2)
        .unwrap();
    indexed
        .index
        .apply(&[put(item(51, "map").in_language("en"))], 3)
        .unwrap();
    indexed.index.rest().unwrap();
    indexed.directory
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn is_lock(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| extension == "lock")
}

/// Copies the files of an index and damages one of them.
fn damaged(sound: &Path, file: &Path, damage: impl Fn(&Path)) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for source in files(sound) {
        fs::copy(&source, copy.path().join(source.file_name().unwrap())).unwrap();
    }
    damage(&copy.path().join(file.file_name().unwrap()));
    copy
}

/// Damage within a file may be recognised only when it is read. Until then all answers are right.
fn assert_recognised(directory: &Path, is_within: bool, what: &str) {
    match SearchIndex::open(directory) {
        Err(Unusable::Damaged(_) | Unusable::Missing) => {}
        Ok(index) if is_within => {
            let verified = index.verify();
            let is_recognised = matches!(verified, Err(SearchError::Damaged(_)));
            assert!(is_recognised, "{what}: {verified:?}");
            let found = index.search(&searched());
            assert!(
                matches!(found, Err(SearchError::Damaged(_)))
                    || found.is_ok_and(|found| found == expected()),
                "{what}"
            );
        }
        opened => panic!("{what}: {:?}", opened.err()),
    }
}

/// What reads much of an index.
fn searched() -> Search {
    let mut search = typed("map ma* \"map of\"", Visibilities::EVERYTHING);
    search.with_histogram = true;
    search.order = Order::Title;
    search.close_matches_below = 100;
    search
}

fn expected() -> SearchResults {
    let sound = sound();
    SearchIndex::open(sound.path())
        .unwrap()
        .search(&searched())
        .unwrap()
}

#[test]
fn a_file_that_is_missing_cut_or_changed_is_recognised() {
    let sound = sound();
    for file in files(sound.path()).iter().filter(|file| !is_lock(file)) {
        let name = file.display();
        let length = fs::metadata(file).unwrap().len();
        let missing = damaged(sound.path(), file, |file| fs::remove_file(file).unwrap());
        // Of the list of files to be removed some day nothing depends.
        if file.ends_with(".managed.json") {
            assert!(SearchIndex::open(missing.path()).is_ok());
        } else {
            assert_recognised(missing.path(), false, &format!("{name} missing"));
        }
        for cut in [0, 1, 7, length / 2, length - 1] {
            let cut_off = damaged(sound.path(), file, |file| {
                fs::OpenOptions::new()
                    .write(true)
                    .open(file)
                    .unwrap()
                    .set_len(cut)
                    .unwrap();
            });
            assert_recognised(cut_off.path(), false, &format!("{name} cut to {cut}"));
        }
        for step in 0..16 {
            let at = usize::try_from(step * (length - 1) / 15).unwrap();
            let changed = damaged(sound.path(), file, |file| {
                let mut bytes = fs::read(file).unwrap();
                bytes[at] ^= 0x41;
                fs::write(file, bytes).unwrap();
            });
            assert_recognised(changed.path(), true, &format!("{name} changed at {at}"));
        }
        let zeros = damaged(sound.path(), file, |file| {
            fs::write(file, vec![0; usize::try_from(length).unwrap()]).unwrap();
        });
        assert_recognised(zeros.path(), false, &format!("{name} of zeros"));
    }
}

#[test]
fn files_of_a_commit_that_was_cut_off_do_not_hinder_the_next() {
    let sound = sound();
    let again = || [put(item(20, "plan of Rome"))];
    let meta = sound.path().join("meta.json");
    let copy = |file: &Path| damaged(sound.path(), file, |_| {});
    // The files of a commit are there, but for those that name them.
    let whole = copy(&meta);
    SearchIndex::open(whole.path())
        .unwrap()
        .apply(&again(), 4)
        .unwrap();
    let cut_off = copy(&meta);
    for file in files(whole.path()) {
        let target = cut_off.path().join(file.file_name().unwrap());
        if !target.exists() {
            fs::copy(&file, target).unwrap();
        }
    }
    let index = SearchIndex::open(cut_off.path()).unwrap();
    assert_eq!(index.last_event(), 3);
    index.apply(&again(), 4).unwrap();
    let found = index.search(&typed("rome", ANONYMOUS)).unwrap();
    assert_eq!(found.total, 1);
}

#[test]
fn an_index_of_another_release_is_recognised() {
    let sound = sound();
    let name = Path::new("meta.json");
    let meta = sound.path().join(name);
    let directory = SealedDirectory::open(sound.path()).unwrap();
    let text = String::from_utf8(directory.atomic_read(name).unwrap()).unwrap();
    let ours = format!("isolario {VERSION} 3");
    for (from, to) in [(ours.as_str(), "isolario 99 3"), ("\"owner\"", "\"ownre\"")] {
        assert!(text.contains(from), "{text}");
        let other = damaged(sound.path(), &meta, |file| {
            let text = text.replace(from, to);
            let directory = SealedDirectory::open(file.parent().unwrap()).unwrap();
            directory.atomic_write(name, text.as_bytes()).unwrap();
        });
        let opened = SearchIndex::open(other.path());
        assert!(matches!(opened, Err(Unusable::OtherVersion)), "{to}");
    }
}

#[test]
fn what_nobody_wrote_is_refused_and_does_not_block() {
    let sound = sound();
    let pipe = sound.path().join("pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    assert!(matches!(
        SearchIndex::open(sound.path()),
        Err(Unusable::Foreign(_))
    ));
    fs::remove_file(&pipe).unwrap();
    fs::write(sound.path().join("rest-of-a-crash.idx"), "half").unwrap();
    assert!(
        SearchIndex::open(sound.path()).is_ok(),
        "what no segment names is left alone"
    );
}

#[test]
fn a_directory_that_cannot_be_written_to_changes_nothing() {
    let sound = sound();
    let index = SearchIndex::open(sound.path()).unwrap();
    fs::remove_dir_all(sound.path()).unwrap();
    assert!(index.apply(&[Change::Delete(1)], 9).is_err());
    assert_eq!(index.last_event(), 3);
    assert_eq!(index.search(&typed("map", ANONYMOUS)).unwrap().total, 40);
}

#[test]
fn a_file_that_is_cut_while_it_is_open_ends_no_search_but_in_an_error() {
    let sound = sound();
    let index = SearchIndex::open(sound.path()).unwrap();
    index.search(&searched()).unwrap();
    // What was read and is remembered would still be right.
    index.rest().unwrap();
    for file in files(sound.path()).iter().filter(|file| !is_lock(file)) {
        let opened = fs::OpenOptions::new().write(true).open(file).unwrap();
        opened.set_len(0).unwrap();
    }
    let found = index.search(&searched());
    assert!(matches!(found, Err(SearchError::Damaged(_))), "{found:?}");
}

#[test]
fn a_full_disk_is_told_apart_and_changes_nothing() {
    let documents: Vec<SearchDocument> = (0..400).map(|id| item(id, "map of Venice")).collect();
    for limit in [1, 1_000, 20_000] {
        let disk = tempfile::tempdir().unwrap();
        let directory = SealedDirectory::open(disk.path()).unwrap();
        directory.space().set_limit(limit);
        let made = Rebuild::start_in(directory).and_then(|mut rebuild| {
            documents
                .iter()
                .try_for_each(|document| rebuild.add(document))?;
            rebuild.finish(1).map(drop)
        });
        assert!(made.is_err_and(|error| error.is_full()), "{limit}");
    }
    let indexed = index(&documents);
    for limit in [1, 1_000] {
        indexed.index.set_space(limit);
        let applied = indexed.index.apply(&[put(item(1, "atlas"))], 2);
        assert!(applied.is_err_and(|error| error.is_full()), "{limit}");
        assert_eq!(indexed.index.last_event(), 1);
        assert!(indexed.found("atlas", ANONYMOUS).is_empty());
    }
    indexed.index.set_space(0);
    indexed.index.apply(&[put(item(1, "atlas"))], 2).unwrap();
    assert_eq!(indexed.found("atlas", ANONYMOUS), [1]);
}
