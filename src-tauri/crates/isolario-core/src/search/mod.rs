//! Searches of the repository: an index beside the database, made of what the database says and fed by its events. The
//! index holds no data of its own. Whatever is wrong with it, it is thrown away and made anew.

mod affected;
mod ancestors;
mod documents;
mod feed;
mod names;
mod place;
mod rebuild;
mod snippets;
mod terms;
mod text_files;
mod typed;

pub(crate) use affected::AffectedItems;
pub(crate) use ancestors::{ParentCache, ParentFacts};
pub use documents::{
    COLLECTION, DocumentDraft, Documents, FILE_NAME, FORMAT, MEMBER_OF, PART_OF, STATUS,
};
pub(crate) use terms::TermCache;

pub use feed::run;
pub use names::{FacetValues, SearchNames};
pub use place::forget;
pub use rebuild::reindex;
pub use snippets::{
    HitPassages, Passage, PassagePart, TextBudget, TextMarks, text_of_page, visibilities,
};
pub use typed::typed_search;
