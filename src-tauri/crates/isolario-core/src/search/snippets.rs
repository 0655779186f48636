//! Where the words of a search stand in the texts of a hit, as far as the actor may view them.

use super::documents::DocumentDraft;
use crate::repository::Repository;
use isolario_model::content::EntityKind;
use isolario_model::policy::{Actor, visibility};
use isolario_search::query::Query;
use isolario_search::{
    EXTRACTED_TEXT, Highlighter, LinkedKind, SearchDocument, Source, Visibilities,
};

/// Bytes of a passage, about.
const LENGTH: usize = 240;
/// Bytes of a text of a file in which passages are looked for.
const MOST_BYTES: usize = 2 << 20;
/// Passages of a hit.
const MOST_PASSAGES: usize = 4;
/// Places of a text that are marked.
const MOST_MARKS: usize = 10_000;
/// Spellings of the words that are marked.
const MOST_SPELLINGS: usize = 500;

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
        let files = is_asked(EXTRACTED_TEXT);
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

/// Where the words of a search stand in the text of the files of an item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextMarks {
    /// The pages with such words, counted from 1, and how many places each has. A text without pages is one page.
    pub pages: Vec<(usize, usize)>,
    /// What stands there, in lower case, each once.
    pub spellings: Vec<String>,
}

/// The places of words in the first text of the files in which they stand.
pub fn text_marks(texts: &HitTexts, query: &Query, with_stems: bool) -> TextMarks {
    let language = texts.document.language.as_deref();
    let highlighter = Highlighter::new(query, EXTRACTED_TEXT, language, with_stems);
    let of_files = texts.document.texts.iter();
    let of_files = of_files.filter(|text| text.field == EXTRACTED_TEXT);
    let mut marks = TextMarks::default();
    for text in of_files {
        for mark in highlighter.marks(&text.text, MOST_MARKS) {
            match marks
                .pages
                .last_mut()
                .filter(|(page, _)| *page == mark.page)
            {
                Some((_, count)) => *count += 1,
                None => marks.pages.push((mark.page, 1)),
            }
            let spelling = text.text[mark.range].to_lowercase();
            if marks.spellings.len() < MOST_SPELLINGS && !marks.spellings.contains(&spelling) {
                marks.spellings.push(spelling);
            }
        }
        if !marks.pages.is_empty() {
            break;
        }
    }
    marks
}

fn add(parts: &mut Vec<PassagePart>, text: &str, is_marked: bool) {
    if !text.is_empty() {
        parts.push(PassagePart {
            text: text.to_owned(),
            is_marked,
        });
    }
}
