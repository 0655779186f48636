//! The files that come with a table: a column for each media use.

use serde::{Deserialize, Serialize};

use crate::actions::Refusal;
use crate::actions::view_entity::may_view;
use crate::container::names;
use isolario_db::{DbError, Read, TermName, Viewer};
use isolario_model::content::{
    ContentModel, EntityKind, FileRecord, TermRole, model_roles, uri_of,
};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// The files that are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExportedFiles {
    #[default]
    Nothing,
    Original,
    /// Those of every media use, without derivatives, which the program makes again.
    All,
    /// Those of some media uses, by name, URI or id.
    Uses(Vec<String>),
}

impl ExportedFiles {
    /// What people ask for: `original`, `all`, or media uses with commas between them.
    pub fn parse(text: &str) -> ExportedFiles {
        let uses = text.split(',').map(str::trim).filter(|one| !one.is_empty());
        let uses: Vec<String> = uses.map(str::to_owned).collect();
        match uses.as_slice() {
            [] => ExportedFiles::Nothing,
            [one] if one == "original" => ExportedFiles::Original,
            [one] if one == "all" => ExportedFiles::All,
            _ => ExportedFiles::Uses(uses),
        }
    }

    /// Whether nothing is asked for.
    pub fn is_nothing(&self) -> bool {
        *self == ExportedFiles::Nothing
    }

    /// The columns of the files, that of original files first.
    ///
    /// # Errors
    /// `Malformed` for a media use that there is not, or that the actor may not view.
    pub(super) fn columns(
        &self,
        read: &Read<'_>,
        actor: &Actor,
    ) -> Result<Vec<FileColumn>, Refusal> {
        let original = read.term_by_uri(uri_of(TermRole::OriginalFile))?;
        let vocabulary = &model_roles().bundles.media_uses;
        let uses = || read.whole_vocabulary(vocabulary, &Viewer::of(actor));
        let (chosen, with_derivatives) = match self {
            ExportedFiles::Nothing => (Vec::new(), false),
            ExportedFiles::Original => (original.into_iter().collect(), true),
            ExportedFiles::All => (uses()?.iter().map(|term| term.tid).collect(), false),
            ExportedFiles::Uses(named) => {
                let known = uses()?;
                let found = named.iter().map(|name| use_named(read, &known, name));
                (found.collect::<Result<Vec<i64>, Refusal>>()?, true)
            }
        };
        let mut columns = Vec::<FileColumn>::new();
        for media_use in chosen {
            if columns.iter().all(|column| column.media_use != media_use) {
                columns.push(FileColumn {
                    is_original: original == Some(media_use),
                    name: name_of(read, vocabulary, media_use)?,
                    media_use,
                    with_derivatives,
                });
            }
        }
        columns.sort_by_key(|column| (!column.is_original, column.media_use));
        Ok(columns)
    }
}

fn use_named(read: &Read<'_>, known: &[TermName], name: &str) -> Result<i64, Refusal> {
    let tid = match name.parse() {
        Ok(tid) => Some(tid),
        Err(_) => read.term_by_uri(name)?,
    };
    let lower = name.to_lowercase();
    let mut named = known
        .iter()
        .filter(|term| term.name.to_lowercase() == lower);
    let found = known.iter().find(|term| Some(term.tid) == tid);
    let found = found.or_else(|| named.next()).map(|term| term.tid);
    found.ok_or_else(|| Refusal::Malformed(format!("There is no media use {name:?}.")))
}

/// What an import finds a media use by: its name, or its id where another use has that name too, or no name is read so.
fn name_of(read: &Read<'_>, vocabulary: &str, tid: i64) -> Result<String, DbError> {
    let target = read.target(EntityKind::Term, tid)?;
    let name = target.map_or_else(String::new, |target| target.label);
    let is_read_otherwise = name.parse::<i64>().is_ok() || name.contains("://");
    let found = read.term_by_name(vocabulary, name.trim())?;
    Ok(match found == Some(tid) && !is_read_otherwise {
        true => name,
        false => tid.to_string(),
    })
}

/// A column that names files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileColumn {
    media_use: i64,
    name: String,
    is_original: bool,
    with_derivatives: bool,
}

/// The column of original files, and the folder beside the table that they lie in.
const ORIGINAL_COLUMN: &str = "file";
const ORIGINAL_FILES: &str = "files";
/// The folder of the others.
const USES: &str = "uses";

impl FileColumn {
    /// Its heading, as an import reads it.
    pub fn heading(&self) -> String {
        match self.is_original {
            true => ORIGINAL_COLUMN.to_owned(),
            false => format!("{ORIGINAL_COLUMN}:{}", self.name),
        }
    }

    /// The file of an item for the use, if the actor may view it, and its place beside the table. Of several files the
    /// first counts, as for an import.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn file(
        &self,
        read: &Read<'_>,
        model: &ContentModel,
        actor: &Actor,
        nid: i64,
    ) -> Result<Option<(String, FileRecord)>, DbError> {
        let Some(media) = read.media_with_use(nid, self.media_use)? else {
            return Ok(None);
        };
        let bundle = model.bundle(EntityKind::Media, &media.bundle);
        let field = bundle.and_then(|bundle| bundle.file_field());
        let fid = field.and_then(|field| media.reference(&field.name));
        let Some(fid) = fid.filter(|_| may_view(read, actor, &media).unwrap_or(false)) else {
            return Ok(None);
        };
        let is_derived = || read.origin_of_bytes(media.id, fid);
        if !self.with_derivatives && is_derived()?.as_deref() == Some(Origin::Derivative.name()) {
            return Ok(None);
        }
        let file = read.file(fid)?;
        Ok(file.map(|file| (self.place(nid, &file), file)))
    }

    fn place(&self, nid: i64, file: &FileRecord) -> String {
        let name = names::file(nid, &file.filename);
        match self.is_original {
            true => format!("{ORIGINAL_FILES}/{name}"),
            false => {
                let folder = names::folder(self.media_use, &self.name);
                format!("{USES}/{folder}/{name}")
            }
        }
    }
}
