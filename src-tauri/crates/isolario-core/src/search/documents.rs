//! The documents of items, from one snapshot of the database. The content model says which values are facets.

use super::ancestors::ParentCache;
use super::terms::{TermCache, TermFacts};
use super::text_files::TextSource;
use crate::repository::Repository;
use isolario_db::{DbError, Read, sort_key};
use isolario_model::content::{
    ContentModel, Entity, EntityKind, FieldDefinition, FileRecord, Item, TermRole, field_roles,
    uri_of,
};
use isolario_model::fields::{days_of, field_words};
use isolario_model::policy::Actor;
use isolario_search::{
    EXTRACTED_TEXT, FacetValue, LONGEST_TEXT, LinkedKind, SearchDocument, Source, TITLE, Text,
};

pub use isolario_model::content::facets::{
    COLLECTION, FILE_NAME, FORMAT, MEMBER_OF, PART_OF, STATUS,
};

/// Bytes of a value that is a text.
const LONGEST_VALUE: usize = 250;

/// Makes documents from one snapshot.
pub struct Documents<'r> {
    read: &'r Read<'r>,
    model: &'r ContentModel,
    terms: TermCache,
    parents: ParentCache,
}

/// A document whose long texts are still in files.
pub struct DocumentDraft {
    pub document: SearchDocument,
    pub(super) files: Vec<TextSource>,
}

impl DocumentDraft {
    /// Reads the texts that are still in files.
    pub async fn complete(mut self, repository: &Repository) -> SearchDocument {
        for file in &self.files {
            if let Some(text) = file.read(repository, LONGEST_TEXT).await {
                self.document.add_text(EXTRACTED_TEXT, &text, file.source);
            }
        }
        self.document
    }
}

impl<'r> Documents<'r> {
    /// Of a snapshot.
    pub fn new(read: &'r Read<'r>, model: &'r ContentModel) -> Documents<'r> {
        Documents {
            read,
            model,
            terms: TermCache::default(),
            parents: ParentCache::default(),
        }
    }

    /// The document of a live item.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn whole(&self, nid: i64) -> Result<Option<DocumentDraft>, DbError> {
        let Some(item) = self.read.entity(EntityKind::Node, nid)? else {
            return Ok(None);
        };
        let mut draft = self.draft(&item)?;
        self.add_references(&item, &mut draft, true)?;
        self.add_place(&item, &mut draft)?;
        self.add_media(nid, &mut draft)?;
        Ok(Some(draft))
    }

