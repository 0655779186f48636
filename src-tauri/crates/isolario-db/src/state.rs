//! Determines the state of a database file, without changing it or a file beside it.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rusqlite::{Connection, OpenFlags};

use super::{DbError, Read, migrations};
use isolario_disk::disk_fault::DiskFault;
use isolario_disk::regular_file;
use isolario_platform::files;

/// The state of a database file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatabaseState {
    Missing,
    /// It is empty, or its first start was interrupted.
    Unfilled,
    /// It holds a repository.
    Filled,
    /// It cannot be used, for this reason.
    Unusable(String),
}

/// Determines the state of a database file that nobody has open.
///
/// # Errors
/// `DbError::Newer`; what the disk refuses.
pub fn state_of(path: &Path) -> Result<DatabaseState, DbError> {
    match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(DatabaseState::Missing),
        Err(error) => return Err(DbError::File(error)),
        // SQLite takes a file of one byte for an empty one, too, and would remove the log beside it.
        Ok(file) if file.len() <= 1 => return Ok(DatabaseState::Unfilled),
        Ok(_) => {}
    }
    match look_into(path, |read| state(path, read)) {
        Err(DbError::Disk(DiskFault::Damaged(words))) => {
            Ok(DatabaseState::Unusable(format!("is damaged ({words})")))
        }
        outcome => outcome,
    }
}

/// Runs a query on a database that nobody changes, also in a read-only directory.
///
/// # Errors
/// Those of the query, and what the file refuses.
pub fn look_into<T, E: From<DbError>>(
    path: &Path,
    question: impl FnOnce(&Read<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let connection = open_to_read(path)?;
    question(&Read {
        connection: &connection,
        known: None,
    })
}

/// A connection that changes nothing. Where SQLite may write beside the database, it locks as usual; where it may not,
/// nobody else can: the log is read without locks and shared memory (SQLite, "WAL without shared memory"), and without
/// a log the file is all there is.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, DbError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if may_write(path) {
        // A first start that was cut short leaves a journal, which has to be rolled back before anything is read.
        let flags = match beside(path, "-journal").exists() {
            true => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
            false => flags,
        };
        return Ok(Connection::open_with_flags(path, flags)?);
    }
    if beside(path, "-wal").exists() {
        let connection = Connection::open_with_flags_and_vfs(path, flags, "unix-none")?;
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        return Ok(connection);
    }
    let name = utf8_percent_encode(path.to_string_lossy().as_ref(), NON_ALPHANUMERIC).to_string();
    let address = format!("file:{name}?immutable=1");
    Ok(Connection::open_with_flags(
        address,
        flags | OpenFlags::SQLITE_OPEN_URI,
    )?)
}

fn may_write(path: &Path) -> bool {
    let directory = path.parent().unwrap_or(Path::new("."));
    files::may_write(directory) && files::may_write(path)
}

fn state(path: &Path, read: &Read<'_>) -> Result<DatabaseState, DbError> {
    let count = |sql: &str| -> Result<u32, DbError> {
        Ok(read.connection.query_row(sql, [], |row| row.get(0))?)
    };
    let ours = "SELECT count(*) FROM sqlite_schema
      WHERE type = 'table' AND name IN ('setting', 'content_model', 'user', 'node')";
    if count("SELECT count(*) FROM sqlite_schema")? == 0 {
        return Ok(DatabaseState::Unfilled);
    }
    if count(ours)? < 4 {
        let why = "was made by another program";
        return Ok(DatabaseState::Unusable(why.into()));
    }
    migrations::is_up_to_date(read.connection)?;
    if is_cut_short(path, read.connection)? {
        return Ok(DatabaseState::Unusable("is cut short".into()));
    }
    Ok(match count("SELECT count(*) FROM content_model")? {
        0 => DatabaseState::Unfilled,
        _ => DatabaseState::Filled,
    })
}

/// Whether pages are missing in both the file and the log. SQLite itself checks this only without a log.
fn is_cut_short(path: &Path, connection: &Connection) -> Result<bool, DbError> {
    let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, u32>(0));
    let (pages, size) = (number("PRAGMA page_count")?, number("PRAGMA page_size")?);
    let length = path.metadata().map_err(DbError::File)?.len();
    let in_file = u32::try_from(length / u64::from(size.max(1))).unwrap_or(u32::MAX);
    if in_file >= pages {
        return Ok(false);
    }
    let log = match regular_file::read(&beside(path, "-wal")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        outcome => outcome.map_err(DbError::File)?,
    };
    let in_log = pages_in(&log, size);
    Ok((in_file + 1..=pages).any(|page| !in_log.contains(&page)))
}

const LOG_HEAD: usize = 32;
const FRAME_HEAD: usize = 24;
/// The offsets of the salts in the header of the log, and in that of a frame. A frame belongs to the log if they agree.
const OWN: [std::ops::Range<usize>; 2] = [16..24, 8..16];

/// The pages that a log holds (SQLite, "The WAL File Format").
fn pages_in(log: &[u8], page_size: u32) -> HashSet<u32> {
    let own = log.get(OWN[0].clone());
    let size = FRAME_HEAD + page_size as usize;
    let frames = log.get(LOG_HEAD..).unwrap_or_default().chunks_exact(size);
    frames
        .take_while(|frame| frame.get(OWN[1].clone()) == own)
        .filter_map(|frame| Some(u32::from_be_bytes(frame.first_chunk().copied()?)))
        .collect()
}

fn beside(path: &Path, ending: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
