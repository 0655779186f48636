//! Table `saved_search`: queries of lists that people keep under a name.

use rusqlite::{OptionalExtension, Row, params};

use super::{DbError, Read, Write};
use isolario_model::content::record::SavedSearch;
use isolario_model::policy::{
    Denial, PermittedSavedSearch, PermittedServerChange, SavedSearchFacts,
};

/// How many deleted ones of an account are kept for an undo.
const MOST_DELETED: i64 = 100;

/// A new saved search.
#[derive(Debug, Clone)]
pub struct NewSavedSearch {
    pub owner: i64,
    pub name: String,
    pub query: String,
    pub is_public: bool,
    /// Unix seconds.
    pub created: i64,
}

impl NewSavedSearch {
    fn facts(&self) -> SavedSearchFacts {
        SavedSearchFacts {
            owner: self.owner,
            is_public: self.is_public,
        }
    }
}

pub(super) const COLUMNS: &str = "id, owner, name, query, published, created, changed, deleted";

pub(super) fn read_saved_search(row: &Row<'_>) -> rusqlite::Result<SavedSearch> {
    Ok(SavedSearch {
        id: row.get(0)?,
        owner: row.get(1)?,
        name: row.get(2)?,
        query: row.get(3)?,
        is_public: row.get(4)?,
        created: row.get(5)?,
        changed: row.get(6)?,
        deleted: row.get(7)?,
    })
}

impl Read<'_> {
    /// A saved search, deleted or not.
    pub fn saved_search_record(&self, id: i64) -> Result<Option<SavedSearch>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM saved_search WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([id], read_saved_search).optional()?)
    }

    /// A saved search that is not deleted.
    pub fn saved_search(&self, id: i64) -> Result<Option<SavedSearch>, DbError> {
        let found = self.saved_search_record(id)?;
        Ok(found.filter(|search| search.deleted.is_none()))
    }

    /// How many saved searches an account has.
    pub fn saved_searches_of(&self, owner: i64) -> Result<i64, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*) FROM saved_search WHERE owner = ?1 AND deleted IS NULL",
        )?;
        Ok(statement.query_row([owner], |row| row.get(0))?)
    }
}

impl<'t> Write<'t> {
    /// Adds a saved search and returns its number.
    pub fn insert_saved_search(
        &mut self,
        permitted: &PermittedSavedSearch<'t>,
        search: &NewSavedSearch,
    ) -> Result<i64, DbError> {
        require(permitted, None, Some(search.facts()))?;
        self.connection
            .prepare_cached(
                "INSERT INTO saved_search (owner, name, query, published, created, changed)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
            )?
            .execute(params![
                search.owner,
                search.name,
                search.query,
                search.is_public,
                search.created
            ])?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Replaces the name and the query of a saved search, and for whom it is. One that was deleted is there again.
    pub fn update_saved_search(
        &mut self,
        permitted: &PermittedSavedSearch<'t>,
        search: &SavedSearch,
    ) -> Result<(), DbError> {
        let kept = self.facts_of_saved_search(search.id)?;
        let after = SavedSearchFacts {
            owner: search.owner,
            is_public: search.is_public,
        };
        require(permitted, kept, Some(after))?;
        self.connection
            .prepare_cached(
                "UPDATE saved_search SET name = ?2, query = ?3, published = ?4, changed = ?5, deleted = NULL
                 WHERE id = ?1",
            )?
            .execute(params![
                search.id,
                search.name,
                search.query,
                search.is_public,
                search.changed
            ])?;
        Ok(())
    }

    /// Deletes a saved search at a time (Unix seconds). Of those that an account deleted before, the latest stay.
    pub fn delete_saved_search(
        &mut self,
        permitted: &PermittedSavedSearch<'t>,
        id: i64,
        at: i64,
    ) -> Result<(), DbError> {
        let kept = self.facts_of_saved_search(id)?;
        require(permitted, kept, None)?;
        self.connection
            .prepare_cached("UPDATE saved_search SET deleted = ?2 WHERE id = ?1")?
            .execute([id, at])?;
        self.connection
            .prepare_cached(
                "DELETE FROM saved_search WHERE id IN (
                   SELECT id FROM saved_search
                   WHERE owner = (SELECT owner FROM saved_search WHERE id = ?1) AND deleted IS NOT NULL
                   ORDER BY deleted DESC, id DESC LIMIT -1 OFFSET ?2)",
            )?
            .execute([id, MOST_DELETED])?;
        Ok(())
    }

    /// Writes the saved search of a record with its id.
    pub fn put_saved_search(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        search: &SavedSearch,
    ) -> Result<(), DbError> {
        let sql =
            format!("INSERT INTO saved_search ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
        self.connection.prepare_cached(&sql)?.execute(params![
            search.id,
            search.owner,
            search.name,
            search.query,
            search.is_public,
            search.created,
            search.changed,
            search.deleted,
        ])?;
        Ok(())
    }

    fn facts_of_saved_search(&self, id: i64) -> Result<Option<SavedSearchFacts>, DbError> {
        let kept = self.saved_search_record(id)?;
        Ok(kept.map(|search| SavedSearchFacts {
            owner: search.owner,
            is_public: search.is_public,
        }))
    }
}

/// Refuses a change that was not permitted.
fn require(
    permitted: &PermittedSavedSearch<'_>,
    before: Option<SavedSearchFacts>,
    after: Option<SavedSearchFacts>,
) -> Result<(), DbError> {
    match permitted.is_for(before, after) {
        true => Ok(()),
        false => Err(Denial::new("The policy has permitted another change.").into()),
    }
}
