//! Table `derivative`: the derivatives of original files, with the state of their jobs.

use rusqlite::{OptionalExtension, Params, Row, params};

use super::{DbError, Read, Write};
use isolario_model::content::{Derivative, DerivativeState, OriginalBytes};

pub(super) const COLUMNS: &str =
    "d.id, d.mid, d.fid, d.version, d.kind, d.state, d.reason, d.attempts,
  d.due, d.priority, d.product, d.changed, d.adjustment";

/// How a job of a derivative ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    pub state: DerivativeState,
    /// A sentence.
    pub reason: Option<String>,
    pub attempts: u32,
    /// Not before this moment, Unix seconds.
    pub due: i64,
    pub product: Option<i64>,
}

impl Ending {
    /// The end in a state, for a reason.
    pub fn new(state: DerivativeState, reason: Option<String>) -> Ending {
        Ending {
            state,
            reason,
            attempts: 0,
            due: 0,
            product: None,
        }
    }
}

impl Read<'_> {
    /// One derivative.
    pub fn derivative(&self, id: i64) -> Result<Option<Derivative>, DbError> {
        Ok(self.derivatives("WHERE d.id = ?1", [id])?.pop())
    }

    /// The derivatives of the original of a media, in the order in which they were asked for.
    pub fn derivatives_of(&self, mid: i64) -> Result<Vec<Derivative>, DbError> {
        self.derivatives("WHERE d.mid = ?1 ORDER BY d.id", [mid])
    }

    /// The derivative that a media is, by the latest job.
    pub fn derivative_of_product(&self, product: i64) -> Result<Option<Derivative>, DbError> {
        let condition = "WHERE d.product = ?1 ORDER BY d.changed DESC, d.id DESC LIMIT 1";
        Ok(self.derivatives(condition, [product])?.pop())
    }

    /// The next derivative of a kind: the most urgent one that is due (Unix seconds) and has at least this priority.
    pub fn next_derivative(
        &self,
        kind: &str,
        now: i64,
        priority: i64,
    ) -> Result<Option<Derivative>, DbError> {
        let found = self.derivatives(
            "WHERE d.state = 'waiting' AND d.kind = ?1 AND d.priority >= ?3 AND d.due <= ?2
             ORDER BY d.priority DESC, d.id LIMIT 1",
            params![kind, now, priority],
        );
        Ok(found?.pop())
    }

    /// When the next failed derivative of a kind is due again, Unix seconds.
    pub fn next_derivative_due(&self, kind: &str) -> Result<Option<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT min(due) FROM derivative WHERE kind = ?1 AND state = 'waiting' AND due > 0",
        )?;
        Ok(statement.query_row([kind], |row| row.get(0))?)
    }

    pub(super) fn derivatives(
        &self,
        condition: &str,
        values: impl Params,
    ) -> Result<Vec<Derivative>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM derivative d {condition}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(values, read_derivative)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The origin of the current bytes of a media's file: that of the first revision with these bytes.
    pub fn origin_of_bytes(&self, mid: i64, fid: i64) -> Result<Option<String>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT r.origin FROM file f
             CROSS JOIN media_revision_file m ON m.fid = f.fid AND m.version = f.version
             CROSS JOIN media_revision r ON r.revision = m.revision AND r.id = ?1
             WHERE f.fid = ?2 ORDER BY m.revision LIMIT 1",
        )?;
        Ok(statement
            .query_row([mid, fid], |row| row.get(0))
            .optional()?)
    }
}

pub(super) fn read_derivative(row: &Row<'_>) -> rusqlite::Result<Derivative> {
    let state: String = row.get(5)?;
    Ok(Derivative {
        id: row.get(0)?,
        mid: row.get(1)?,
        fid: row.get(2)?,
        version: row.get(3)?,
        kind: row.get(4)?,
        // Another program may know more states; what they are about is not for this one to make.
        state: DerivativeState::from_name(&state).unwrap_or(DerivativeState::Left),
        reason: row.get(6)?,
        attempts: row.get(7)?,
        due: row.get(8)?,
        priority: row.get(9)?,
        product: row.get(10)?,
        changed: row.get(11)?,
        adjustment: row.get(12)?,
    })
}

