//! The next step of an import: the next rows of its table, in one transaction, or one row with its files.

use std::sync::Arc;

use super::super::table_plan::TablePlan;
use super::open_table::{OpenTable, RowsToImport};
use super::row_part::RowPart;
use super::store_row::store_row;
use crate::actions::Refusal;
use crate::actions::account_rules::as_of_now;
use crate::repository::Repository;
use isolario_model::policy::Actor;

/// Where an import is in its table.
#[derive(Default)]
pub struct TableCursor(Option<OpenTable>);

/// Carries out the next rows of a table. They are on disk when this returns. Returns whether more are left.
///
/// # Errors
/// What ends the batch: the author's account has changed, the table is gone, or the database fails.
pub async fn import_next(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
    cursor: &mut TableCursor,
) -> Result<bool, Refusal> {
    let batch = repository.db.read(move |read| read.batch(id)).await?;
    let Some(batch) = batch.filter(|batch| batch.ended.is_none()) else {
        return Ok(false);
    };
    let unknown = || Refusal::Invalid("This program does not know the change.".into());
    let plan = TablePlan::of(&batch).ok_or_else(unknown)?;
    let (known, held, next) = (cursor.0.take(), repository.clone(), plan.next_row(&batch));
    let reading = tokio::task::spawn_blocking(move || {
        let mut table = known.map_or_else(|| OpenTable::open(&held, &plan), Ok)?;
        table.read_part(next)?;
        let rows = table.take_part();
        Ok::<_, Refusal>((table, rows, plan))
    });
    let read = reading
        .await
        .map_err(|error| Refusal::Storage(error.to_string()))?;
    let (table, rows, plan) = read?;
    let (first, rows) = match rows {
        RowsToImport::Plain(first, rows) => (first, rows),
        RowsToImport::WithFiles(place, row) => {
            let table = store_row(repository, actor, id, (table, plan), (place, row)).await?;
            repository.derivatives.wake();
            cursor.0 = Some(table);
            return Ok(true);
        }
    };
    let (model, actor, at) = (repository.model(), actor.clone(), (id, first));
    let carried_out = repository.db.write(move |write| {
        let part = RowPart {
            model: &model,
            actor: &as_of_now(write, &actor)?,
            table: &table,
            plan: &plan,
        };
        let more = part.carry_out(write, at, &rows)?;
        Ok::<_, Refusal>((table, more))
    });
    let (table, more) = carried_out.await?;
    repository.derivatives.wake();
    cursor.0 = Some(table);
    Ok(more)
}
