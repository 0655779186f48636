//! A small pool of read-only connections. WAL lets them read while the writer commits.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::target_cache::TargetCache;
use super::{DbError, Read, migrations, state};

pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Reader>>,
    /// How connections are opened.
    open: fn(&Path) -> Result<Connection, DbError>,
}

struct Reader {
    connection: Connection,
    known: TargetCache,
}

const KEPT_CONNECTIONS: usize = 8;
/// The page cache of a connection, KiB: as large as the pages of one page of a list. SQLite allocates it as needed.
const CACHE: i64 = 8 * 1024;

impl Readers {
    pub(super) fn new(path: &Path) -> Result<Readers, DbError> {
        Readers::open(path, beside_the_writer)
    }

    /// On a database that nobody has opened, and that is to stay as it is.
    pub(super) fn looking(path: &Path) -> Result<Readers, DbError> {
        Readers::open(path, state::open_to_read)
    }

    fn open(
        path: &Path,
        open: fn(&Path) -> Result<Connection, DbError>,
    ) -> Result<Readers, DbError> {
        let readers = Readers {
            path: path.to_owned(),
            idle: Mutex::new(Vec::new()),
            open,
        };
        let first = readers.connect()?;
        readers.give_back(first);
        Ok(readers)
    }

    pub(super) fn with<T, E: From<DbError>>(
        &self,
        question: impl FnOnce(&Read<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut reader = self.take()?;
        let answer = reader.answer(question);
        self.give_back(reader);
        answer
    }

    fn take(&self) -> Result<Reader, DbError> {
        let kept = self.idle.lock().map_or(None, |mut idle| idle.pop());
        kept.map_or_else(|| self.connect(), Ok)
    }

    fn give_back(&self, reader: Reader) {
        if let Ok(mut idle) = self.idle.lock()
            && idle.len() < KEPT_CONNECTIONS
        {
            idle.push(reader);
        }
    }

    fn connect(&self) -> Result<Reader, DbError> {
        let connection = (self.open)(&self.path)?;
        migrations::is_up_to_date(&connection)?;
        migrations::settle(&connection)?;
        // What is looked at stays as it is, also when the last to look goes.
        let keep_log = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        connection.set_db_config(keep_log, connection.is_readonly("main")?)?;
        connection.pragma_update(None, "query_only", true)?;
        // Less than zero: KiB instead of pages (SQLite, PRAGMA cache_size).
        connection.pragma_update(None, "cache_size", -CACHE)?;
        Ok(Reader {
            connection,
            known: TargetCache::default(),
        })
    }
}

fn beside_the_writer(path: &Path) -> Result<Connection, DbError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    migrations::configure(&connection)?;
    Ok(connection)
}

impl Reader {
    /// Runs a query in one snapshot. The cache holds only values of this snapshot, or of one without a commit between.
    fn answer<T, E: From<DbError>>(
        &mut self,
        question: impl FnOnce(&Read<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let snapshot = Snapshot::begin(&self.connection)?;
        self.known.keep_only(snapshot.version()?);
        question(&Read {
            connection: snapshot.0,
            known: Some(&self.known),
        })
    }
}

/// A read transaction, made of cached statements.
struct Snapshot<'c>(&'c Connection);

impl<'c> Snapshot<'c> {
    fn begin(connection: &'c Connection) -> Result<Snapshot<'c>, DbError> {
        connection.prepare_cached("BEGIN")?.execute([])?;
        Ok(Snapshot(connection))
    }

    /// A number that differs between two snapshots of this connection if another connection has committed between them.
    fn version(&self) -> Result<i64, DbError> {
        let mut statement = self.0.prepare_cached("PRAGMA data_version")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        let ended = self.0.prepare_cached("COMMIT");
        if let Err(error) = ended.and_then(|mut statement| statement.execute([])) {
            tracing::error!(%error, "a snapshot could not be ended");
        }
    }
}
