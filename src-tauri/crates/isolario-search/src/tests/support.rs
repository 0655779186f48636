//! Small documents, and an index of them in a directory of its own.

use crate::query::{FieldNames, Query};
use crate::{
    Change, FacetValue, LinkedKind, Rebuild, Search, SearchDocument, SearchIndex, SearchResults,
    Source, TITLE, Text, Visibilities,
};
use isolario_model::policy::Visibility;
use tempfile::TempDir;

/// Anybody.
pub const ANONYMOUS: Visibilities = Visibilities {
    items: Visibility::Published,
    media: Visibility::Published,
    terms: Visibility::Published,
    below: Vec::new(),
};

/// Who sees what is their own beside what is published.
pub const fn owner(uid: i64) -> Visibilities {
    Visibilities {
        items: Visibility::PublishedOrOwnedBy(uid),
        media: Visibility::PublishedOrOwnedBy(uid),
        terms: Visibility::Published,
        below: Vec::new(),
    }
}

/// A published item with a title.
pub fn item(id: i64, title: &str) -> SearchDocument {
    SearchDocument {
        id,
        published: true,
        owner: 1,
        title_key: title.to_lowercase(),
        ..SearchDocument::default()
    }
    .with(TITLE, title)
}

/// A text or value of something that is linked.
pub fn linked(kind: LinkedKind, published: bool, owner: i64) -> Source {
    Source::Linked {
        kind,
        published,
        owner,
    }
}

/// Adds to a document.
pub trait With: Sized {
    /// A text of the item itself.
    fn with(self, field: &str, text: &str) -> Self {
        self.with_text(field, text, Source::Item)
    }

    /// A text.
    fn with_text(self, field: &str, text: &str, source: Source) -> Self;

    /// A value with a name, or with none if it is empty.
    fn with_value(self, facet: &str, value: &str, label: &str, source: Source) -> Self;

    /// The code of a language.
    fn in_language(self, code: &str) -> Self;

    /// Nobody but the owner and those who see everything.
    fn hidden(self, owner: i64) -> Self;
}

impl With for SearchDocument {
    fn with_text(mut self, field: &str, text: &str, source: Source) -> Self {
        self.texts.push(Text {
            field: field.to_owned(),
            text: text.to_owned(),
            source,
        });
        self
    }

    fn with_value(mut self, facet: &str, value: &str, label: &str, source: Source) -> Self {
        self.facets.push(FacetValue {
            facet: facet.to_owned(),
            value: value.to_owned(),
            label: (!label.is_empty()).then(|| label.to_owned()),
            source,
        });
        self
    }

    fn in_language(mut self, code: &str) -> Self {
        self.language = Some(code.to_owned());
        self
    }

    fn hidden(mut self, owner: i64) -> Self {
        (self.published, self.owner) = (false, owner);
        self
    }
}

/// An index that is removed with its directory.
pub struct Indexed {
    pub index: SearchIndex,
    pub directory: TempDir,
}

/// Makes an index of some documents.
pub fn index(documents: &[SearchDocument]) -> Indexed {
    let directory = tempfile::tempdir().unwrap();
    let mut rebuild = Rebuild::start(directory.path()).unwrap();
    documents
        .iter()
        .for_each(|document| rebuild.add(document).unwrap());
    Indexed {
        index: rebuild.finish(1).unwrap(),
        directory,
    }
}

/// The change that makes an item be as a document says.
pub fn put(document: SearchDocument) -> Change {
    Change::Put(Box::new(document))
}

/// The names of fields that queries know.
pub fn names() -> FieldNames {
    let mut names = FieldNames::default();
    names.add("title", &["Titel"], &[TITLE]);
    names.add("subject", &["Thema"], &["field_subject"]);
    names.add("file", &["Datei"], &["file_name"]);
    names.add("text", &[], &["text"]);
    names.add_dates("date", &["Datum"]);
    names
}

/// A search for what somebody typed.
pub fn typed(text: &str, visibility: Visibilities) -> Search {
    Search::new(Query::parse(text, &names()), visibility)
}

impl Indexed {
    /// What is found.
    pub fn results(&self, search: &Search) -> SearchResults {
        self.index.search(search).unwrap()
    }

    /// The ids that somebody finds by a query, in their order.
    pub fn found(&self, text: &str, visibility: Visibilities) -> Vec<i64> {
        let mut found = ids(&self.results(&typed(text, visibility)));
        found.sort_unstable();
        found
    }
}

/// The ids of the hits.
pub fn ids(results: &SearchResults) -> Vec<i64> {
    results.hits.iter().map(|hit| hit.id).collect()
}
