//! The rows of a table, page by page.

use std::sync::Arc;

use super::files::FileColumn;
use super::{ExportError, ExportOrder, TableFormat};
use crate::actions::account_rules::as_of_now;
use crate::actions::batches::{ItemPages, pages_of};
use crate::actions::response_context::ResponseContext;
use crate::actions::view_entity::may_view;
use crate::repository::Repository;
use isolario_db::Read;
use isolario_model::content::{Bundle, Entity, EntityKind, FileRecord};
use isolario_model::fields::TermNotation;
use isolario_model::policy::Actor;
use isolario_model::tables::Column;

/// Rows that are read in one snapshot.
const ROWS: usize = 200;
/// Bytes of cells after which a page ends: an item may describe itself in megabytes.
const BYTES: usize = 1 << 20;

/// A table in the making.
pub struct Export {
    pub(super) repository: Arc<Repository>,
    actor: Actor,
    pages: ItemPages,
    /// Items whose rows are read next.
    waiting: std::vec::IntoIter<(EntityKind, i64)>,
    columns: Arc<[Column]>,
    terms: TermNotation,
    pub(super) format: TableFormat,
    files: Arc<[FileColumn]>,
}

/// The cells of an item.
pub(super) type Row = Vec<String>;

/// An item in a table.
pub(super) struct ExportedItem {
    pub row: Row,
    /// When it was changed last, or one of those files (Unix seconds).
    pub changed: i64,
    /// Its files that are asked for, each with its place beside the table.
    pub files: Vec<(String, FileRecord)>,
}

impl Export {
    pub(super) fn new(
        repository: &Arc<Repository>,
        actor: &Actor,
        order: ExportOrder,
        (columns, files): (Vec<Column>, Vec<FileColumn>),
    ) -> Export {
        Export {
            repository: repository.clone(),
            actor: actor.clone(),
            pages: pages_of(repository, actor, order.source),
            waiting: Vec::new().into_iter(),
            columns: columns.into(),
            terms: order.terms,
            format: order.format,
            files: files.into(),
        }
    }

    /// The first row.
    pub(super) fn heading(&self) -> Row {
        let columns = self.columns.iter().map(|column| column.name.clone());
        let files = self.files.iter().map(FileColumn::heading);
        columns.chain(files).collect()
    }

    /// The next rows; `None` after the last. An item that has gone meanwhile, or that the actor may no longer see, has
    /// none.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<ExportedItem>>, ExportError> {
        if self.waiting.as_slice().is_empty() {
            match self.pages.next().await? {
                Some(page) => self.waiting = page.into_iter(),
                None => return Ok(None),
            }
        }
        let ids: Vec<_> = self.waiting.as_slice().iter().take(ROWS).copied().collect();
        let page = RowPage {
            repository: self.repository.clone(),
            actor: self.actor.clone(),
            columns: self.columns.clone(),
            terms: self.terms,
            files: self.files.clone(),
        };
        let rows = self.repository.db.read(move |read| page.read(read, &ids));
        let (rows, tried) = rows.await?;
        self.waiting.by_ref().take(tried).for_each(drop);
        Ok(Some(rows))
    }
}

/// What a page of rows is read with.
struct RowPage {
    repository: Arc<Repository>,
    actor: Actor,
    columns: Arc<[Column]>,
    terms: TermNotation,
    files: Arc<[FileColumn]>,
}

impl RowPage {
    /// Rows, and of how many ids.
    fn read(
        mut self,
        read: &Read<'_>,
        ids: &[(EntityKind, i64)],
    ) -> Result<(Vec<ExportedItem>, usize), ExportError> {
        self.actor = as_of_now(read, &self.actor)?;
        let (mut rows, mut bytes) = (Vec::new(), 0);
        for (tried, (kind, id)) in ids.iter().enumerate() {
            if bytes >= BYTES {
                return Ok((rows, tried));
            }
            let item = read.entity(*kind, *id)?;
            if let Some(item) = item
                && may_view(read, &self.actor, &item)?
            {
                let (mut row, mut files) = (self.row(read, &item), Vec::new());
                for column in &*self.files {
                    let file = column.file(read, &self.repository.model(), &self.actor, item.id)?;
                    let place = file.as_ref().map(|(place, _)| place.clone());
                    row.push(place.unwrap_or_default());
                    files.extend(file);
                }
                bytes += row.iter().map(String::len).sum::<usize>();
                let changes = files.iter().map(|(_, file)| file.changed);
                rows.push(ExportedItem {
                    row,
                    changed: changes.fold(item.changed(), i64::max),
                    files,
                });
            }
        }
        Ok((rows, ids.len()))
    }

    fn row(&self, read: &Read<'_>, item: &Entity) -> Row {
        let model = &self.repository.model();
        let context = ResponseContext {
            read,
            model,
            actor: &self.actor,
            base: "",
        };
        let known = model.bundle(item.kind, &item.bundle).cloned();
        let bundle = known.unwrap_or_else(|| Bundle::unknown(item.kind, &item.bundle));
        let cells = self.columns.iter();
        cells
            .map(|column| column.cell(item, &bundle, &context, self.terms))
            .collect()
    }
}
