//! Where the words of a search stand in the texts of a hit, as far as the actor may view them.

use super::documents::DocumentDraft;
use crate::repository::Repository;
use isolario_model::content::EntityKind;
use isolario_model::policy::{Actor, visibility};
use isolario_search::query::Query;
use isolario_search::{Highlighter, LinkedKind, SearchDocument, Source, Visibilities};

/// Bytes of a passage, about.
const LENGTH: usize = 240;
/// Bytes of a text of a file in which passages are looked for.
const MOST_BYTES: usize = 2 << 20;
/// Passages of a hit.
const MOST_PASSAGES: usize = 4;

/// What an actor may search.
pub fn visibilities(actor: &Actor) -> Visibilities {
    Visibilities {
        items: visibility(actor, EntityKind::Node),
        media: visibility(actor, EntityKind::Media),
        terms: visibility(actor, EntityKind::Term),
    }
}

fn may_read(visibilities: Visibilities, source: Source) -> bool {
    let Source::Linked {
        kind,
        published,
        owner,
    } = source
    else {
        return true;
    };
    let visibility = match kind {
        LinkedKind::Item => visibilities.items,
        LinkedKind::Media => visibilities.media,
        LinkedKind::Term => visibilities.terms,
    };
    visibility.allows(published, owner)
}

/// A part of a text in which words of the search stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The name of the field.
    pub field: String,
    /// The page of the file, counted from 1, if its text has pages.
    pub page: Option<usize>,
    pub parts: Vec<PassagePart>,
    /// Whether there is text before and after.
    pub is_cut: (bool, bool),
}

/// A part of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassagePart {
    pub text: String,
    pub is_marked: bool,
}

/// The texts of a hit that the actor may read.
pub struct HitTexts {
    document: SearchDocument,
}

impl HitTexts {
    /// Reads those texts that stand in the fields where words were found.
    pub async fn read(
        mut draft: DocumentDraft,
        repository: &Repository,
        visibilities: Visibilities,
        fields: &[String],
    ) -> HitTexts {
        let is_asked = |field: &str| fields.iter().any(|one| one == field);
        let texts = &mut draft.document.texts;
        texts.retain(|text| is_asked(&text.field) && may_read(visibilities, text.source));
        let files = is_asked(isolario_search::EXTRACTED_TEXT);
        draft.retain_files(|source| files && may_read(visibilities, source));
        HitTexts {
            document: draft.complete(repository, MOST_BYTES).await,
        }
    }
}

/// The passages of a hit, the first of each field.
pub fn passages(texts: &HitTexts, query: &Query, with_stems: bool) -> Vec<Passage> {
    let language = texts.document.language.as_deref();
    let mut passages: Vec<Passage> = Vec::new();
    for text in &texts.document.texts {
        let is_known = passages.iter().any(|known| known.field == text.field);
        if is_known || passages.len() == MOST_PASSAGES {
            continue;
        }
        let highlighter = Highlighter::new(query, &text.field, language, with_stems);
        let Some(snippet) = highlighter.snippet(&text.text, LENGTH) else {
            continue;
        };
        let mut at = snippet.range.start;
        let mut parts = Vec::new();
        for mark in snippet.marks {
            add(&mut parts, &text.text[at..mark.start], false);
            add(&mut parts, &text.text[mark.clone()], true);
            at = mark.end;
        }
        add(&mut parts, &text.text[at..snippet.range.end], false);
        let has_pages = text.text.contains('\u{c}');
        passages.push(Passage {
            field: text.field.clone(),
            page: has_pages.then_some(snippet.page),
            parts,
            is_cut: (
                !text.text[..snippet.range.start].trim().is_empty(),
                !text.text[snippet.range.end..].trim().is_empty(),
            ),
        });
    }
    passages
}

fn add(parts: &mut Vec<PassagePart>, text: &str, is_marked: bool) {
    if !text.is_empty() {
        parts.push(PassagePart {
            text: text.to_owned(),
            is_marked,
        });
    }
}
