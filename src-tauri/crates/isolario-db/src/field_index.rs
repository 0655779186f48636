//! Tables `field_text`, `field_number`, `field_date` and `field_reference`: the values of live resources, for queries.

use rusqlite::{Row, params};

use super::{DbError, Read, Write};
use isolario_model::content::{EntityKind, IndexRow, IndexValue};

/// Rows of a table, by what they refer to.
type Part = (&'static str, &'static str);

/// Values and references to terms. Those of nodes follow after the commit (`index_due`).
const VALUES: [Part; 4] = [
    ("field_text", ""),
    ("field_number", ""),
    ("field_date", ""),
    ("field_reference", " AND target_kind = 'taxonomy_term'"),
];
/// The other references, which are never behind: they say what belongs to what.
const PLACES: [Part; 1] = [("field_reference", " AND target_kind <> 'taxonomy_term'")];

impl Read<'_> {
    /// The index rows of a resource in parts of tables, in no order.
    fn index_rows(
        &self,
        parts: &[Part],
        kind: EntityKind,
        id: i64,
    ) -> Result<Vec<IndexRow>, DbError> {
        let mut rows = Vec::new();
        for (table, part) in parts {
            let (columns, value) = columns_of(table);
            let sql = format!(
                "SELECT field, delta, {columns} FROM {table} WHERE kind = ?1 AND id = ?2{part}"
            );
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
        }
        Ok(rows)
    }
}

/// The columns of a table that have the value, as the third and following of a row, and how to read them.
fn columns_of(table: &str) -> (&'static str, fn(&Row<'_>) -> rusqlite::Result<IndexValue>) {
    match table {
        "field_text" => ("value", |row| Ok(IndexValue::Text(row.get(2)?))),
        "field_number" => ("value", |row| Ok(IndexValue::Number(row.get(2)?))),
        "field_date" => ("first_day, last_day", |row| {
            Ok(IndexValue::Date {
                first: row.get(2)?,
                last: row.get(3)?,
            })
        }),
        _ => ("target_kind, target_id", |row| {
            let kind: String = row.get(2)?;
            Ok(IndexValue::Reference {
                kind: EntityKind::from_target_type(&kind).unwrap_or(EntityKind::Node),
                id: row.get(3)?,
            })
        }),
    }
}

impl Write<'_> {
    /// Replaces the index rows of a resource, and updates the lists that hold it. It writes only rows that change. The
    /// values of a node, its terms and its places in lists are made due, unless it goes, moves or is seen by others than
    /// before.
    pub fn replace_index(
        &mut self,
        kind: EntityKind,
        id: i64,
        rows: &[IndexRow],
    ) -> Result<(), DbError> {
        let listed = self.listed_before(kind, id)?;
        let (places, values): (Vec<_>, Vec<_>) = rows.iter().cloned().partition(is_place);
        self.replace_rows(&PLACES, kind, id, &places)?;
        if kind != EntityKind::Node {
            self.replace_rows(&VALUES, kind, id, &values)?;
            return self.refresh_lists(kind, id, &listed);
        }
        if self.keeps_its_lists(id)? {
            return self.defer_index(id, Some(&values));
        }
        self.write_due_index()?;
        self.write_values(id, &values)
    }

    /// Writes the index rows of the values of a node, and its places in lists.
    pub(super) fn write_values(&mut self, nid: i64, values: &[IndexRow]) -> Result<(), DbError> {
        self.replace_rows(&VALUES, EntityKind::Node, nid, values)?;
        self.list_node(nid)
    }

    fn replace_rows(
        &mut self,
        parts: &[Part],
        kind: EntityKind,
        id: i64,
        rows: &[IndexRow],
    ) -> Result<(), DbError> {
        let kept = self.index_rows(parts, kind, id)?;
        if are_same(&kept, rows) {
            return Ok(());
        }
        if !kept.is_empty() {
            self.delete_index(parts, kind, id)?;
        }
        rows.iter()
            .try_for_each(|row| self.insert_index_row(kind, id, row))
    }

    fn delete_index(&mut self, parts: &[Part], kind: EntityKind, id: i64) -> Result<(), DbError> {
        for (table, part) in parts {
            let sql = format!("DELETE FROM {table} WHERE kind = ?1 AND id = ?2{part}");
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
                // A field that came back with another kind of target may still have its term.
                "INSERT OR REPLACE INTO field_reference (kind, id, field, delta, target_kind, target_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
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

/// Whether a row refers to something else than a term.
fn is_place(row: &IndexRow) -> bool {
    matches!(row.value, IndexValue::Reference { kind, .. } if kind != EntityKind::Term)
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
