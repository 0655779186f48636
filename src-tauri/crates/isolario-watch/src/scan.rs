//! Scans a folder and writes new and changed files to the ledger.

use std::ops::ControlFlow;
use std::sync::Arc;

use tokio::runtime::Handle;

use super::folder::{Entry, walk};
use super::names::{DONE, FAILED, is_passed_over, is_sidecar, place_key, split};
use super::{WatchedFolder, now};
use isolario_db::{DbError, NewWatchedFile, Write};
use isolario_model::content::{WatchState, WatchedFile};
use isolario_model::watch_rule::{Rule, Subfolders};

/// How many files one transaction writes.
const BATCH: usize = 500;

/// Whether a rule includes the files in a subfolder.
pub fn enters(rule: &Rule, path: &str) -> bool {
    let (above, name) = split(path);
    let ours = above.is_empty() && (name == DONE || name == FAILED);
    rule.subfolders != Subfolders::Ignored && !ours && !is_passed_over(name)
}

/// Whether a rule includes a file, in whatever subfolder.
pub fn is_for(rule: &Rule, path: &str) -> bool {
    let (folder, name) = split(path);
    let mut above = folder;
    while !above.is_empty() {
        if !enters(rule, above) {
            return false;
        }
        above = split(above).0;
    }
    !is_passed_over(name) && !is_sidecar(rule, name)
}

/// Scans a subfolder with its subfolders. When `below` is empty, it scans the watched folder.
///
/// # Errors
/// A sentence when the folder cannot be read, or the ledger cannot be written.
pub async fn look_through(watched: &Arc<WatchedFolder>, below: String) -> Result<(), String> {
    let (watched, handle) = (watched.clone(), Handle::current());
    let work = tokio::task::spawn_blocking(move || {
        let mut found = Vec::with_capacity(BATCH);
        let mut failure = None;
        let enters = |path: &str| enters(&watched.rule, path);
        let mut visit = |entry: Entry| {
            if is_for(&watched.rule, &entry.path) {
                found.push(entry);
            }
            if found.len() < BATCH {
                return ControlFlow::Continue(());
            }
            match handle.block_on(note(&watched, std::mem::take(&mut found))) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error.to_string());
                    ControlFlow::Break(())
                }
            }
        };
        let walked = walk(&watched.folder, &below, &enters, &mut visit);
        walked.map_err(|error| format!("The folder cannot be read: {error}."))?;
        let noted = handle.block_on(note(&watched, found));
        failure.map_or(noted.map_err(|error| error.to_string()), Err)
    });
    work.await.unwrap_or_else(|error| Err(error.to_string()))
}

/// Writes the new and changed files among those found to the ledger.
///
/// # Errors
/// What the database refuses.
pub async fn note(watched: &WatchedFolder, found: Vec<Entry>) -> Result<(), DbError> {
    let (db, id) = (&watched.repository.db, watched.id);
    let known = db.read_here(|read| {
        let rows = found.into_iter().map(|entry| {
            let row = read.watched_file_at(id, &entry.path)?;
            Ok((entry, row))
        });
        rows.collect::<Result<Vec<_>, DbError>>()
    })?;
    let news: Vec<(Entry, Option<WatchedFile>)> = known
        .into_iter()
        .filter(|(entry, row)| row.as_ref().is_none_or(|row| is_news(row, entry)))
        .collect();
    if news.is_empty() {
        return Ok(());
    }
    let rule = watched.rule.clone();
    db.write(move |write| -> Result<(), DbError> {
        for (entry, _) in &news {
            // It may have come further since it was looked up.
            match write.watched_file_at(id, &entry.path)? {
                Some(row) if is_news(&row, entry) => change(write, &rule, row, entry)?,
                Some(_) => {}
                None => add(write, id, &rule, entry)?,
            }
        }
        Ok(())
    })
    .await?;
    watched.happened();
    Ok(())
}

/// Whether a file is not the one of its row, or is back at the path where it failed.
fn is_news(row: &WatchedFile, entry: &Entry) -> bool {
    let back = row.state == WatchState::Failed && row.moved_to.is_some();
    row.state != WatchState::Ingesting && !entry.unspeakable && (row.look != entry.look || back)
}

fn change(
    write: &mut Write<'_>,
    rule: &Rule,
    mut row: WatchedFile,
    entry: &Entry,
) -> Result<(), DbError> {
    let now = now();
    row.look = entry.look;
    (row.state, row.reason) = (WatchState::Seen, None);
    (row.attempts, row.untidy, row.moved_to) = (0, false, None);
    (row.since, row.changed, row.due) = (now, now, now + rule.settle_time());
    write.update_watched_file(&row)
}

fn add(write: &mut Write<'_>, id: i64, rule: &Rule, entry: &Entry) -> Result<(), DbError> {
    let now = now();
    if let Some(mut row) = write.watched_file_gone(id, &entry.path, &entry.look)? {
        // The very file that was moved or removed is back: a power cut, or somebody who undoes that.
        (row.gone, row.moved_to, row.untidy) = (None, None, true);
        row.changed = now;
        return write.update_watched_file(&row);
    }
    let (folder, place_key) = order(rule, &entry.path);
    let file = NewWatchedFile {
        path: entry.path.clone(),
        folder,
        place_key,
        look: entry.look,
        due: now + rule.settle_time(),
    };
    write.insert_watched_file(id, &file, now)?;
    match entry.unspeakable {
        true => give_up(write, id, &entry.path),
        false => Ok(()),
    }
}

fn give_up(write: &mut Write<'_>, id: i64, path: &str) -> Result<(), DbError> {
    let Some(mut row) = write.watched_file_at(id, path)? else {
        return Ok(());
    };
    row.state = WatchState::Failed;
    row.reason = Some("The name of the file is not UTF-8. Give it another name.".into());
    write.update_watched_file(&row)
}

/// The folder among whose files a file is ordered, and its sort key.
pub fn order(rule: &Rule, path: &str) -> (String, String) {
    match path.split_once('/') {
        Some((object, inside)) if rule.makes_objects() => (object.into(), place_key(inside)),
        _ => (split(path).0.into(), String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(subfolders: Subfolders) -> Rule {
        Rule {
            subfolders,
            ..Rule::for_folder("/a".into())
        }
    }

    #[test]
    fn a_rule_is_for_files_and_not_for_what_we_put_aside() {
        let flat = rule(Subfolders::Flat);
        for path in ["a.tif", "b/a.tif", "b/done/a.tif"] {
            assert!(is_for(&flat, path), "{path}");
        }
        for path in [
            "done/a.tif",
            "failed/b/a.tif",
            ".git/a.tif",
            "b/.a.tif",
            "a.json",
            "b/metadata.csv",
        ] {
            assert!(!is_for(&flat, path), "{path}");
        }
        let shallow = rule(Subfolders::Ignored);
        assert!(is_for(&shallow, "a.tif") && !is_for(&shallow, "b/a.tif"));
    }

    #[test]
    fn pages_have_a_place_in_their_object() {
        let (object, place) = order(&rule(Subfolders::Paged), "book/part 2/p9.tif");
        assert_eq!(object, "book");
        assert!(place < order(&rule(Subfolders::Paged), "book/part 10/p1.tif").1);
    }
}
