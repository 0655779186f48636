//! Table `job`: jobs that a change requires. A row exists from the commit of the change until its job is done.

use rusqlite::{Row, params};

use super::{DbError, Read, Write};

/// A job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The kind of job, a name that `jobs` knows.
    pub kind: String,
    /// The resource or file that the job is about.
    pub subject: String,
    /// How often it was asked for again.
    pub turn: i64,
    /// How often it has failed.
    pub attempts: u32,
}

/// The kind of job that writes records. Triggers of the database add it at every change.
pub const RECORD: &str = "record";

/// The kind of job that writes the inventories of an object in a bucket. Its subject is the UUID of the file.
pub const INVENTORY: &str = "inventory";

/// Open jobs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Backlog {
    pub pending: i64,
    /// How many of these have failed at least once.
    pub failing: i64,
    /// When the oldest was asked for, Unix seconds.
    pub oldest: Option<i64>,
}

impl Read<'_> {
    /// The jobs that are due (Unix seconds), the longest waiting first, at most `limit`.
    pub fn due_jobs(&self, now: i64, limit: u32) -> Result<Vec<Job>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT kind, subject, turn, attempts FROM job WHERE due <= ?1 ORDER BY due LIMIT ?2",
        )?;
        let rows = statement.query_map(params![now, limit], |row| {
            Ok(Job {
                kind: row.get(0)?,
                subject: row.get(1)?,
                turn: row.get(2)?,
                attempts: row.get(3)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// When the next job is due, Unix seconds.
    pub fn next_due(&self) -> Result<Option<i64>, DbError> {
        let mut statement = self.connection.prepare_cached("SELECT min(due) FROM job")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }

    /// The open jobs of a kind that no index row stands for.
    pub fn job_backlog(&self, kind: &str) -> Result<Backlog, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*), ifnull(sum(attempts > 0), 0), min(made) FROM job WHERE kind = ?1",
        )?;
        Ok(statement.query_row([kind], read_backlog)?)
    }

    /// The records that are out of date.
    pub fn record_backlog(&self) -> Result<Backlog, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*), ifnull(sum(attempts > 0), 0), min(made) FROM (
               SELECT attempts, made FROM job WHERE kind = ?1
               UNION ALL
               SELECT 0, n.changed FROM index_due d JOIN node n ON n.id = d.node WHERE d.is_record_due = 1)",
        )?;
        Ok(statement.query_row([RECORD], read_backlog)?)
    }
}

/// Reads how many are pending, how many failing, and since when.
fn read_backlog(row: &Row<'_>) -> rusqlite::Result<Backlog> {
    Ok(Backlog {
        pending: row.get(0)?,
        failing: row.get(1)?,
        oldest: row.get(2)?,
    })
}

impl Write<'_> {
    /// Adds a job, or asks for it again.
    pub fn add_job(&mut self, kind: &str, subject: &str) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO job (kind, subject, made, due) VALUES (?1, ?2, unixepoch(), unixepoch())
                 ON CONFLICT (kind, subject) DO UPDATE SET turn = turn + 1, due = excluded.due",
            )?
            .execute(params![kind, subject])?;
        Ok(())
    }

    /// Removes a job that is done, unless it was asked for again meanwhile.
    pub fn finish_job(&mut self, job: &Job) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM job WHERE kind = ?1 AND subject = ?2 AND turn = ?3")?
            .execute(params![job.kind, job.subject, job.turn])?;
        Ok(())
    }

    /// Postpones a failed job to a time (Unix seconds).
    pub fn postpone_job(&mut self, job: &Job, due: i64, error: &str) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "UPDATE job SET due = ?3, attempts = attempts + 1, error = ?4
                 WHERE kind = ?1 AND subject = ?2",
            )?
            .execute(params![job.kind, job.subject, due, error])?;
        Ok(())
    }

    /// Makes all jobs due now, also those that follow from index rows that are due.
    pub fn make_jobs_due(&mut self) -> Result<(), DbError> {
        self.write_due_index()?;
        self.connection
            .prepare_cached("UPDATE job SET due = 0 WHERE due > 0")?
            .execute([])?;
        Ok(())
    }

    /// Adds a job for the record of every resource, file, account and role, and of the content model
    /// and the identity.
    pub fn record_everything(&mut self) -> Result<(), DbError> {
        let everything = "INSERT INTO record_due SELECT subject FROM (
           SELECT 'node/' || id AS subject FROM node
           UNION ALL SELECT 'media/' || id FROM media
           UNION ALL SELECT 'taxonomy_term/' || id FROM taxonomy_term
           UNION ALL SELECT 'file/' || fid FROM file
           UNION ALL SELECT 'user/' || uid FROM user
           UNION ALL SELECT 'role/' || name FROM role
           UNION ALL SELECT 'content-model/1' FROM content_model
           UNION ALL SELECT 'identity/1' FROM identity
           UNION ALL SELECT 'saved_search/' || id FROM saved_search
           UNION ALL SELECT 'redirect/' || id FROM redirect)";
        self.connection.prepare_cached(everything)?.execute([])?;
        Ok(())
    }

    /// Removes the jobs of all records, because these are written.
    pub fn forget_records(&mut self) -> Result<(), DbError> {
        self.write_due_index()?;
        self.connection
            .prepare_cached("DELETE FROM job WHERE kind = ?1")?
            .execute([RECORD])?;
        Ok(())
    }
}
