//! Opening the database file and bringing its schema up to date, forward only.

use std::path::Path;

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

use super::DbError;

const STEPS: &[M<'_>] = &[
    M::up(include_str!("migrations/1_first.sql")),
    M::up(include_str!("migrations/2_care.sql")),
];
const MIGRATIONS: Migrations<'_> = Migrations::from_slice(STEPS);

/// Opens the writer's connection on an up-to-date schema.
pub(super) fn open(path: &Path) -> Result<Connection, DbError> {
    let mut connection = Connection::open(path)?;
    refuse_newer(&connection)?;
    configure(&connection)?;
    MIGRATIONS.to_latest(&mut connection)?;
    Ok(connection)
}

/// Settings every connection needs: WAL so that readers never wait, FULL so that a commit is on disk.
pub(super) fn configure(connection: &Connection) -> Result<(), DbError> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(256);
    Ok(())
}

fn refuse_newer(connection: &Connection) -> Result<(), DbError> {
    let found: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let found = usize::try_from(found).unwrap_or(usize::MAX);
    if found > STEPS.len() {
        return Err(DbError::Newer {
            found,
            known: STEPS.len(),
        });
    }
    Ok(())
}
