//! The index follows the changes of items.

use crate::{Change, SearchIndex, Unusable};

use super::support::{ANONYMOUS, With, index, item, put, typed};

#[test]
fn searches_show_a_change_when_it_returns() {
    let indexed = index(&[item(1, "old"), item(2, "other")]);
    let index = &indexed.index;
    index.apply(&[put(item(1, "new"))], 2).unwrap();
    assert_eq!(indexed.found("old", ANONYMOUS), [0; 0]);
    assert_eq!(indexed.found("new", ANONYMOUS), [1]);
    assert_eq!(indexed.results(&typed("", ANONYMOUS)).last_event, 2);
    index
        .apply(&[Change::Delete(2), put(item(3, "new"))], 3)
        .unwrap();
    assert_eq!(indexed.found("", ANONYMOUS), [1, 3]);
    index
        .apply(
            &[put(item(4, "x")), Change::Delete(4), put(item(4, "y"))],
            4,
        )
        .unwrap();
    assert_eq!(
        (indexed.found("x", ANONYMOUS), indexed.found("y", ANONYMOUS)),
        (vec![], vec![4])
    );
    index.apply(&[], 5).unwrap();
    assert_eq!((index.last_event(), index.items()), (5, 3));
}

#[test]
fn an_opened_index_knows_its_last_event() {
    let indexed = index(&[item(1, "map")]);
    indexed.index.apply(&[put(item(2, "map"))], 7).unwrap();
    let directory = indexed.directory;
    drop(indexed.index);
    let index = SearchIndex::open(directory.path()).unwrap();
    assert_eq!(index.last_event(), 7);
    assert_eq!(index.search(&typed("map", ANONYMOUS)).unwrap().total, 2);
    index.apply(&[Change::Delete(1)], 8).unwrap();
    index.rest().unwrap();
    index.apply(&[put(item(3, "map")).clone()], 9).unwrap();
    assert_eq!(index.search(&typed("map", ANONYMOUS)).unwrap().total, 2);
}

#[test]
fn many_small_changes_leave_few_files() {
    let indexed = index(&[item(0, "map")]);
    for id in 1..200 {
        let change = put(item(id % 50, "map").hidden(id));
        indexed.index.apply(&[change], id).unwrap();
    }
    indexed.index.rest().unwrap();
    assert_eq!(indexed.index.items(), 50);
    let files = std::fs::read_dir(indexed.directory.path()).unwrap().count();
    assert!(files < 120, "{files} files");
}

#[test]
fn a_directory_without_an_index_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let none = directory.path().join("none");
    assert!(matches!(SearchIndex::open(&none), Err(Unusable::Missing)));
    assert!(matches!(
        SearchIndex::open(directory.path()),
        Err(Unusable::Missing)
    ));
    let begun = crate::Rebuild::start(directory.path()).unwrap();
    assert!(matches!(
        SearchIndex::open(directory.path()),
        Err(Unusable::Unfinished)
    ));
    drop(begun);
    std::fs::create_dir(directory.path().join("more")).unwrap();
    assert!(matches!(
        SearchIndex::open(directory.path()),
        Err(Unusable::Foreign(_))
    ));
}
