//! A part of a transaction that can be undone alone.

use rusqlite::Connection;

use super::DbError;

/// Runs a part of the open transaction. When it fails or panics, nothing of it is stored.
///
/// # Errors
/// Those of the part; `DbError::Lost` when the transaction has ended.
pub(super) fn in_savepoint<T, E: From<DbError>>(
    connection: &Connection,
    change: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let execute = |sql: &str| -> Result<(), DbError> {
        connection.prepare_cached(sql)?.execute([])?;
        Ok(())
    };
    if connection.is_autocommit() {
        // Another change of the group met with an error that ended the transaction.
        return Err(E::from(DbError::Lost));
    }
    execute("SAVEPOINT change_of_group")?;
    let outcome = unless_it_panics(change);
    if outcome.is_err() && !connection.is_autocommit() {
        execute("ROLLBACK TO change_of_group")?;
    }
    if !connection.is_autocommit() {
        execute("RELEASE change_of_group")?;
    }
    outcome
}

/// Runs a part of a change. A panic in it must not take the writer, and every later write, with it.
///
/// # Errors
/// Those of the part; `DbError::Closed` when it panics.
pub(super) fn unless_it_panics<T, E: From<DbError>>(
    part: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(part))
        .unwrap_or_else(|_| Err(E::from(DbError::Closed)))
}
