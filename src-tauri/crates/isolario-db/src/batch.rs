//! Tables `batch` and `batch_item`: changes of many items, and the outcome for each.

use rusqlite::{OptionalExtension, Row, ToSql, params};

use super::{DbError, Read, Write};
use isolario_model::content::EntityKind;

/// How far a batch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchState {
    /// Its items are being written down. None is changed yet.
    Collecting,
    Running,
    /// It goes on when somebody says so.
    Paused,
    Done,
    Cancelled,
    /// It ended early, for a reason.
    Failed,
}

impl BatchState {
    /// Every state, by name.
    pub const ALL: [(&str, BatchState); 6] = [
        ("collecting", BatchState::Collecting),
        ("running", BatchState::Running),
        ("paused", BatchState::Paused),
        ("done", BatchState::Done),
        ("cancelled", BatchState::Cancelled),
        ("failed", BatchState::Failed),
    ];

    /// The name in the database and in answers.
    pub fn name(self) -> &'static str {
        let mut all = BatchState::ALL.iter();
        all.find(|(_, state)| *state == self)
            .map_or("failed", |(name, _)| name)
    }

    fn parse(text: &str) -> BatchState {
        let mut all = BatchState::ALL.iter();
        all.find(|(name, _)| *name == text)
            .map_or(BatchState::Failed, |(_, state)| *state)
    }
}

/// A change of many items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub id: i64,
    pub uid: i64,
    /// How its author had signed in.
    pub sign_in: String,
    pub origin: String,
    /// Unix seconds.
    pub made: i64,
    pub ended: Option<i64>,
    pub state: BatchState,
    /// Why it ended early.
    pub reason: Option<String>,
    /// What is changed, as JSON.
    pub change: String,
    /// The batch that it takes back.
    pub undoes: Option<i64>,
    /// The newest revision of a node that its author may have seen.
    pub seen: i64,
    pub total: i64,
    /// How many items were tried; the others follow in the order of their positions.
    pub done: i64,
    pub changed: i64,
    pub refused: i64,
}

/// What a new batch consists of.
#[derive(Debug, Clone)]
pub struct NewBatch {
    pub uid: i64,
    pub sign_in: String,
    pub origin: String,
    /// Unix seconds.
    pub made: i64,
    pub change: String,
    pub undoes: Option<i64>,
    pub seen: i64,
}

/// What became of an item of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchItemState {
    Waiting,
    Changed,
    /// The change would have changed nothing.
    Unchanged,
    Refused,
}

impl BatchItemState {
    /// Every state, by name.
    pub const ALL: [(&str, BatchItemState); 4] = [
        ("waiting", BatchItemState::Waiting),
        ("changed", BatchItemState::Changed),
        ("unchanged", BatchItemState::Unchanged),
        ("refused", BatchItemState::Refused),
    ];

    /// The name in the database and in answers.
    pub fn name(self) -> &'static str {
        let mut all = BatchItemState::ALL.iter();
        all.find(|(_, state)| *state == self)
            .map_or("waiting", |(name, _)| name)
    }

    fn parse(text: &str) -> BatchItemState {
        let mut all = BatchItemState::ALL.iter();
        all.find(|(name, _)| *name == text)
            .map_or(BatchItemState::Waiting, |(_, state)| *state)
    }
}

/// An item of a batch: a node; in batches of the trash also a media, term or file. Of pictures that were rotated it is the
/// media, of duplicates the copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchItem {
    pub position: i64,
    pub kind: EntityKind,
    pub id: i64,
    pub state: BatchItemState,
    /// The revisions before and after the change, where there was one; those of a file are its versions.
    pub revisions: Option<(i64, i64)>,
    /// How many media and files went or came with it, where it was deleted, restored or purged.
    pub parts: Option<i64>,
    /// Why it was refused or stayed as it was.
    pub message: Option<String>,
}

const COLUMNS: &str = "id, uid, sign_in, origin, made, ended, state, reason, change, undoes, seen, total, done, changed, refused";
const ITEM_COLUMNS: &str = "position, kind, entity_id, state, before, after, parts, message";

