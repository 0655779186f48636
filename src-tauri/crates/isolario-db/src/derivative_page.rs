//! Pages of the table `derivative`, and the number of derivatives in each state.

use rusqlite::params;

use super::derivative::{COLUMNS, read_derivative};
use super::{DbError, Read};
use isolario_model::content::{Derivative, DerivativeState, field_roles};

/// Selects derivatives.
#[derive(Debug, Clone, Default)]
pub struct DerivativeFilter {
    pub state: Option<DerivativeState>,
    pub kind: Option<String>,
    /// Only those of the originals of an item.
    pub item: Option<i64>,
    /// Only those before this one.
    pub before: Option<i64>,
}

/// How many derivatives of a kind are in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivativeCount {
    pub state: DerivativeState,
    pub kind: String,
    pub derivatives: i64,
}

impl Read<'_> {
    /// A page of derivatives, the newest first. The query uses the index of the item if one is named, otherwise that of
    /// the state.
    pub fn derivative_page(
        &self,
        filter: &DerivativeFilter,
        limit: usize,
    ) -> Result<Vec<Derivative>, DbError> {
        let of_item = format!(
            "FROM field_reference r CROSS JOIN derivative d ON d.mid = r.id
             WHERE r.target_id = ?1 AND r.target_kind = 'node' AND r.kind = 'media' AND r.field = '{}'",
            field_roles().media_of
        );
        let source = match (filter.item, filter.state) {
            (Some(_), _) => of_item.as_str(),
            (None, Some(_)) => "FROM derivative d INDEXED BY derivative_state WHERE ?1 IS NULL",
            (None, None) => "FROM derivative d WHERE ?1 IS NULL",
        };
        let state = match filter.state {
            Some(_) => "d.state = ?3",
            None => "?3 IS NULL",
        };
        let sql = format!(
            "SELECT {COLUMNS} {source} AND {state} AND d.id < ?2 AND (?4 IS NULL OR d.kind = ?4)
             ORDER BY d.id DESC LIMIT ?5"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let values = params![
            filter.item,
            filter.before.unwrap_or(i64::MAX),
            filter.state.map(DerivativeState::name),
            filter.kind,
            i64::try_from(limit).unwrap_or(i64::MAX),
        ];
        let rows = statement.query_map(values, read_derivative)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How many derivatives there are, by state and kind.
    pub fn derivative_counts(&self) -> Result<Vec<DerivativeCount>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT state, kind, derivatives FROM derivative_count WHERE derivatives > 0",
        )?;
        let rows = statement.query_map([], |row| {
            let state: String = row.get(0)?;
            Ok(DerivativeCount {
                state: DerivativeState::from_name(&state).unwrap_or(DerivativeState::Left),
                kind: row.get(1)?,
                derivatives: row.get(2)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
