//! A small pool of read-only connections. WAL lets them read while the writer commits.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::{DbError, migrations};

/// A snapshot of the database that can be asked questions. The methods stand in the files of the tables.
pub struct Read<'c> {
    pub(super) connection: &'c Connection,
}

pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    /// The log of the database is left as it is, also by the last to close.
    untouching: bool,
}

const KEPT_CONNECTIONS: usize = 8;

impl Readers {
    pub(super) fn new(path: &Path) -> Result<Readers, DbError> {
        Readers::open(path, false)
    }

    /// On a database that nobody has opened, and that is to stay as it is.
    pub(super) fn untouching(path: &Path) -> Result<Readers, DbError> {
        Readers::open(path, true)
    }

    fn open(path: &Path, untouching: bool) -> Result<Readers, DbError> {
        let readers = Readers {
            path: path.to_owned(),
            idle: Mutex::new(Vec::new()),
            untouching,
        };
        let first = readers.connect()?;
        readers.give_back(first);
        Ok(readers)
    }

    pub(super) fn with<T, E: From<DbError>>(
        &self,
        question: impl FnOnce(&Read<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let connection = self.take()?;
        let answer = Self::in_snapshot(&connection, question);
        self.give_back(connection);
        answer
    }

    fn in_snapshot<T, E: From<DbError>>(
        connection: &Connection,
        question: impl FnOnce(&Read<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let snapshot = connection.unchecked_transaction().map_err(DbError::from)?;
        question(&Read {
            connection: &snapshot,
        })
    }

    fn take(&self) -> Result<Connection, DbError> {
        let kept = self.idle.lock().map_or(None, |mut idle| idle.pop());
        kept.map_or_else(|| self.connect(), Ok)
    }

    fn give_back(&self, connection: Connection) {
        if let Ok(mut idle) = self.idle.lock()
            && idle.len() < KEPT_CONNECTIONS
        {
            idle.push(connection);
        }
    }

    fn connect(&self) -> Result<Connection, DbError> {
        let connection = Connection::open_with_flags(
            &self.path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        migrations::is_up_to_date(&connection)?;
        migrations::configure(&connection)?;
        let keep_log = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        connection.set_db_config(keep_log, self.untouching)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    }
}
