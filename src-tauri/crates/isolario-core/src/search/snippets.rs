//! Where the words of a search stand in the texts of a hit, as far as the actor may view them.

use std::sync::Arc;

use super::documents::{COLLECTION, DocumentDraft, PART_OF};
use super::text_files::TextSource;
use crate::repository::Repository;
use isolario_db::{Db, DbError, Viewer};
use isolario_model::content::EntityKind;
use isolario_model::policy::{Actor, item_visibility, visibility};
use isolario_search::{
    EXTRACTED_TEXT, Highlighter, LinkedKind, Search, Source, Visibilities, VisibleBelow,
};

/// Bytes of a passage, about.
const LENGTH: usize = 240;
/// Bytes of a text of a file in which passages are looked for.
const MOST_BYTES: usize = 2 << 20;
/// Bytes of texts of files that are read for one answer.
const MOST_OF_ANSWER: usize = 32 << 20;
/// Passages of a hit.
const MOST_PASSAGES: usize = 4;
/// Places of a text that are marked.
const MOST_MARKS: usize = 10_000;
/// Spellings of the words that are marked.
const MOST_SPELLINGS: usize = 500;

/// What an actor may search.
///
/// # Errors
/// What the database refuses.
pub fn visibilities(db: &Db, actor: &Actor) -> Result<Visibilities, DbError> {
    let items = item_visibility(actor);
    let mut below = Vec::new();
    for one in items.in_collections.iter() {
        let viewer = Viewer::of(actor);
        let nid = one.collection;
        let places = db.read_here(|read| read.places_around(nid, &viewer))?;
        below.push(VisibleBelow {
            id: nid,
            facets: [COLLECTION, PART_OF].map(str::to_owned).to_vec(),
            items: one.items,
            media: one.media,
            places: Arc::new(places),
        });
    }
    Ok(Visibilities {
        items: items.everywhere,
        media: visibility(actor, EntityKind::Media),
        terms: visibility(actor, EntityKind::Term),
        below,
    })
}

fn may_read(rules: &[Visibilities], source: Source) -> bool {
    let Source::Linked {
        kind,
        published,
        owner,
    } = source
    else {
        return true;
    };
    let allows = |rules: &Visibilities| {
        let rule = match kind {
            LinkedKind::Item => rules.items,
            LinkedKind::Media => rules.media,
            LinkedKind::Term => rules.terms,
        };
        rule.allows(published, owner)
    };
    rules.iter().any(allows)
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

/// How much is read of files for one answer.
pub struct TextBudget(usize);

impl Default for TextBudget {
    fn default() -> TextBudget {
        TextBudget(MOST_OF_ANSWER)
    }
}

impl TextBudget {
    /// The beginning of the text of a file; none where nothing may be read any more.
    async fn read(&mut self, file: &TextSource, repository: &Repository) -> Option<String> {
        let most = self.0.min(MOST_BYTES);
        if most == 0 {
            return None;
        }
        let text = file.read(repository, most).await?;
        self.0 = self.0.saturating_sub(text.len());
        Some(text)
    }
}

/// The passages of a hit, the first of each field. Files are read only where no other text has the words.
pub struct HitPassages {
    found: Vec<Passage>,
    language: Option<String>,
    /// Files in which words may stand, too.
    files: Vec<TextSource>,
}

impl HitPassages {
    /// Of those texts that the actor may read, that stand in the fields where words were found, and in no file.
    pub fn begin(draft: DocumentDraft, search: &Search, fields: &[String]) -> HitPassages {
        let is_asked = |field: &str| fields.iter().any(|one| one == field);
        let DocumentDraft { document, files } = draft;
        let rules = search.visibility.of_item(&document);
        let mut passages = HitPassages {
            found: Vec::new(),
            language: document.language,
            files: Vec::new(),
        };
        for text in &document.texts {
            if is_asked(&text.field) && may_read(&rules, text.source) {
                passages.look(search, &text.field, &text.text);
            }
        }
        let may_read = |file: &TextSource| may_read(&rules, file.source);
        if is_asked(EXTRACTED_TEXT) {
            passages.files = files.into_iter().filter(may_read).collect();
        }
        passages
    }

    /// All, once the files are read, one after the other.
    pub async fn complete(
        mut self,
        repository: &Repository,
        search: &Arc<Search>,
        budget: &mut TextBudget,
    ) -> Vec<Passage> {
        for file in std::mem::take(&mut self.files) {
            if !self.wants(EXTRACTED_TEXT) {
                break;
            }
            let Some(text) = budget.read(&file, repository).await else {
                continue;
            };
            let search = Arc::clone(search);
            let look = move || {
                self.look(&search, EXTRACTED_TEXT, &text);
                self
            };
            match tokio::task::spawn_blocking(look).await {
                Ok(looked) => self = looked,
                Err(_) => return Vec::new(),
            }
        }
        self.found
    }

    /// Whether a passage of a field is missing.
    fn wants(&self, field: &str) -> bool {
        self.found.len() < MOST_PASSAGES && self.found.iter().all(|known| known.field != field)
    }

    fn look(&mut self, search: &Search, field: &str, text: &str) {
        if self.wants(field) {
            let language = self.language.as_deref();
            let highlighter = Highlighter::new(&search.query, field, language, search.with_stems);
            self.found.extend(passage(&highlighter, field, text));
        }
    }
}

fn passage(highlighter: &Highlighter, field: &str, text: &str) -> Option<Passage> {
    let snippet = highlighter.snippet(text, LENGTH)?;
    let mut at = snippet.range.start;
    let mut parts = Vec::new();
    for mark in snippet.marks {
        add(&mut parts, &text[at..mark.start], false);
        add(&mut parts, &text[mark.clone()], true);
        at = mark.end;
    }
    add(&mut parts, &text[at..snippet.range.end], false);
    let has_pages = text.contains('\u{c}');
    Some(Passage {
        field: field.to_owned(),
        page: has_pages.then_some(snippet.page),
        parts,
        is_cut: (
            !text[..snippet.range.start].trim().is_empty(),
            !text[snippet.range.end..].trim().is_empty(),
        ),
    })
}

/// The text of a page of an item that an actor may read: what was transcribed, or read out of a file. Pages are counted
/// from 1; a text without pages is one page.
pub async fn text_of_page(
    draft: DocumentDraft,
    repository: &Repository,
    visibility: &Visibilities,
    page: usize,
) -> Option<String> {
    let DocumentDraft { document, files } = draft;
    let rules = visibility.of_item(&document);
    let page_of = |text: &str| {
        let page = text.split('\u{c}').nth(page.checked_sub(1)?)?.trim();
        (!page.is_empty()).then(|| page.to_owned())
    };
    let texts = document.texts.iter();
    let mut typed =
        texts.filter(|text| text.field == EXTRACTED_TEXT && may_read(&rules, text.source));
    if let Some(text) = typed.find_map(|text| page_of(&text.text)) {
        return Some(text);
    }
    let mut budget = TextBudget::default();
    for file in files
        .into_iter()
        .filter(|file| may_read(&rules, file.source))
    {
        let text = budget.read(&file, repository).await;
        if let Some(text) = text.as_deref().and_then(page_of) {
            return Some(text);
        }
    }
    None
}

/// Where the words of a search stand in the text of the files of an item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextMarks {
    /// The pages with such words, counted from 1, and how many places each has. A text without pages is one page.
    pub pages: Vec<(usize, usize)>,
    /// What stands there, in lower case, each once.
    pub spellings: Vec<String>,
}