impl Write<'_> {
    /// Adds a derivative, unless it has a row already. `product` is the media that was made of former bytes, or with
    /// another adjustment.
    pub fn ask_for_derivative(
        &mut self,
        original: OriginalBytes,
        kind: &str,
        adjustment: Option<&str>,
        product: Option<i64>,
        at: i64,
    ) -> Result<(), DbError> {
        let OriginalBytes { mid, fid, version } = original;
        self.connection
            .prepare_cached(
                "INSERT OR IGNORE INTO derivative (mid, fid, version, kind, adjustment, state, product, changed)
                 VALUES (?1, ?2, ?3, ?4, ?5, 'waiting', ?6, ?7)",
            )?
            .execute(params![mid, fid, version, kind, adjustment, product, at])?;
        Ok(())
    }

    /// Removes the derivatives of other bytes than these, or of all bytes. Of these bytes, it removes those with another
    /// adjustment; facts have none.
    pub fn forget_other_derivatives(
        &mut self,
        mid: i64,
        present: Option<OriginalBytes>,
        adjustment: Option<&str>,
    ) -> Result<(), DbError> {
        let (fid, version) = present.map_or((0, 0), |bytes| (bytes.fid, bytes.version));
        self.connection
            .prepare_cached(
                "DELETE FROM derivative WHERE mid = ?1
                   AND (fid <> ?2 OR version <> ?3 OR (kind <> 'facts' AND adjustment IS NOT ?4))",
            )?
            .execute(params![mid, fid, version, adjustment])?;
        Ok(())
    }

    /// Removes the open and failed derivatives of a media's original. The others stay, in case the media is restored.
    pub fn forget_unfinished_derivatives(&mut self, mid: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "DELETE FROM derivative WHERE mid = ?1 AND state IN ('waiting', 'running', 'failed', 'lacking')",
            )?
            .execute([mid])?;
        Ok(())
    }

    /// Removes a running derivative.
    pub fn forget_derivative(&mut self, id: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM derivative WHERE id = ?1 AND state = 'running'")?
            .execute([id])?;
        Ok(())
    }

    /// Marks a waiting derivative as running. Returns whether it was still waiting.
    pub fn begin_derivative(&mut self, id: i64, at: i64) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "UPDATE derivative SET state = 'running', changed = ?2 WHERE id = ?1 AND state = 'waiting'",
        )?;
        Ok(statement.execute([id, at])? > 0)
    }

    /// Stores how the job of a derivative ended. Returns false when its row is gone or waits again.
    pub fn end_derivative(&mut self, id: i64, ending: &Ending, at: i64) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "UPDATE derivative SET state = ?2, reason = ?3, attempts = ?4, due = ?5,
               product = ifnull(?6, product), priority = CASE WHEN ?2 = 'waiting' THEN priority ELSE 0 END,
               changed = ?7
             WHERE id = ?1 AND state = 'running'",
        )?;
        let changed = statement.execute(params![
            id,
            ending.state.name(),
            ending.reason,
            ending.attempts,
            ending.due,
            ending.product,
            at
        ])?;
        Ok(changed > 0)
    }

    /// Lets a derivative wait again, in whatever state it is. Returns false when it was waiting already.
    pub fn retry_derivative(&mut self, id: i64, priority: i64, at: i64) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "UPDATE derivative SET state = 'waiting', reason = NULL, attempts = 0, due = 0,
               priority = ?2, changed = ?3
             WHERE id = ?1 AND (state <> 'waiting' OR due > 0)",
        )?;
        Ok(statement.execute([id, priority, at])? > 0)
    }

    /// Gives the waiting derivatives of a media's original priority: the text, which takes long, after what is seen.
    /// Returns whether there are any.
    pub fn prioritise_derivatives(&mut self, mid: i64, priority: i64) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "UPDATE derivative SET priority = ?2 - (kind = 'text')
             WHERE mid = ?1 AND state = 'waiting' AND priority < ?2 - (kind = 'text')",
        )?;
        Ok(statement.execute([mid, priority])? > 0)
    }

    /// Lets the derivatives wait again that were running when the program ended.
    pub fn resume_derivatives(&mut self, at: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "UPDATE derivative SET state = 'waiting', changed = ?1 WHERE state = 'running'",
            )?
            .execute([at])?;
        Ok(())
    }

    /// Lets the derivatives of a kind wait again that lacked another program.
    pub fn resume_lacking_derivatives(&mut self, kind: &str, at: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "UPDATE derivative SET state = 'waiting', reason = NULL, attempts = 0, due = 0, changed = ?2
                 WHERE state = 'lacking' AND kind = ?1",
            )?
            .execute(params![kind, at])?;
        Ok(())
    }
}
