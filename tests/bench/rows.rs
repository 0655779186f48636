//! The rows that one change leaves in the tables, to be written again by a limit: as many rows, as
//! many index entries, and nothing else.

use rusqlite::Connection;
use rusqlite::types::Value;

/// Tables of a node, the column that is its id, and whether the first column is a number of its own.
const NODE: [(&str, usize, &str); 8] = [
    ("node", 0, "id = ?1"),
    ("node_revision", 1, "id = ?1"),
    ("event", 6, "kind = 'node' AND entity_id = ?1"),
    ("field_text", 1, "kind = 'node' AND id = ?1"),
    ("field_number", 1, "kind = 'node' AND id = ?1"),
    ("field_date", 1, "kind = 'node' AND id = ?1"),
    ("field_reference", 1, "kind = 'node' AND id = ?1"),
    ("listing", 0, "node = ?1"),
];

/// Tables of an upload, by the id of its media.
const MEDIA: [(&str, usize, &str); 7] = [
    ("media", 0, "id = ?1"),
    ("media_revision", 1, "id = ?1"),
    ("event", 6, "kind = 'media' AND entity_id = ?1"),
    ("field_text", 1, "kind = 'media' AND id = ?1"),
    ("field_number", 1, "kind = 'media' AND id = ?1"),
    ("field_reference", 1, "kind = 'media' AND id = ?1"),
    ("file", 0, "fid = (SELECT max(fid) FROM file) AND ?1 > 0"),
];

struct Row {
    table: &'static str,
    id_column: usize,
    insert: String,
    values: Vec<Value>,
}

/// Rows of one change.
pub struct Rows {
    rows: Vec<Row>,
    next: i64,
}

impl Rows {
    /// What the newest node left behind.
    pub fn of_newest_node(connection: &Connection) -> Rows {
        let id = newest(connection, "node");
        Rows {
            rows: read(connection, &NODE, id),
            next: id + 1,
        }
    }

    /// What the newest upload left behind.
    pub fn of_newest_upload(connection: &Connection) -> Rows {
        let id = newest(connection, "media");
        let mut rows = read(connection, &MEDIA, id);
        rows.extend(read(
            connection,
            &[(
                "file_version",
                0,
                "fid = (SELECT max(fid) FROM file) AND ?1 > 0",
            )],
            id,
        ));
        Rows { rows, next: id + 1 }
    }

    /// Writes them again as those of another thing.
    pub fn insert(&mut self, connection: &Connection) {
        let id = self.next;
        self.next += 1;
        for row in &mut self.rows {
            row.values[row.id_column] = Value::Integer(id);
            row.make_unique(id);
            let mut statement = connection.prepare_cached(&row.insert).expect("an insert");
            statement
                .execute(rusqlite::params_from_iter(&row.values))
                .unwrap_or_else(|error| panic!("{}: {error}", row.table));
        }
    }

    /// Writes what a new title changes of an existing node: its row, a revision, an event, its places in lists.
    pub fn update(&mut self, connection: &Connection, id: i64) {
        let execute = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
            let statement = connection.prepare_cached(sql);
            statement
                .and_then(|mut statement| statement.execute(values))
                .expect("a change");
        };
        self.next += 1;
        let title = format!("Renamed {}", self.next);
        for row in &mut self.rows {
            if ["node_revision", "event"].contains(&row.table) {
                row.values[row.id_column] = Value::Integer(id);
                row.make_unique(id);
                let values = rusqlite::params_from_iter(&row.values);
                let statement = connection.prepare_cached(&row.insert);
                statement
                    .and_then(|mut statement| statement.execute(values))
                    .expect("a row");
            }
        }
        execute(
            "UPDATE node SET revision = ?2, label = ?3, changed = changed + 1, document = ?4 WHERE id = ?1",
            &[
                &id,
                &connection.last_insert_rowid(),
                &title,
                &self.document(),
            ],
        );
        execute(
            "UPDATE listing SET title = ?2, changed = changed + 1 WHERE node = ?1",
            &[&id, &title],
        );
    }

    fn document(&self) -> Value {
        let row = self.rows.iter().find(|row| row.table == "node_revision");
        // The last text of a revision; the number of a batch follows it.
        let texts = row.map(|row| row.values.iter().rev());
        let text =
            texts.and_then(|mut values| values.find(|value| matches!(value, Value::Text(_))));
        text.cloned().unwrap_or(Value::Null)
    }
}

impl Row {
    /// What must not be there twice: numbers of their own, UUIDs, addresses, places of bytes.
    fn make_unique(&mut self, id: i64) {
        match self.table {
            "node_revision" | "media_revision" | "event" => self.values[0] = Value::Null,
            "node" | "media" => self.values[1] = Value::Text(uuid::Uuid::new_v4().to_string()),
            "file" => {
                self.values[1] = Value::Text(uuid::Uuid::new_v4().to_string());
                self.values[4] = Value::Text(format!("public://limit/{id}.bin"));
            }
            "file_version" => self.values[2] = Value::Text(format!("public/limit/{id}.bin")),
            _ => {}
        }
    }
}

fn newest(connection: &Connection, table: &str) -> i64 {
    let sql = format!("SELECT max(id) FROM {table}");
    connection
        .query_row(&sql, [], |row| row.get(0))
        .expect("a row")
}

fn read(connection: &Connection, tables: &[(&'static str, usize, &str)], id: i64) -> Vec<Row> {
    let mut rows = Vec::new();
    for (table, id_column, condition) in tables {
        let mut select = connection
            .prepare(&format!("SELECT * FROM {table} WHERE {condition}"))
            .expect("a table");
        let columns = select.column_count();
        let marks = vec!["?"; columns].join(", ");
        let found = select.query_map([id], |row| (0..columns).map(|at| row.get(at)).collect());
        for values in found.expect("rows") {
            rows.push(Row {
                table,
                id_column: *id_column,
                insert: format!("INSERT INTO {table} VALUES ({marks})"),
                values: values.expect("a row"),
            });
        }
    }
    rows
}
