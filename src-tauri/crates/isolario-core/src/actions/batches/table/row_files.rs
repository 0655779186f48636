//! The files of a row: those that its item gets, and what is wrong with others.

use std::path::Path;

use serde_json::json;

use super::columns::ColumnUse;
use super::files::{NamedFile, name_of};
use super::problem::{TableProblem, TableProblemCode};
use super::row::{Cell, RowContext, RowRequest};
use super::row_file::TableRow;
use crate::actions::request_body::definition_of;
use crate::file_kinds::{address_of, media_type_of, mime_of, model_of};
use isolario_blobs::digest_of_file;
use isolario_db::DbError;
use isolario_model::content::file_name::title;
use isolario_model::content::{
    Bundle, Entity, EntityKind, TermRole, field_roles, model_roles, uri_of,
};
use isolario_model::policy::permission::may_create_somewhere;

/// Whether a row names a file.
pub(super) fn names_file(uses: &[ColumnUse], row: &TableRow) -> bool {
    let mut cells = uses.iter().zip(&row.cells);
    cells.any(|(column, cell)| matches!(column, ColumnUse::File(_)) && !cell.trim().is_empty())
}

impl RowContext<'_> {
    /// The files that a row names and that its item does not have yet; what is wrong with the others.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn files_of(
        &self,
        row: &TableRow,
        item: Option<&Entity>,
    ) -> Result<(Vec<NamedFile>, Vec<TableProblem>), DbError> {
        let (mut files, mut problems) = (Vec::<NamedFile>::new(), Vec::new());
        for (index, (column, text)) in self.uses.iter().zip(&row.cells).enumerate() {
            let ColumnUse::File(media_use) = column else {
                continue;
            };
            let cell = Cell {
                row: row.number,
                heading: self.heading.get(index).map_or("", String::as_str),
                text: text.trim(),
            };
            if cell.is_empty() {
                continue;
            }
            match self.file(&cell, media_use, item)? {
                Err(problem) => problems.push(problem),
                Ok(Some(file)) if files.iter().any(|one| one.media_use == file.media_use) => {
                    let words = TableProblemCode::RepeatedMediaUse;
                    problems.push(cell.problem(words));
                }
                Ok(file) => files.extend(file),
            }
        }
        Ok((files, problems))
    }

    /// Whether a row names a file.
    pub fn names_file(&self, row: &TableRow) -> bool {
        names_file(self.uses, row)
    }

    fn file(
        &self,
        cell: &Cell<'_>,
        media_use: &str,
        item: Option<&Entity>,
    ) -> Result<Result<Option<NamedFile>, TableProblem>, DbError> {
        let Some(media_use) = self.media_use(media_use)? else {
            let problem = cell.problem(TableProblemCode::UnknownMediaUse.of(media_use));
            return Ok(Err(problem));
        };
        let (path, size) = match self.files.find(cell.text) {
            Ok(found) => found,
            Err(reason) => {
                let suggestion = self.files.alike(cell.text);
                let suggestion = suggestion.filter(|name| name != cell.text);
                return Ok(Err(TableProblem {
                    suggestion,
                    ..cell.problem(reason)
                }));
            }
        };
        if let Some(item) = item
            && let Some(media) = self.read.media_with_use(item.id, media_use)?
        {
            let is_same = !self.compares || self.has_bytes(&media, &path, size)?;
            let words = TableProblemCode::OtherFile;
            return Ok(is_same.then_some(None).ok_or_else(|| cell.problem(words)));
        }
        let name = name_of(&path);
        let Some(media_type) = media_type_of(self.model, name) else {
            let problem = cell.problem(TableProblemCode::FileTypeNotTaken);
            return Ok(Err(problem));
        };
        if let Err(denial) = may_create_somewhere(self.actor, EntityKind::Media, media_type) {
            return Ok(Err(cell.problem(denial)));
        }
        let repository = &self.files.repository;
        let address = address_of(&repository.config.repository_scheme, name);
        if let Err(error) = repository.blobs.parse_uri(&address) {
            let words = TableProblemCode::FileNameNotPossible.of(error.to_string());
            return Ok(Err(cell.problem(words)));
        }
        let mime = mime_of(name);
        Ok(Ok(Some(NamedFile {
            heading: cell.heading.to_owned(),
            text: cell.text.to_owned(),
            path,
            size,
            media_type,
            mime,
            media_use,
            address,
        })))
    }

    /// A new item that the table does not describe gets title and model of its file, as when the file is dropped.
    pub fn describe_by_file(
        &self,
        request: &mut RowRequest,
        bundle: &Bundle,
    ) -> Result<(), DbError> {
        let RowRequest {
            item: None, files, ..
        } = request
        else {
            return Ok(());
        };
        let Some(file) = files.first() else {
            return Ok(());
        };
        let (title, model) = (title(file.name()), model_of(file.media_type, &file.mime));
        let title = json!([{ "value": title }]);
        request.body.entry("title").or_insert(title);
        let field = &field_roles().model;
        if definition_of(bundle, field).is_some()
            && let Some(model) = self.read.term_by_uri(model)?
        {
            let model = json!([{ "target_id": model }]);
            request.body.entry(field.as_str()).or_insert(model);
        }
        Ok(())
    }

    /// The term of a media use by its name, URI or id; that of original files for none.
    fn media_use(&self, name: &str) -> Result<Option<i64>, DbError> {
        let vocabulary = &model_roles().bundles.media_uses;
        let found = match (name, name.parse()) {
            ("", _) => self.read.term_by_uri(uri_of(TermRole::OriginalFile))?,
            (_, Ok(tid)) => Some(tid),
            (uri, _) if uri.contains("://") => self.read.term_by_uri(uri)?,
            (name, _) => self.read.term_by_name(vocabulary, name)?,
        };
        let Some(tid) = found else { return Ok(None) };
        let target = self.read.target(EntityKind::Term, tid)?;
        let is_use = target.is_some_and(|target| target.bundle == *vocabulary);
        Ok(found.filter(|_| is_use))
    }

    /// Whether a media has the bytes of a file of this machine.
    fn has_bytes(&self, media: &Entity, path: &Path, size: u64) -> Result<bool, DbError> {
        let bundle = self.model.bundle(EntityKind::Media, &media.bundle);
        let field = bundle.and_then(|bundle| bundle.file_field());
        let Some(fid) = field.and_then(|field| media.reference(&field.name)) else {
            return Ok(false);
        };
        let Some(file) = self.read.file(fid)? else {
            return Ok(false);
        };
        let same = || digest_of_file(path).is_ok_and(|digest| digest.sha512 == file.sha512);
        Ok(file.size == size && same())
    }
}
