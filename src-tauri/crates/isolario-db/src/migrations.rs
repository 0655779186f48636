//! Opens the database file and migrates its schema, forward only.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite_migration::{M, Migrations};

use super::lists::id_set;
use super::{DbError, copy};
use isolario_disk::durable::sync_directory;
use isolario_disk::faults;
use isolario_platform::files;

const STEPS: &[M<'_>] = &[
    M::up(include_str!("migrations/01_first.sql")),
    M::up(include_str!("migrations/02_preservation.sql")),
    M::up(include_str!("migrations/03_origin.sql")),
    M::up(include_str!("migrations/04_branches.sql")),
    M::up(include_str!("migrations/05_batches.sql")),
    M::up(include_str!("migrations/06_identity.sql")),
    M::up(include_str!("migrations/07_access_tokens.sql")),
    M::up(include_str!("migrations/08_batches_of_trash.sql")),
    M::up(include_str!("migrations/09_picture_adjustment.sql")),
    M::up(include_str!("migrations/10_unsearched_log_messages.sql")),
    M::up(include_str!("migrations/11_words_in_the_search_index.sql")),
    M::up(include_str!("migrations/12_content_of_members.sql")),
    M::up(include_str!("migrations/13_index_after_the_commit.sql")),
    M::up(include_str!("migrations/14_saved_searches.sql")),
    M::up(include_str!("migrations/15_addresses.sql")),
    M::up(include_str!("migrations/16_pushed.sql")),
    M::up(include_str!("migrations/17_places_of_terms.sql")),
    M::up(include_str!("migrations/18_harvest.sql")),
    M::up(include_str!("migrations/19_scopes.sql")),
    M::up(include_str!("migrations/20_roles_in_collections.sql")),
    M::up(include_str!("migrations/21_share_links.sql")),
    M::up(include_str!("migrations/22_second_factor.sql")),
    M::up(include_str!("migrations/23_openid_identity.sql")),
    M::up(include_str!("migrations/24_records_of_nodes_due.sql")),
    M::up(include_str!("migrations/25_types_of_nodes.sql")),
    M::up(include_str!("migrations/26_upload_pieces.sql")),
];
const MIGRATIONS: Migrations<'_> = Migrations::from_slice(STEPS);

/// How many copies of databases before a migration are kept.
const KEPT_COPIES: usize = 3;

/// The page cache of the writer, KiB: as large as the index pages of a group of changes. SQLite allocates it as needed.
const CACHE: i64 = 32 * 1024;
/// Pages in the log before a checkpoint. With many, a page that changes often is written to the database once.
const LOG: i64 = 8000;

/// Opens the connection of the writer. A database of an older schema is copied first and then migrated in one
/// transaction. If that fails, it stays as it is.
pub(super) fn open(path: &Path) -> Result<Connection, DbError> {
    let mut connection = Connection::open(path)?;
    let found = schema_of(&connection)?;
    refuse_newer(found)?;
    configure(&connection)?;
    if (1..STEPS.len()).contains(&found) {
        keep_copy(&connection, path)?;
    }
    connection.commit_hook(Some(|| {
        faults::point("migrating");
        false
    }))?;
    MIGRATIONS.to_latest(&mut connection)?;
    connection.commit_hook(None::<fn() -> bool>)?;
    // Less than zero: KiB instead of pages (SQLite, PRAGMA cache_size).
    connection.pragma_update(None, "cache_size", -CACHE)?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG)?;
    Ok(connection)
}

/// Copies the database to `isolario-before-N.db` beside it, before it is migrated to schema N.
fn keep_copy(connection: &Connection, path: &Path) -> Result<(), DbError> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let kept = directory.join(format!("isolario-before-{}.db", STEPS.len()));
    let unfinished = kept.with_extension("db.new");
    tracing::warn!(copy = %kept.display(), "the database is of an older schema: it is copied, then brought up to date");
    let _ = files::remove_file(&unfinished);
    copy::copy(connection, &unfinished, |_, _| {})?;
    files::rename(&unfinished, &kept).map_err(DbError::File)?;
    sync_directory(directory).map_err(DbError::File)?;
    drop_old_copies(directory).map_err(DbError::File)
}

