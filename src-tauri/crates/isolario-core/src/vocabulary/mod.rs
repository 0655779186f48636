//! The terms of a vocabulary as a file (docs/VOCABULARIES.md): a table in CSV, or SKOS in Turtle or JSON-LD.
//!
//! The terms are read in pages, each in a snapshot of its own, as an export of items does.

mod json_ld;
mod skos;
mod term_table;
mod turtle;

use std::io;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::Stream;

use crate::actions::Refusal;
use crate::actions::view_entity::may_view;
use crate::byte_stream::{Output, made_while_read};
use crate::export::ExportError;
use crate::repository::Repository;
use isolario_blobs::local_copy::write_copy;
use isolario_db::{DbError, Read, Viewer};
use isolario_model::content::{Bundle, Entity, EntityKind};
use isolario_model::policy::Actor;
use json_ld::JsonLdGraph;
use skos::Concept;
use term_table::TermTable;
use turtle::TurtleGraph;

/// Terms that are read in one snapshot.
const PAGE: usize = 500;
/// The field with the terms above a term.
const PARENT: &str = "parent";

/// The format of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VocabularyFormat {
    Csv,
    Turtle,
    JsonLd,
}

/// A term with what the file says of the terms above it.
struct ExportedTerm {
    term: Entity,
    /// UUID and name of each.
    parents: Vec<(String, String)>,
}

/// A vocabulary that is being exported.
pub struct VocabularyExport {
    repository: Arc<Repository>,
    actor: Actor,
    bundle: Arc<Bundle>,
    format: VocabularyFormat,
    /// What the terms of the vocabulary belong to, as an address.
    scheme: String,
}

/// What the terms are written to.
enum TermOutput {
    Table(TermTable),
    Turtle(TurtleGraph),
    JsonLd(JsonLdGraph),
}

impl TermOutput {
    fn begin(format: VocabularyFormat, scheme: &str, bundle: &Bundle) -> io::Result<TermOutput> {
        Ok(match format {
            VocabularyFormat::Csv => TermOutput::Table(TermTable::new(bundle)?),
            VocabularyFormat::Turtle => {
                TermOutput::Turtle(TurtleGraph::new(scheme, &bundle.label)?)
            }
            VocabularyFormat::JsonLd => {
                TermOutput::JsonLd(JsonLdGraph::new(scheme, &bundle.label)?)
            }
        })
    }

    fn add(&mut self, term: &ExportedTerm) -> io::Result<()> {
        match self {
            TermOutput::Table(table) => table.add(term),
            TermOutput::Turtle(graph) => graph.add(&Concept::of(term)),
            TermOutput::JsonLd(graph) => graph.add(&Concept::of(term)),
        }
    }

    fn take(&mut self) -> io::Result<Vec<u8>> {
        match self {
            TermOutput::Table(table) => table.take(),
            TermOutput::Turtle(graph) => Ok(graph.take()),
            TermOutput::JsonLd(graph) => Ok(graph.take()),
        }
    }

    fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            TermOutput::Table(mut table) => table.take(),
            TermOutput::Turtle(graph) => graph.finish(),
            TermOutput::JsonLd(graph) => Ok(graph.finish()),
        }
    }
}

impl VocabularyExport {
    /// Begins an export of the terms that the actor may view; `base` is the address of the repository.
    ///
    /// # Errors
    /// `Missing` for a vocabulary that there is not.
    pub fn begin(
        repository: &Arc<Repository>,
        actor: &Actor,
        vocabulary: &str,
        format: VocabularyFormat,
        base: &str,
    ) -> Result<VocabularyExport, Refusal> {
        let model = repository.model();
        let missing = || Refusal::Missing(format!("There is no vocabulary {vocabulary}."));
        let bundle = model.bundle(EntityKind::Term, vocabulary);
        Ok(VocabularyExport {
            repository: repository.clone(),
            actor: actor.clone(),
            bundle: bundle.ok_or_else(missing)?.clone(),
            format,
            scheme: format!("{base}/taxonomy/term?vocabulary={vocabulary}"),
        })
    }

    /// The bytes of the file. A stream that ends with an error is no whole file.
    pub fn into_stream(self) -> impl Stream<Item = Result<Bytes, ExportError>> + Send + 'static {
        made_while_read(async move |mut output| self.write(&mut output).await)
    }

    /// Writes the file on this machine. It is complete or untouched.
    ///
    /// # Errors
    /// What the export refuses, and what the disk does.
    pub async fn into_file(self, target: &Path) -> io::Result<()> {
        write_copy(target, Box::pin(self.into_stream())).await
    }

    async fn write(self, output: &mut Output) -> Result<(), ExportError> {
        let mut file = TermOutput::begin(self.format, &self.scheme, &self.bundle)?;
        for tids in self.tids().await?.chunks(PAGE) {
            for term in self.page(tids.to_vec()).await? {
                file.add(&term)?;
            }
            output.send(file.take()?).await?;
        }
        Ok(output.send(file.finish()?).await?)
    }

    /// The terms by name.
    async fn tids(&self) -> Result<Vec<i64>, DbError> {
        let (viewer, vocabulary) = (Viewer::of(&self.actor), self.bundle.id.clone());
        let all = self.repository.db.read(move |read| {
            let terms = read.whole_vocabulary(&vocabulary, &viewer)?;
            Ok::<_, DbError>(terms.into_iter().map(|term| term.tid).collect())
        });
        all.await
    }

    async fn page(&self, tids: Vec<i64>) -> Result<Vec<ExportedTerm>, DbError> {
        let actor = self.actor.clone();
        let page = self.repository.db.read(move |read| {
            let mut terms = Vec::with_capacity(tids.len());
            for tid in tids {
                terms.extend(exported(read, &actor, tid)?);
            }
            Ok::<_, DbError>(terms)
        });
        page.await
    }
}

/// A term with the names of those above it, as far as the actor may view them.
fn exported(read: &Read<'_>, actor: &Actor, tid: i64) -> Result<Option<ExportedTerm>, DbError> {
    let Some(term) = visible(read, actor, tid)? else {
        return Ok(None);
    };
    let mut parents = Vec::new();
    for tid in term.references(PARENT) {
        let parent = visible(read, actor, tid)?;
        parents.extend(parent.map(|parent| (parent.uuid.clone(), parent.label().to_owned())));
    }
    Ok(Some(ExportedTerm { term, parents }))
}

fn visible(read: &Read<'_>, actor: &Actor, tid: i64) -> Result<Option<Entity>, DbError> {
    match read.entity(EntityKind::Term, tid)? {
        Some(term) if may_view(read, actor, &term)? => Ok(Some(term)),
        _ => Ok(None),
    }
}

/// The texts of a field under a key.
fn texts<'e>(term: &'e Entity, field: &'e str, key: &'e str) -> impl Iterator<Item = &'e str> {
    let items = term.items(field).iter();
    items.filter_map(move |item| item.get(key)?.as_str())
}
