//! The rows of a table, page by page.

use std::sync::Arc;

use super::{ExportError, ExportOrder, TableFormat};
use crate::actions::account_rules::as_of_now;
use crate::actions::batches::{ItemPages, pages_of};
use crate::actions::response_context::ResponseContext;
use crate::actions::view_entity::may_view;
use crate::container::names;
use crate::repository::Repository;
use isolario_db::{DbError, Read};
use isolario_model::content::{Bundle, Entity, EntityKind, FileRecord, TermRole, uri_of};
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
    with_files: bool,
}

/// The cells of an item.
pub(super) type Row = Vec<String>;

/// An item in a table.
pub(super) struct ExportedItem {
    pub row: Row,
    /// Its original file, where files are asked for, with its place beside the table.
    pub file: Option<(String, FileRecord)>,
}

/// The column of the files, and the folder beside the table that they lie in.
const FILE_COLUMN: &str = "file";
const FILES: &str = "files";

impl Export {
    pub(super) fn new(
        repository: &Arc<Repository>,
        actor: &Actor,
        order: ExportOrder,
        columns: Vec<Column>,
    ) -> Export {
        Export {
            repository: repository.clone(),
            actor: actor.clone(),
            pages: pages_of(repository, actor, order.source),
            waiting: Vec::new().into_iter(),
            columns: columns.into(),
            terms: order.terms,
            format: order.format,
            with_files: order.with_files,
        }
    }

    /// The first row.
    pub(super) fn heading(&self) -> Row {
        let columns = self.columns.iter().map(|column| column.name.as_str());
        let files = self.with_files.then_some(FILE_COLUMN);
        columns.chain(files).map(str::to_owned).collect()
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
            with_files: self.with_files,
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
    with_files: bool,
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
                let (mut row, mut file) = (self.row(read, &item), None);
                if self.with_files {
                    file = self.file(read, item.id)?;
                    let place = file.as_ref().map(|(place, _)| place.clone());
                    row.push(place.unwrap_or_default());
                }
                bytes += row.iter().map(String::len).sum::<usize>();
                rows.push(ExportedItem { row, file });
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

    /// The original file of an item, if the actor may view it, and its place.
    fn file(&self, read: &Read<'_>, nid: i64) -> Result<Option<(String, FileRecord)>, DbError> {
        let Some(original) = read.term_by_uri(uri_of(TermRole::OriginalFile))? else {
            return Ok(None);
        };
        let Some(media) = read.media_with_use(nid, original)? else {
            return Ok(None);
        };
        let model = self.repository.model();
        let bundle = model.bundle(EntityKind::Media, &media.bundle);
        let field = bundle.and_then(|bundle| bundle.file_field());
        let fid = field.and_then(|field| media.reference(&field.name));
        let Some(fid) = fid.filter(|_| may_view(read, &self.actor, &media).unwrap_or(false)) else {
            return Ok(None);
        };
        let place = |file: &FileRecord| format!("{FILES}/{}", names::file(nid, &file.filename));
        Ok(read.file(fid)?.map(|file| (place(&file), file)))
    }
}