impl Write<'_> {
    /// Adds a batch without items.
    pub fn add_batch(&mut self, batch: &NewBatch) -> Result<i64, DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO batch (uid, sign_in, origin, made, state, change, undoes, seen)
                 VALUES (?1, ?2, ?3, ?4, 'collecting', ?5, ?6, ?7)",
            )?
            .execute(params![
                batch.uid,
                batch.sign_in,
                batch.origin,
                batch.made,
                batch.change,
                batch.undoes,
                batch.seen
            ])?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Appends items to a batch.
    pub fn add_batch_items(
        &mut self,
        batch: i64,
        items: &[(EntityKind, i64)],
    ) -> Result<(), DbError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO batch_item (batch, position, kind, entity_id)
             SELECT id, total + ?4, ?2, ?3 FROM batch WHERE id = ?1",
        )?;
        for (index, (kind, id)) in (0_i64..).zip(items) {
            statement.execute(params![batch, kind.target_type(), id, index])?;
        }
        let number = i64::try_from(items.len()).unwrap_or(i64::MAX);
        self.connection
            .prepare_cached("UPDATE batch SET total = total + ?2 WHERE id = ?1")?
            .execute([batch, number])?;
        Ok(())
    }

    /// Appends the items that another batch has changed, with the revisions before and after that. Those that it deleted
    /// come first, and those that are deleted come last: others may refer to them.
    pub fn add_changed_items(
        &mut self,
        batch: i64,
        other: i64,
        deletes: bool,
    ) -> Result<(), DbError> {
        let added = self
            .connection
            .prepare_cached(
                "INSERT INTO batch_item (batch, position, kind, entity_id, before, after, parts)
                 SELECT ?1, row_number() OVER (ORDER BY (parts IS NULL) <> ?3, position) - 1,
                   kind, entity_id, before, after, parts
                 FROM batch_item WHERE batch = ?2 AND state = 'changed'",
            )?
            .execute(params![batch, other, deletes])?;
        let number = i64::try_from(added).unwrap_or(i64::MAX);
        self.connection
            .prepare_cached("UPDATE batch SET total = ?2 WHERE id = ?1")?
            .execute([batch, number])?;
        Ok(())
    }

    /// Stores what a batch does in detail, and how many items it has, once that is known.
    pub fn prepare_batch(&mut self, batch: i64, change: &str, total: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE batch SET change = ?2, total = ?3 WHERE id = ?1")?
            .execute(params![batch, change, total])?;
        Ok(())
    }

    /// Adds the item at a position of a batch that did not know it before.
    pub fn add_batch_item_at(&mut self, batch: i64, position: i64, id: i64) -> Result<(), DbError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO batch_item (batch, position, kind, entity_id) VALUES (?1, ?2, 'node', ?3)",
        )?;
        statement.execute([batch, position, id])?;
        Ok(())
    }

    /// Begins to change the items of a batch.
    pub fn run_batch(&mut self, batch: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE batch SET state = 'running' WHERE id = ?1 AND ended IS NULL")?
            .execute([batch])?;
        Ok(())
    }

    /// Stores how far an item of a batch is, which is not done yet.
    pub fn note_batch_item(&mut self, batch: i64, item: &BatchItem) -> Result<(), DbError> {
        let mut statement = self.connection.prepare_cached(
            "UPDATE batch_item SET state = ?3, before = ?4, after = ?5, parts = ?6, message = ?7, kind = ?8,
               entity_id = ?9
             WHERE batch = ?1 AND position = ?2",
        )?;
        statement.execute(params![
            batch,
            item.position,
            item.state.name(),
            item.revisions.map(|(before, _)| before),
            item.revisions.map(|(_, after)| after),
            item.parts,
            item.message,
            item.kind.target_type(),
            item.id,
        ])?;
        Ok(())
    }

    /// Lets a batch wait, or go on. Nothing happens to one that has ended or is being written down.
    pub fn pause_batch(&mut self, batch: i64, is_paused: bool) -> Result<(), DbError> {
        let (from, to) = match is_paused {
            true => (BatchState::Running, BatchState::Paused),
            false => (BatchState::Paused, BatchState::Running),
        };
        self.connection
            .prepare_cached("UPDATE batch SET state = ?3 WHERE id = ?1 AND state = ?2")?
            .execute(params![batch, from.name(), to.name()])?;
        Ok(())
    }

    /// Stores what became of the next items of a batch: each of them, or what was changed or made instead.
    pub fn end_batch_items(&mut self, batch: i64, items: &[BatchItem]) -> Result<(), DbError> {
        for item in items {
            self.note_batch_item(batch, item)?;
        }
        let count = |state: BatchItemState| {
            let found = items.iter().filter(|item| item.state == state).count();
            i64::try_from(found).unwrap_or(i64::MAX)
        };
        let all = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let [changed, refused] = [BatchItemState::Changed, BatchItemState::Refused].map(count);
        self.connection
            .prepare_cached(
                "UPDATE batch SET done = done + ?2, changed = changed + ?3, refused = refused + ?4 WHERE id = ?1",
            )?
            .execute([batch, all, changed, refused])?;
        Ok(())
    }

    /// Ends a batch that has not ended; `at` is in Unix seconds.
    pub fn end_batch(
        &mut self,
        batch: i64,
        state: BatchState,
        reason: Option<&str>,
        at: i64,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "UPDATE batch SET state = ?2, reason = ?3, ended = ?4 WHERE id = ?1 AND ended IS NULL",
            )?
            .execute(params![batch, state.name(), reason, at])?;
        Ok(())
    }
}