impl TextMarks {
    /// In the first text of the files in which words stand. It is what was transcribed, or else files are read, one after
    /// the other.
    pub async fn find(
        draft: DocumentDraft,
        repository: &Repository,
        search: &Arc<Search>,
    ) -> TextMarks {
        let DocumentDraft { document, files } = draft;
        let rules = search.visibility.of_item(&document);
        let may_read = |source| may_read(&rules, source);
        let language = document.language.as_deref();
        let texts = document.texts.into_iter();
        let typed = texts.filter(|text| text.field == EXTRACTED_TEXT && may_read(text.source));
        for text in typed {
            let marks = marks_in(text.text, language, search).await;
            if !marks.pages.is_empty() {
                return marks;
            }
        }
        let mut budget = TextBudget::default();
        for file in files.into_iter().filter(|file| may_read(file.source)) {
            let Some(text) = budget.read(&file, repository).await else {
                continue;
            };
            let marks = marks_in(text, language, search).await;
            if !marks.pages.is_empty() {
                return marks;
            }
        }
        TextMarks::default()
    }

    fn add(&mut self, page: usize, spelling: String) {
        match self.pages.last_mut().filter(|(last, _)| *last == page) {
            Some((_, count)) => *count += 1,
            None => self.pages.push((page, 1)),
        }
        if self.spellings.len() < MOST_SPELLINGS && !self.spellings.contains(&spelling) {
            self.spellings.push(spelling);
        }
    }
}

/// The places of words in a text.
async fn marks_in(text: String, language: Option<&str>, search: &Arc<Search>) -> TextMarks {
    let (language, search) = (language.map(str::to_owned), Arc::clone(search));
    let look = move || {
        let (language, with_stems) = (language.as_deref(), search.with_stems);
        let highlighter = Highlighter::new(&search.query, EXTRACTED_TEXT, language, with_stems);
        let mut marks = TextMarks::default();
        for mark in highlighter.marks(&text, MOST_MARKS) {
            marks.add(mark.page, text[mark.range].to_lowercase());
        }
        marks
    };
    tokio::task::spawn_blocking(look).await.unwrap_or_default()
}

fn add(parts: &mut Vec<PassagePart>, text: &str, is_marked: bool) {
    if !text.is_empty() {
        parts.push(PassagePart {
            text: text.to_owned(),
            is_marked,
        });
    }
}
