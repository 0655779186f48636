//! Finds the nodes that have a certain text in a field.

use super::Viewer;
use super::snapshot::Lists;
use super::sql_parts::Query;
use super::visible::visible_item;
use crate::DbError;

impl Lists<'_> {
    /// Live nodes that have this whole text in a field, whatever its case, by id.
    pub fn nodes_with_text(
        &self,
        field: &str,
        text: &str,
        limit: usize,
        viewer: &Viewer,
    ) -> Result<Vec<i64>, DbError> {
        let mut query = Query::new(
            "SELECT DISTINCT n.id FROM field_text f INDEXED BY field_text_value
             CROSS JOIN node n ON n.id = f.id AND n.deleted IS NULL
             WHERE f.kind = 'node' AND f.field = ? AND f.value = ? COLLATE NOCASE",
        );
        query.bind(field.to_owned()).bind(text.to_owned());
        query.and(&visible_item("n", "n.id", &viewer.nodes));
        query.push("ORDER BY n.id LIMIT ?");
        query.bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let mut statement = self.connection.prepare_cached(&query.sql)?;
        let values = rusqlite::params_from_iter(&query.values);
        let ids = statement.query_map(values, |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }
}