    /// The document of a live item without the facets of its terms. It has those of its place where this says which of its
    /// texts the actor may read.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn texts(&self, nid: i64, actor: &Actor) -> Result<Option<DocumentDraft>, DbError> {
        let Some(item) = self.read.entity(EntityKind::Node, nid)? else {
            return Ok(None);
        };
        let mut draft = self.draft(&item)?;
        self.add_references(&item, &mut draft, false)?;
        if !actor.in_collections.is_empty() {
            self.add_place(&item, &mut draft)?;
        }
        self.add_media(nid, &mut draft)?;
        Ok(Some(draft))
    }

    fn draft(&self, item: &Entity) -> Result<DocumentDraft, DbError> {
        let mut document = SearchDocument {
            id: item.id,
            published: item.is_published(),
            owner: item.owner(),
            language: self.language(item)?,
            date: date(item),
            title_key: sort_key(item.label()),
            created: item.created(),
            changed: item.changed(),
            ..SearchDocument::default()
        };
        document.add_text(TITLE, item.label(), Source::Item);
        for value in field_words(self.model, item) {
            let name = &value.definition.name;
            document.add_text(name, &value.words, Source::Item);
            if let Some(facet) = &value.definition.facet {
                let end = value.words.floor_char_boundary(LONGEST_VALUE);
                document.add_value(facet, &value.words[..end], None, Source::Item);
            }
        }
        let status = if document.published {
            "published"
        } else {
            "unpublished"
        };
        document.add_value(STATUS, status, None, Source::Item);
        Ok(DocumentDraft {
            document,
            files: Vec::new(),
        })
    }

    /// The code of its first language.
    fn language(&self, item: &Entity) -> Result<Option<String>, DbError> {
        let Some(tid) = item.reference(&field_roles().language) else {
            return Ok(None);
        };
        let term = self.terms.term(self.read, tid)?;
        Ok(term.and_then(|term| term.code.clone()))
    }

    fn add_references(
        &self,
        item: &Entity,
        draft: &mut DocumentDraft,
        with_facets: bool,
    ) -> Result<(), DbError> {
        let bundle = self.model.bundle(item.kind, &item.bundle);
        for definition in bundle.into_iter().flat_map(|bundle| &bundle.fields) {
            if definition.target_kind() != Some(EntityKind::Term) {
                continue;
            }
            for value in item.items(&definition.name) {
                let target = value.get("target_id").and_then(serde_json::Value::as_i64);
                let Some(tid) = target else { continue };
                let Some(term) = self.terms.term(self.read, tid)? else {
                    continue;
                };
                let relator = self.relator(value);
                let words = match relator {
                    Some((_, label)) => format!("{} ({label})", term.names()),
                    None => term.names(),
                };
                let document = &mut draft.document;
                document.add_text(&definition.name, &words, term.source());
                if with_facets {
                    let code = relator.map(|(code, _)| code);
                    add_term_value(document, definition, tid, &term, code);
                }
            }
        }
        Ok(())
    }

    /// What an agent has done: the relator, and its name.
    fn relator<'m>(&'m self, value: &Item) -> Option<(&'m str, &'m str)> {
        let code = value.get("rel_type")?.as_str()?;
        let (code, label) = self.model.relators.get_key_value(code)?;
        Some((code, label))
    }

    fn add_place(&self, item: &Entity, draft: &mut DocumentDraft) -> Result<(), DbError> {
        for above in self.parents.above(self.read, &self.terms, item)? {
            let facet = if above.facts.is_collection {
                COLLECTION
            } else {
                PART_OF
            };
            let (value, title) = (above.nid.to_string(), above.facts.title.clone());
            let label = above.facts.is_collection.then_some(title);
            draft.document.add_value(facet, &value, label, above.source);
        }
        for parent in self.parents.direct(self.read, &self.terms, item)? {
            let value = parent.nid.to_string();
            let document = &mut draft.document;
            document.add_value(MEMBER_OF, &value, None, parent.source);
        }
        Ok(())
    }

    fn add_media(&self, nid: i64, draft: &mut DocumentDraft) -> Result<(), DbError> {
        for media in self.read.media_of(nid)? {
            let source = Source::Linked {
                kind: LinkedKind::Media,
                published: media.is_published(),
                owner: media.owner(),
            };
            let file = self.file_of(&media)?;
            self.add_media_words(&media, file.as_ref(), source, &mut draft.document);
            let uses = self.add_uses(&media, source, &mut draft.document)?;
            let has_use = |role| uses.iter().any(|uri| uri == uri_of(role));
            let Some(file) = file else { continue };
            if has_use(TermRole::OriginalFile) {
                let mime = file.mime.essence();
                draft.document.add_value(FORMAT, mime, None, source);
            }
            let is_text = has_use(TermRole::ExtractedText) || has_use(TermRole::Transcript);
            if is_text && TextSource::is_plain(&file) {
                draft.files.push(TextSource { file, source });
            }
        }
        Ok(())
    }

    fn file_of(&self, media: &Entity) -> Result<Option<FileRecord>, DbError> {
        let bundle = self.model.bundle(EntityKind::Media, &media.bundle);
        let field = bundle.and_then(|bundle| bundle.file_field());
        let fid = field.and_then(|field| media.reference(&field.name));
        Ok(fid.map(|fid| self.read.file(fid)).transpose()?.flatten())
    }

    /// Names of the file, and what somebody has typed of its text.
    fn add_media_words(
        &self,
        media: &Entity,
        file: Option<&FileRecord>,
        source: Source,
        document: &mut SearchDocument,
    ) {
        let roles = field_roles();
        let filename = file.map(|file| file.filename.as_str());
        let original = media.text(&roles.original_name);
        let mut names: Vec<&str> = filename.into_iter().chain(original).collect();
        names.push(media.label());
        names.sort_unstable();
        names.dedup();
        for name in names {
            document.add_text(FILE_NAME, name, source);
        }
        for value in field_words(self.model, media) {
            if value.definition.name == roles.transcription {
                document.add_text(EXTRACTED_TEXT, &value.words, source);
            }
        }
    }

    /// Adds the facets of a media. Returns the URIs of its uses.
    fn add_uses(
        &self,
        media: &Entity,
        source: Source,
        document: &mut SearchDocument,
    ) -> Result<Vec<String>, DbError> {
        let mut uris = Vec::new();
        let bundle = self.model.bundle(EntityKind::Media, &media.bundle);
        for definition in bundle.into_iter().flat_map(|bundle| &bundle.fields) {
            let is_use = definition.name == field_roles().media_use;
            if !is_use && definition.facet.is_none() {
                continue;
            }
            for tid in media.references(&definition.name) {
                let Some(term) = self.terms.term(self.read, tid)? else {
                    continue;
                };
                // Both may be hidden, from different people. So a hidden term is no value of a media.
                if let Some(facet) = definition.facet.as_ref().filter(|_| term.published) {
                    document.add_value(facet, &tid.to_string(), None, source);
                }
                uris.extend(term.uri.clone().filter(|_| is_use));
            }
        }
        Ok(uris)
    }
}

/// The first date by which the item is listed.
fn date(item: &Entity) -> Option<(i64, i64)> {
    let dates = field_roles().listed_dates();
    let mut texts = dates.iter().filter_map(|name| item.text(name));
    days_of(texts.next()?)
}

/// Counts the item under a term; an agent also under what it has done.
fn add_term_value(
    document: &mut SearchDocument,
    definition: &FieldDefinition,
    tid: i64,
    term: &TermFacts,
    relator: Option<&str>,
) {
    let Some(facet) = &definition.facet else {
        return;
    };
    let (value, name) = (tid.to_string(), term.name.clone());
    document.add_value(facet, &value, Some(name), term.source());
    if let Some(relator) = relator {
        document.add_value(&roles_of(facet), relator, None, term.source());
        let facet = by_relator(facet, relator);
        document.add_value(&facet, &value, None, term.source());
    }
}

/// The facet of what agents did: `agent.role`.
pub(super) fn roles_of(facet: &str) -> String {
    format!("{facet}.role")
}

/// The facet of the agents with one relator: `agent.relators.pht`.
pub(super) fn by_relator(facet: &str, relator: &str) -> String {
    format!("{facet}.{}", relator.replace(':', "."))
}

/// Adds to a document.
trait Extend {
    fn add_text(&mut self, field: &str, text: &str, source: Source);
    fn add_value(&mut self, facet: &str, value: &str, label: Option<String>, source: Source);
}

impl Extend for SearchDocument {
    fn add_text(&mut self, field: &str, text: &str, source: Source) {
        if !text.is_empty() {
            self.texts.push(Text {
                field: field.to_owned(),
                text: text.to_owned(),
                source,
            });
        }
    }

    fn add_value(&mut self, facet: &str, value: &str, label: Option<String>, source: Source) {
        if !value.is_empty() {
            self.facets.push(FacetValue {
                facet: facet.to_owned(),
                value: value.to_owned(),
                label,
                source,
            });
        }
    }
}