fn drop_old_copies(directory: &Path) -> std::io::Result<()> {
    let mut copies: Vec<(u32, PathBuf)> = Vec::new();
    for entry in directory.read_dir()? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| {
            let number = name.strip_prefix("isolario-before-")?.strip_suffix(".db")?;
            number.parse().ok()
        });
        copies.extend(number.map(|number| (number, entry.path())));
    }
    copies.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    for (_, path) in copies.into_iter().skip(KEPT_COPIES) {
        files::remove_file(path)?;
    }
    Ok(())
}

/// Sets WAL, so that readers never wait, and FULL, so that a commit is on disk.
pub(super) fn configure(connection: &Connection) -> Result<(), DbError> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    settle(connection)
}

/// Sets what every connection needs. It does not change the file.
pub(super) fn settle(connection: &Connection) -> Result<(), DbError> {
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // Otherwise statements over an index of some rows are planned again for each value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(256);
    id_set::register(connection)?;
    Ok(())
}

/// Whether a database has the schema of this program.
///
/// # Errors
/// `Newer` when a newer program made it.
pub(super) fn is_up_to_date(connection: &Connection) -> Result<bool, DbError> {
    let found = schema_of(connection)?;
    refuse_newer(found)?;
    Ok(found == STEPS.len())
}

fn schema_of(connection: &Connection) -> Result<usize, DbError> {
    let found: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    Ok(usize::try_from(found).unwrap_or(usize::MAX))
}

