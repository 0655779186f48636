//! Tables `field_text`, `field_number`, `field_date` and `field_reference`: the values of live resources, for queries.

use rusqlite::{Row, params};

use super::{DbError, Read, Write};
use isolario_model::content::{EntityKind, IndexRow, IndexValue};

const TABLES: [&str; 4] = [
    "field_text",
    "field_number",
    "field_date",
    "field_reference",
];

impl Read<'_> {
    /// The index rows of a resource, in no order.
    fn index_rows(&self, kind: EntityKind, id: i64) -> Result<Vec<IndexRow>, DbError> {
        let mut rows = Vec::new();
        let mut read = |columns: &str, table: &str, value: fn(&Row<'_>) -> rusqlite::Result<_>| {
            let sql =
                format!("SELECT field, delta, {columns} FROM {table} WHERE kind = ?1 AND id = ?2");
            let mut statement = self.connection.prepare_cached(&sql)?;
            let found = statement.query_map(params![kind.target_type(), id], |row| {
                Ok(IndexRow {
                    field: row.get(0)?,
                    delta: usize::try_from(row.get::<_, i64>(1)?).unwrap_or(usize::MAX),
                    value: value(row)?,
                })
            })?;
            for row in found {
                rows.push(row?);
            }
            Ok::<(), DbError>(())
        };
        read("value", "field_text", |row| {
            Ok(IndexValue::Text(row.get(2)?))
        })?;
        read("value", "field_number", |row| {
            Ok(IndexValue::Number(row.get(2)?))
        })?;
        read("first_day, last_day", "field_date", |row| {
            Ok(IndexValue::Date {
                first: row.get(2)?,
                last: row.get(3)?,
            })
        })?;
        read("target_kind, target_id", "field_reference", |row| {
            let kind: String = row.get(2)?;
            Ok(IndexValue::Reference {
                kind: EntityKind::from_target_type(&kind).unwrap_or(EntityKind::Node),
                id: row.get(3)?,
            })
        })?;
        Ok(rows)
    }
}

impl Write<'_> {
    /// Replaces the index rows of a resource, and updates the lists that hold it. It writes only rows that change.
    pub fn replace_index(
        &mut self,
        kind: EntityKind,
        id: i64,
        rows: &[IndexRow],
    ) -> Result<(), DbError> {
        let listed = self.listed_before(kind, id)?;
        let kept = self.index_rows(kind, id)?;
        if !are_same(&kept, rows) {
            if !kept.is_empty() {
                self.delete_index(kind, id)?;
            }
            rows.iter()
                .try_for_each(|row| self.insert_index_row(kind, id, row))?;
        }
        self.refresh_lists(kind, id, &listed)
    }

    fn delete_index(&mut self, kind: EntityKind, id: i64) -> Result<(), DbError> {
        for table in TABLES {
            let sql = format!("DELETE FROM {table} WHERE kind = ?1 AND id = ?2");
            self.connection
                .prepare_cached(&sql)?
                .execute(params![kind.target_type(), id])?;
        }
        Ok(())
    }

    fn insert_index_row(
        &mut self,
        kind: EntityKind,
        id: i64,
        row: &IndexRow,
    ) -> Result<(), DbError> {
        let kind = kind.target_type();
        let delta = i64::try_from(row.delta).unwrap_or(i64::MAX);
        let insert = |sql: &str, values: &[&dyn rusqlite::ToSql]| -> Result<(), DbError> {
            self.connection.prepare_cached(sql)?.execute(values)?;
            Ok(())
        };
        match &row.value {
            IndexValue::Text(value) => insert(
                "INSERT INTO field_text (kind, id, field, delta, value) VALUES (?1, ?2, ?3, ?4, ?5)",
                &[&kind, &id, &row.field, &delta, value],
            ),
            IndexValue::Number(value) => insert(
                "INSERT INTO field_number (kind, id, field, delta, value) VALUES (?1, ?2, ?3, ?4, ?5)",
                &[&kind, &id, &row.field, &delta, value],
            ),
            IndexValue::Date { first, last } => insert(
                "INSERT INTO field_date (kind, id, field, delta, first_day, last_day) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                &[&kind, &id, &row.field, &delta, first, last],
            ),
            IndexValue::Reference {
                kind: target,
                id: target_id,
            } => insert(
                "INSERT INTO field_reference (kind, id, field, delta, target_kind, target_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                &[
                    &kind,
                    &id,
                    &row.field,
                    &delta,
                    &target.target_type(),
                    target_id,
                ],
            ),
        }
    }
}

/// Whether two sets of rows are equal, in whatever order.
fn are_same(kept: &[IndexRow], wanted: &[IndexRow]) -> bool {
    let sorted = |rows: &[IndexRow]| -> Vec<IndexRow> {
        let mut rows = rows.to_vec();
        rows.sort_by(|a, b| place(a).cmp(&place(b)));
        rows
    };
    kept.len() == wanted.len() && sorted(kept) == sorted(wanted)
}

/// The key of a row among those of a resource.
fn place(row: &IndexRow) -> (&str, usize, u8) {
    let shape = match row.value {
        IndexValue::Text(_) => 0,
        IndexValue::Number(_) => 1,
        IndexValue::Date { .. } => 2,
        IndexValue::Reference { .. } => 3,
    };
    (&row.field, row.delta, shape)
}
