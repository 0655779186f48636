//! Items as a table (docs/TABLES.md).
//!
//! The rows are read in pages, each in a snapshot of its own. So no read transaction outlives a page: changes go on
//! meanwhile, the write-ahead log is reset as ever, and memory holds one page. Rows stand in the order of their ids, which
//! never change, so an item stands in the table once, whatever happens during a long export.

mod files;
mod order;
mod package;
mod rows;
mod stream;
mod xlsx_table;

use std::sync::Arc;

pub use files::ExportedFiles;
pub use order::{ExportOrder, TableFormat};
pub use package::Package;
pub use rows::Export;

use crate::actions::Refusal;
use crate::repository::Repository;
use isolario_db::DbError;
use isolario_model::policy::Actor;

/// Hears how many rows there are so far.
pub type CountRows = dyn Fn(u64) + Send + Sync;

/// Why an export ended early.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The policy, the content or the database says no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It cannot be written: the disk is full, or the reader has gone.
    #[error("the table cannot be written: {0}")]
    Output(#[from] std::io::Error),
}

impl From<ExportError> for Refusal {
    fn from(error: ExportError) -> Refusal {
        match error {
            ExportError::Refused(refusal) => refusal,
            ExportError::Output(error) => Refusal::disk(&error),
        }
    }
}

impl From<DbError> for ExportError {
    fn from(error: DbError) -> ExportError {
        ExportError::Refused(error.into())
    }
}

impl Export {
    /// Begins an export: chooses its columns.
    ///
    /// # Errors
    /// `NotFound` for a collection that is not there for the actor; `Malformed` for columns or media uses that there are not.
    pub async fn begin(
        repository: &Arc<Repository>,
        actor: &Actor,
        order: ExportOrder,
    ) -> Result<Export, Refusal> {
        let columns = order.columns(repository, actor).await?;
        let (files, viewer) = (order.files.clone(), actor.clone());
        let files = repository.db.read(move |read| files.columns(read, &viewer));
        Ok(Export::new(
            repository,
            actor,
            order,
            (columns, files.await?),
        ))
    }
}