fn refuse_newer(found: usize) -> Result<(), DbError> {
    if found > STEPS.len() {
        return Err(DbError::Newer {
            found,
            known: STEPS.len(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use isolario_model::content::{EntityKind, IndexRow, IndexValue};

    fn version_1(path: &Path) -> Connection {
        let mut connection = Connection::open(path).unwrap();
        MIGRATIONS.to_version(&mut connection, 1).unwrap();
        let filled = connection.execute("INSERT INTO setting VALUES ('name', 'kept')", []);
        assert_eq!(filled.unwrap(), 1);
        connection
    }

    /// A database of an older schema with some rows, brought up to date, and the directory that it lies in.
    fn migrated_from(version: usize, rows: &str) -> (tempfile::TempDir, Connection) {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("isolario.db");
        let mut old = Connection::open(&path).unwrap();
        MIGRATIONS.to_version(&mut old, version).unwrap();
        old.execute_batch(rows).unwrap();
        drop(old);
        let migrated = open(&path).unwrap();
        (disk, migrated)
    }

    fn kept(path: &Path) -> String {
        let connection = Connection::open(path).unwrap();
        let value = connection.query_row("SELECT value FROM setting", [], |row| row.get(0));
        value.unwrap()
    }

    #[test]
    fn an_older_database_is_copied_and_brought_up_to_date() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("isolario.db");
        drop(version_1(&path));
        let migrated = open(&path).unwrap();
        assert_eq!(schema_of(&migrated).unwrap(), STEPS.len());
        let copy = disk
            .path()
            .join(format!("isolario-before-{}.db", STEPS.len()));
        assert_eq!(schema_of(&Connection::open(&copy).unwrap()).unwrap(), 1);
        assert_eq!((kept(&copy), kept(&path)), ("kept".into(), "kept".into()));
    }

    #[test]
    fn log_messages_of_revisions_are_found_no_more() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("isolario.db");
        let mut old = Connection::open(&path).unwrap();
        MIGRATIONS.to_version(&mut old, 9).unwrap();
        old.execute_batch(
            "INSERT INTO node (id, uuid, revision, bundle, label, published, owner, created, changed, document)
               VALUES (1, 'a', 1, 'page', 'Quay', 1, 1, 0, 0, '{}'), (2, 'b', 2, 'page', 'Pier', 1, 1, 0, 0, '{}');
             INSERT INTO field_text VALUES
               ('node', 1, 'revision_log', 0, 'private words'), ('node', 1, 'field_extent', 0, 'two pages');
             INSERT INTO item_text (rowid, title, text)
               VALUES (1, 'Quay', 'private words two pages'), (2, 'Pier', 'three pages');",
        )
        .unwrap();
        MIGRATIONS.to_version(&mut old, 10).unwrap();
        let found = |word: &str| -> Vec<i64> {
            let sql = "SELECT rowid FROM item_text WHERE item_text MATCH ?1 ORDER BY rowid";
            let mut statement = old.prepare(sql).unwrap();
            let rows = statement.query_map([word], |row| row.get(0)).unwrap();
            rows.collect::<Result<_, _>>().unwrap()
        };
        assert!(found("private").is_empty());
        assert_eq!([found("pages"), found("quay")], [vec![1, 2], vec![1]]);
    }

    #[test]
    fn a_step_that_fails_leaves_the_older_schema() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("isolario.db");
        // In the way of the second step, near its end.
        let connection = version_1(&path);
        let trigger = "CREATE TRIGGER content_model_record_changed AFTER UPDATE ON setting BEGIN SELECT 1; END";
        connection.execute_batch(trigger).unwrap();
        drop(connection);
        assert!(matches!(open(&path), Err(DbError::Migration(_))));
        let connection = Connection::open(&path).unwrap();
        assert_eq!(schema_of(&connection).unwrap(), 1);
        let tables = "SELECT count(*) FROM sqlite_schema WHERE name IN ('job', 'record_due')";
        let tables: i64 = connection.query_row(tables, [], |row| row.get(0)).unwrap();
        assert_eq!(tables, 0);
    }

    #[test]
    fn collections_at_the_top_are_told_from_what_is_unfiled() {
        let (_disk, migrated) = migrated_from(
            1,
            "INSERT INTO node (id, uuid, revision, bundle, label, published, owner, created, changed, document)
               VALUES (1, 'a', 1, 'page', 'A', 1, 1, 0, 0, '{}'), (2, 'b', 2, 'page', 'B', 1, 1, 0, 0, '{}');
             INSERT INTO listing (node, list, of, published, owner, is_collection, title, created, changed)
               VALUES (1, 2, 0, 1, 1, 1, 'A', 0, 0), (2, 2, 0, 1, 1, 0, 'B', 0, 0);",
        );
        let rows = |sql: &str| -> Vec<(i64, i64)> {
            let mut statement = migrated.prepare(sql).unwrap();
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
            rows.unwrap().collect::<Result<_, _>>().unwrap()
        };
        let listed = rows("SELECT node, list FROM listing ORDER BY node");
        assert_eq!(listed, [(1, 5), (2, 2)]);
        let counts = rows("SELECT list, sum(nodes) FROM listing_count GROUP BY list ORDER BY list");
        assert_eq!(counts, [(2, 1), (5, 1)]);
    }

    #[test]
    fn branches_of_an_older_database_are_found() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("isolario.db");
        let mut old = Connection::open(&path).unwrap();
        MIGRATIONS.to_version(&mut old, 3).unwrap();
        for (node, parents) in [(1, vec![]), (2, vec![1]), (3, vec![2]), (4, vec![1, 2])] {
            let node_sql = "INSERT INTO node (id, uuid, revision, bundle, label, published, owner, created, changed, document)
               VALUES (?1, ?1, ?1, 'page', '', 1, 1, 0, 0, '{}')";
            old.execute(node_sql, [node]).unwrap();
            for parent in parents {
                let sql = "INSERT INTO listing (node, list, of, published, owner, is_collection, title, created, changed)
                   VALUES (?1, 1, ?2, 1, 1, 0, '', 0, 0)";
                old.execute(sql, [node, parent]).unwrap();
            }
        }
        drop(old);
        let migrated = open(&path).unwrap();
        let sql =
            "SELECT group_concat(node || ' in ' || of, ', ') FROM listing WHERE is_branch = 1";
        let branches: String = migrated.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(branches, "2 in 1, 4 in 1, 4 in 2");
    }

    #[test]
    fn origins_keep_their_values_and_triggers_under_the_new_name() {
        let (_disk, migrated) = migrated_from(
            2,
            "INSERT INTO node (id, uuid, revision, bundle, label, published, owner, created, changed, document)
               VALUES (1, 'a', 1, 'page', 'A', 1, 1, 0, 0, '{}');
             INSERT INTO node_revision (id, made, author, door, document) VALUES (1, 0, 1, 'watch', '{}');
             INSERT INTO trash (kind, entity_id, at, actor, door) VALUES ('node', 1, 0, 1, 'window');
             DELETE FROM job;",
        );
        let text = |sql: &str| -> String { migrated.query_row(sql, [], |row| row.get(0)).unwrap() };
        assert_eq!(text("SELECT origin FROM node_revision"), "watch");
        assert_eq!(text("SELECT origin FROM trash"), "window");
        migrated
            .execute("UPDATE trash SET origin = 'rest'", [])
            .unwrap();
        assert!(text("SELECT count(*) || '' FROM job") != "0");
    }

    #[test]
    fn what_was_due_keeps_its_references_to_terms() {
        let (_disk, migrated) = migrated_from(
            23,
            r#"INSERT INTO node (id, uuid, revision, bundle, label, published, owner, created, changed, document)
                 VALUES (1, 'a', 1, 'islandora_object', 'A', 1, 1, 0, 0, '{}');
               INSERT INTO field_reference (kind, id, field, delta, target_kind, target_id)
                 VALUES ('node', 1, 'field_subject', 1, 'taxonomy_term', 7), ('node', 1, 'field_member_of', 0, 'node', 1);
               INSERT INTO index_due VALUES (1, '[{"field":"field_extent","delta":0,"value":{"Text":"one"}}]'), (2, NULL);"#,
        );
        let sql = "SELECT value_rows FROM index_due ORDER BY node";
        let mut statement = migrated.prepare(sql).unwrap();
        let due = statement.query_map([], |row| row.get(0)).unwrap();
        let due: Vec<Option<String>> = due.map(Result::unwrap).collect();
        assert_eq!(due[1], None);
        let rows: Vec<IndexRow> = serde_json::from_str(due[0].as_ref().unwrap()).unwrap();
        let subject = IndexValue::Reference {
            kind: EntityKind::Term,
            id: 7,
        };
        assert_eq!(rows.len(), 3);
        assert_eq!(
            (rows[1].field.as_str(), rows[1].delta),
            ("field_subject", 1)
        );
        assert_eq!(rows[1].value, subject);
    }

    #[test]
    fn nodes_are_found_by_their_type_after_the_commit() {
        let (_disk, migrated) = migrated_from(
            24,
            "INSERT INTO node (id, uuid, revision, bundle, label, published, owner, created, changed, document, deleted)
               VALUES (1, 'a', 1, 'page', 'A', 1, 1, 0, 0, '{}', NULL), (2, 'b', 1, 'page', 'B', 1, 1, 0, 0, '{}', 7);
             UPDATE index_due SET value_rows = '[]' WHERE node = 1;",
        );
        let text = |sql: &str| -> String { migrated.query_row(sql, [], |row| row.get(0)).unwrap() };
        let found =
            text("SELECT group_concat(id || ' ' || value) FROM field_text WHERE field = 'type'");
        assert_eq!(found, "1 page");
        let due = text("SELECT value_rows FROM index_due WHERE node = 1");
        let due: Vec<IndexRow> = serde_json::from_str(&due).unwrap();
        let page = IndexValue::Text("page".into());
        assert_eq!((due[0].field.as_str(), &due[0].value), ("type", &page));
    }

    #[test]
    fn a_new_database_is_not_copied() {
        let disk = tempfile::tempdir().unwrap();
        drop(open(&disk.path().join("isolario.db")).unwrap());
        drop(open(&disk.path().join("isolario.db")).unwrap());
        let copies = disk.path().read_dir().unwrap().filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy().contains("before")
        });
        assert_eq!(copies.count(), 0);
    }

    #[test]
    fn only_the_last_copies_are_kept() {
        let disk = tempfile::tempdir().unwrap();
        for number in [2, 9, 10, 11] {
            let name = format!("isolario-before-{number}.db");
            std::fs::write(disk.path().join(name), "").unwrap();
        }
        drop_old_copies(disk.path()).unwrap();
        assert!(!disk.path().join("isolario-before-2.db").exists());
        assert_eq!(disk.path().read_dir().unwrap().count(), KEPT_COPIES);
    }
}
