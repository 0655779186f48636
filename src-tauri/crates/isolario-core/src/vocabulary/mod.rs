//! The terms of a vocabulary as a file (docs/VOCABULARIES.md): a table in CSV, or SKOS in Turtle.
//!
//! The terms are read in pages, each in a snapshot of its own, as an export of items does.

mod skos;
mod term_table;

use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::Stream;

use crate::actions::Refusal;
use crate::actions::view_entity::may_view;
use crate::byte_stream::{Output, made_while_read};
use crate::export::ExportError;
use crate::repository::Repository;
use isolario_db::{DbError, Read, Viewer};
use isolario_model::content::{Bundle, Entity, EntityKind};
use isolario_model::policy::Actor;
use skos::SkosGraph;
use term_table::TermTable;

/// Terms that are read in one snapshot.
const PAGE: usize = 500;
/// The field with the terms above a term.
const PARENT: &str = "parent";

/// The format of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VocabularyFormat {
    Csv,
    Turtle,
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
    Graph(SkosGraph),
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

    async fn write(self, output: &mut Output) -> Result<(), ExportError> {
        let mut file = match self.format {
            VocabularyFormat::Csv => TermOutput::Table(TermTable::new(&self.bundle)?),
            VocabularyFormat::Turtle => {
                TermOutput::Graph(SkosGraph::new(&self.scheme, &self.bundle.label)?)
            }
        };
        for tids in self.tids().await?.chunks(PAGE) {
            for term in self.page(tids.to_vec()).await? {
                match &mut file {
                    TermOutput::Table(table) => table.add(&term)?,
                    TermOutput::Graph(graph) => graph.add(&term)?,
                }
            }
            let bytes = match &mut file {
                TermOutput::Table(table) => table.take()?,
                TermOutput::Graph(graph) => graph.take(),
            };
            output.send(bytes).await?;
        }
        let rest = match file {
            TermOutput::Table(mut table) => table.take()?,
            TermOutput::Graph(graph) => graph.finish()?,
        };
        Ok(output.send(rest).await?)
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
