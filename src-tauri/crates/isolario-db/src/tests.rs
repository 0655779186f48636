//! The whole present schema, as docs/schema.sql has it: what all migrations together make.

use std::path::Path;

use super::{Db, DbError, Read};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/schema.sql");

/// Tables first, each with its indexes and triggers. What SQLite makes for itself is left out.
const STATEMENTS: &str = "SELECT one.sql FROM sqlite_schema one
    WHERE one.sql IS NOT NULL AND one.name NOT LIKE 'sqlite%'
      AND one.tbl_name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
    ORDER BY one.tbl_name, CASE one.type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, one.name";

fn schema(read: &Read<'_>) -> Result<String, DbError> {
    let mut statement = read.connection.prepare(STATEMENTS)?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut text =
        "-- The schema of isolario.db. Written by a test: see CONTRIBUTING.md.\n".to_owned();
    for sql in rows {
        text.push_str(&format!("\n{};\n", sql?));
    }
    Ok(text)
}

#[test]
fn the_document_is_the_schema_of_a_new_database() {
    let directory = tempfile::tempdir().expect("a directory");
    let db = Db::open(&directory.path().join("test.db")).expect("a database");
    let schema = db.read_here(schema).expect("a schema");
    if std::env::var_os("WRITE_SCHEMA").is_some() {
        std::fs::write(DOCUMENT, &schema).expect("written");
    }
    let document = std::fs::read_to_string(Path::new(DOCUMENT)).unwrap_or_default();
    assert!(
        document == schema,
        "docs/schema.sql is not the present schema: run this test with WRITE_SCHEMA=1"
    );
}