impl Read<'_> {
    /// A batch.
    pub fn batch(&self, id: i64) -> Result<Option<Batch>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM batch WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([id], read_batch).optional()?)
    }

    /// Whether a batch takes a change back. The undo of an undo makes the change again.
    pub fn is_undo(&self, batch: &Batch) -> Result<bool, DbError> {
        let (mut is_undo, mut undoes) = (false, batch.undoes);
        while let Some(id) = undoes {
            is_undo = !is_undo;
            undoes = self.batch(id)?.and_then(|former| former.undoes);
        }
        Ok(is_undo)
    }

    /// The batches that have not ended, the oldest first.
    pub fn open_batches(&self) -> Result<Vec<Batch>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM batch WHERE ended IS NULL ORDER BY id");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map([], read_batch)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Items of a batch from a position on, in order, at most `limit`.
    pub fn batch_items(
        &self,
        batch: i64,
        from: i64,
        limit: usize,
    ) -> Result<Vec<BatchItem>, DbError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = "position >= ?2 ORDER BY position LIMIT ?3";
        self.items_where(rows, &[&batch, &from, &limit])
    }

    /// As `batch_items`, of one state only.
    pub fn batch_items_in(
        &self,
        batch: i64,
        state: BatchItemState,
        from: i64,
        limit: usize,
    ) -> Result<Vec<BatchItem>, DbError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = "position >= ?2 AND state = ?4 ORDER BY position LIMIT ?3";
        self.items_where(rows, &[&batch, &from, &limit, &state.name()])
    }

    pub(super) fn items_where(
        &self,
        rows: &str,
        values: &[&dyn ToSql],
    ) -> Result<Vec<BatchItem>, DbError> {
        let sql = format!("SELECT {ITEM_COLUMNS} FROM batch_item WHERE batch = ?1 AND {rows}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(values, read_item)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Whether a batch has this item.
    pub fn is_in_batch(&self, batch: i64, kind: EntityKind, id: i64) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM batch_item WHERE batch = ?1 AND entity_id = ?2 AND kind = ?3",
        )?;
        Ok(statement.exists(params![batch, id, kind.target_type()])?)
    }
}

fn read_batch(row: &Row<'_>) -> rusqlite::Result<Batch> {
    Ok(Batch {
        id: row.get(0)?,
        uid: row.get(1)?,
        sign_in: row.get(2)?,
        origin: row.get(3)?,
        made: row.get(4)?,
        ended: row.get(5)?,
        state: BatchState::parse(&row.get::<_, String>(6)?),
        reason: row.get(7)?,
        change: row.get(8)?,
        undoes: row.get(9)?,
        seen: row.get(10)?,
        total: row.get(11)?,
        done: row.get(12)?,
        changed: row.get(13)?,
        refused: row.get(14)?,
    })
}

fn read_item(row: &Row<'_>) -> rusqlite::Result<BatchItem> {
    let kind: String = row.get(1)?;
    let revisions: (Option<i64>, Option<i64>) = (row.get(4)?, row.get(5)?);
    Ok(BatchItem {
        position: row.get(0)?,
        kind: EntityKind::from_target_type(&kind).unwrap_or(EntityKind::Node),
        id: row.get(2)?,
        state: BatchItemState::parse(&row.get::<_, String>(3)?),
        revisions: revisions.0.zip(revisions.1),
        parts: row.get(6)?,
        message: row.get(7)?,
    })
}
