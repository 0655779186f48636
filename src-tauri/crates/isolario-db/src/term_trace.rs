//! The terms that a repository has ever had, by their revisions.

use std::collections::BTreeSet;

use super::{DbError, Read};
use isolario_model::content::field_roles;

impl Read<'_> {
    /// The pairs of vocabulary and name or address of every term, in all its revisions.
    pub fn terms_ever(&self) -> Result<BTreeSet<(String, String)>, DbError> {
        let fields = field_roles();
        let sql = format!(
            "SELECT t.bundle, v.value ->> '$.value' FROM taxonomy_term t
             CROSS JOIN taxonomy_term_revision r ON r.id = t.id
             CROSS JOIN json_each(r.document, '$.name') v
             UNION SELECT t.bundle, v.value ->> '$.uri' FROM taxonomy_term t
             CROSS JOIN taxonomy_term_revision r ON r.id = t.id
             CROSS JOIN json_each(r.document, '$.{}') v
             UNION SELECT t.bundle, v.value ->> '$.uri' FROM taxonomy_term t
             CROSS JOIN taxonomy_term_revision r ON r.id = t.id
             CROSS JOIN json_each(r.document, '$.{}') v",
            fields.external_uri, fields.authority_link
        );
        let mut statement = self.connection.prepare(&sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, Option<_>>(1)?)))?;
        let named = rows.filter_map(|row| {
            row.map(|(vocabulary, text)| Some((vocabulary, text?)))
                .transpose()
        });
        Ok(named.collect::<Result<_, _>>()?)
    }

    /// The vocabularies with a purged term.
    pub fn vocabularies_with_purged_terms(&self) -> Result<BTreeSet<String>, DbError> {
        let mut statement = self.connection.prepare(
            "SELECT DISTINCT bundle FROM taxonomy_term t WHERE deleted IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM trash WHERE kind = 'taxonomy_term' AND entity_id = t.id)",
        )?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
