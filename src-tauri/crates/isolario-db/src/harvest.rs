//! Tables `harvest`, `harvest_set` and `harvest_progress`: what OAI-PMH says of items. Whoever harvests has them brought
//! up to date first.

use rusqlite::{OptionalExtension, Row, params};

use super::{DbError, Read, Write};

/// What OAI-PMH says of an item besides its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HarvestEntry {
    pub nid: i64,
    pub uuid: String,
    /// Unix seconds.
    pub datestamp: i64,
    pub deleted: bool,
    pub is_collection: bool,
}

/// Which changes the tables have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HarvestProgress {
    /// All events up to this one.
    pub event: i64,
    /// When they were taken over, in Unix seconds. 0 before all items are there.
    pub time: i64,
    /// While items are taken over for the first time: the last of them.
    pub node: Option<i64>,
}

/// Selects entries in the order of their datestamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HarvestRange {
    /// A collection.
    pub set: Option<i64>,
    /// Those after this datestamp and node.
    pub after: (i64, i64),
    /// Unix seconds, included.
    pub until: i64,
}

impl Read<'_> {
    /// Which changes the tables have; `None` before anybody has harvested.
    pub fn harvest_progress(&self) -> Result<Option<HarvestProgress>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT event, time, node FROM harvest_progress WHERE id = 1")?;
        let found = statement.query_row([], |row| {
            Ok(HarvestProgress {
                event: row.get(0)?,
                time: row.get(1)?,
                node: row.get(2)?,
            })
        });
        Ok(found.optional()?)
    }

    /// The first entries of a range.
    pub fn harvest_entries(
        &self,
        range: &HarvestRange,
        limit: u32,
    ) -> Result<Vec<HarvestEntry>, DbError> {
        let HarvestRange { set, after, until } = *range;
        let sql = match set {
            None => {
                "SELECT node, uuid, datestamp, deleted, collection FROM harvest INDEXED BY harvest_datestamp
                 WHERE (datestamp, node) > (?1, ?2) AND datestamp <= ?3 ORDER BY datestamp, node LIMIT ?4"
            }
            Some(_) => {
                "SELECT h.node, h.uuid, h.datestamp, h.deleted, h.collection
                 FROM harvest_set s CROSS JOIN harvest h ON h.node = s.node
                 WHERE s.collection = ?5 AND (s.datestamp, s.node) > (?1, ?2) AND s.datestamp <= ?3
                 ORDER BY s.datestamp, s.node LIMIT ?4"
            }
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        let entries = match set {
            None => statement.query_map(params![after.0, after.1, until, limit], read_entry)?,
            Some(set) => {
                statement.query_map(params![after.0, after.1, until, limit, set], read_entry)?
            }
        };
        Ok(entries.collect::<Result<_, _>>()?)
    }

    /// The entry of an item.
    pub fn harvest_entry(&self, uuid: &str) -> Result<Option<HarvestEntry>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT node, uuid, datestamp, deleted, collection FROM harvest WHERE uuid = ?1",
        )?;
        Ok(statement.query_row([uuid], read_entry).optional()?)
    }

    /// The entry of an item by its id.
    pub fn harvest_entry_of(&self, nid: i64) -> Result<Option<HarvestEntry>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT node, uuid, datestamp, deleted, collection FROM harvest WHERE node = ?1",
        )?;
        Ok(statement.query_row([nid], read_entry).optional()?)
    }

    /// The sets of an item: ids of collections, in order.
    pub fn harvest_sets_of(&self, nid: i64) -> Result<Vec<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT collection FROM harvest_set WHERE node = ?1 ORDER BY collection",
        )?;
        let sets = statement.query_map([nid], |row| row.get(0))?;
        Ok(sets.collect::<Result<_, _>>()?)
    }

    /// Public collections after an id, in order, at most `limit`.
    pub fn harvest_collections(&self, after: i64, limit: u32) -> Result<Vec<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT node FROM harvest INDEXED BY harvest_collection
             WHERE node > ?1 AND collection AND NOT deleted ORDER BY node LIMIT ?2",
        )?;
        let ids = statement.query_map(params![after, limit], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// The earliest datestamp.
    pub fn first_datestamp(&self) -> Result<Option<i64>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT min(datestamp) FROM harvest")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }
}

impl Write<'_> {
    /// Notes how an item is now, with the collections above it. A deleted one keeps its sets, so that those who harvest
    /// a set learn of it.
    pub fn note_harvest(&mut self, entry: &HarvestEntry, sets: &[i64]) -> Result<(), DbError> {
        let HarvestEntry { nid, datestamp, .. } = *entry;
        // An item that was purged and came again has another id.
        self.connection
            .prepare_cached(
                "DELETE FROM harvest_set WHERE node IN (SELECT node FROM harvest WHERE uuid = ?1 AND node <> ?2)",
            )?
            .execute(params![entry.uuid, nid])?;
        self.connection
            .prepare_cached("DELETE FROM harvest WHERE uuid = ?1 AND node <> ?2")?
            .execute(params![entry.uuid, nid])?;
        self.connection
            .prepare_cached(
                "INSERT INTO harvest (node, uuid, datestamp, deleted, collection) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (node) DO UPDATE SET uuid = excluded.uuid, datestamp = excluded.datestamp,
                   deleted = excluded.deleted, collection = excluded.collection",
            )?
            .execute(params![nid, entry.uuid, datestamp, entry.deleted, entry.is_collection])?;
        if entry.deleted {
            self.connection
                .prepare_cached("UPDATE harvest_set SET datestamp = ?2 WHERE node = ?1")?
                .execute([nid, datestamp])?;
            return Ok(());
        }
        self.connection
            .prepare_cached("DELETE FROM harvest_set WHERE node = ?1")?
            .execute([nid])?;
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO harvest_set (collection, datestamp, node) VALUES (?1, ?2, ?3)",
        )?;
        for set in sets {
            insert.execute([*set, datestamp, nid])?;
        }
        Ok(())
    }

    /// Notes which changes the tables have.
    pub fn set_harvest_progress(&mut self, progress: &HarvestProgress) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO harvest_progress (id, event, time, node) VALUES (1, ?1, ?2, ?3)
                 ON CONFLICT (id) DO UPDATE SET event = excluded.event, time = excluded.time, node = excluded.node",
            )?
            .execute(params![progress.event, progress.time, progress.node])?;
        Ok(())
    }
}

fn read_entry(row: &Row<'_>) -> rusqlite::Result<HarvestEntry> {
    Ok(HarvestEntry {
        nid: row.get(0)?,
        uuid: row.get(1)?,
        datestamp: row.get(2)?,
        deleted: row.get(3)?,
        is_collection: row.get(4)?,
    })
}
