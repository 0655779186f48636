//! Changes that share a commit succeed or fail each for itself; when the transaction itself is lost,
//! nobody is told otherwise.

use std::sync::mpsc;

use futures_util::future::join_all;
use rusqlite::params;

use crate::{Db, DbError, Deletion, Write};

fn database() -> (tempfile::TempDir, Db) {
    let directory = tempfile::tempdir().expect("a directory");
    let db = Db::open(&directory.path().join("test.db")).expect("a database");
    (directory, db)
}

fn insert(write: &Write<'_>, name: &str, value: &str) -> Result<(), DbError> {
    write
        .connection
        .prepare_cached("INSERT INTO setting (name, value) VALUES (?1, ?2)")?
        .execute(params![name, value])?;
    Ok(())
}

fn is_kept(db: &Db, name: &str) -> bool {
    let value = db.read_here(|read| read.setting(name));
    value.expect("an answer").is_some()
}

/// Keeps the writer in a change until something is sent or the sender is dropped.
fn hold(
    db: &Db,
) -> (
    mpsc::Sender<()>,
    tokio::task::JoinHandle<Result<(), DbError>>,
) {
    let (release, released) = mpsc::channel::<()>();
    let (begun, began) = mpsc::channel();
    let db = db.clone();
    let held = tokio::spawn(async move {
        db.write(move |write| {
            insert(write, "held", "")?;
            begun.send(()).expect("a listener");
            let _ = released.recv();
            Ok(())
        })
        .await
    });
    began.recv().expect("the change has begun");
    (release, held)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_change_fails_alone() {
    let (_directory, db) = database();
    let (release, held) = hold(&db);
    // While one is under way, the others wait for the next commit, which they share.
    let names = ["a", "b", "a", "c"];
    let changes = names.map(|name| db.write(move |write| insert(write, name, "1")));
    let mut all = join_all(changes);
    assert!(futures_util::poll!(&mut all).is_pending());
    drop(release);
    held.await.expect("no panic").expect("committed");
    let outcomes = all.await;
    assert!(
        matches!(outcomes[2], Err(DbError::Constraint(_))),
        "{:?}",
        outcomes[2]
    );
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 3);
    assert!(
        ["a", "b", "c", "held"]
            .iter()
            .all(|name| is_kept(&db, name))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_fails_alone_in_its_commit_leaves_nothing() {
    let (_directory, db) = database();
    let refused = db.write(|write| -> Result<(), DbError> {
        insert(write, "a", "1")?;
        insert(write, "a", "2")
    });
    assert!(matches!(refused.await, Err(DbError::Constraint(_))));
    let panicked = db.write(|write| -> Result<(), DbError> {
        insert(write, "a", "1")?;
        panic!("a change that breaks off")
    });
    assert!(matches!(panicked.await, Err(DbError::Closed)));
    assert!(!is_kept(&db, "a"));
    let next = db.write(|write| insert(write, "b", "1"));
    next.await.expect("committed");
    assert!(is_kept(&db, "b"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_the_failure_of_its_own_change() {
    let (_directory, db) = database();
    let panicking = db.write(|write| -> Result<(), DbError> {
        insert(write, "lost", "")?;
        panic!("on purpose")
    });
    let (panicked, kept) = tokio::join!(panicking, db.write(|write| insert(write, "kept", "")));
    assert!(panicked.is_err());
    kept.expect("committed");
    assert!(!is_kept(&db, "lost") && is_kept(&db, "kept"));
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_disk_is_full_nobody_hears_of_success_who_had_none() {
    let (_directory, db) = database();
    let pages = |write: &Write<'_>, more: i64| -> Result<(), DbError> {
        let used: i64 = write
            .connection
            .query_row("PRAGMA page_count", [], |row| row.get(0))?;
        let sql = format!("PRAGMA max_page_count = {}", used + more);
        write.connection.query_row(&sql, [], |_| Ok(()))?;
        Ok(())
    };
    db.write(move |write| pages(write, 20))
        .await
        .expect("a limit");
    let (release, held) = hold(&db);
    let large = "x".repeat(10_000);
    let changes = (0..40).map(|number| {
        let large = large.clone();
        db.write(move |write| insert(write, &format!("large {number}"), &large))
    });
    let mut all = join_all(changes);
    assert!(futures_util::poll!(&mut all).is_pending());
    drop(release);
    let held = held.await.expect("no panic");
    let outcomes = all.await;
    assert!(
        outcomes.iter().any(Result::is_err),
        "the limit was never reached"
    );
    assert_eq!(held.is_ok(), is_kept(&db, "held"));
    for (number, outcome) in outcomes.iter().enumerate() {
        let kept = is_kept(&db, &format!("large {number}"));
        assert_eq!(outcome.is_ok(), kept, "change {number}: {outcome:?}");
    }
    db.write(move |write| pages(write, 1000))
        .await
        .expect("space again");
    db.write(|write| insert(write, "later", ""))
        .await
        .expect("the writer goes on");
    assert!(is_kept(&db, "later"));
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_do_not_wait_for_a_change_under_way() {
    let (_directory, db) = database();
    let (release, held) = hold(&db);
    assert!(!is_kept(&db, "held"));
    drop(release);
    held.await.expect("no panic").expect("committed");
    assert!(is_kept(&db, "held"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_reader_remembers_of_a_reference_ends_with_the_next_commit() {
    use isolario_model::content::{Entity, EntityKind};
    use isolario_model::policy::{Actor, Operation, Subject, permit};
    let (_directory, db) = database();
    let named = |name: &str| {
        let mut term = Entity::new(EntityKind::Term, "subject");
        term.set_value("name", name);
        term
    };
    let (term, program) = (named("before"), Actor::program());
    let inserting = db.write(move |write| -> Result<i64, DbError> {
        let permitted = permit(&program, Operation::Create, &Subject::of(&term))?;
        write.insert_entity(&permitted, &term)
    });
    let id = inserting.await.expect("a term");
    let label = || {
        let found = db.read_here(|read| read.target(EntityKind::Term, id));
        found.expect("an answer").map(|target| target.label)
    };
    assert_eq!(
        (label(), label()),
        (Some("before".into()), Some("before".into()))
    );
    let mut renamed = named("after");
    renamed.id = id;
    let (of_renamed, program) = (renamed.clone(), Actor::program());
    let renaming = db.write(move |write| -> Result<(), DbError> {
        let permitted = permit(&program, Operation::Update, &Subject::of(&renamed))?;
        write.update_entity(&permitted, &renamed)
    });
    renaming.await.expect("renamed");
    assert_eq!(label(), Some("after".into()));
    let deletion = Deletion {
        at: 1,
        actor: 1,
        origin: "rest",
    };
    let program = Actor::program();
    let deleting = db.write(move |write| -> Result<(), DbError> {
        let permitted = permit(&program, Operation::Delete, &Subject::of(&of_renamed))?;
        write.mark_deleted(&permitted, EntityKind::Term, id, &deletion)
    });
    deleting.await.expect("deleted");
    assert_eq!(label(), None);
}
