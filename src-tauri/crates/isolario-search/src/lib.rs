//! Full text: finds items by words, facets and dates. This crate holds an index in a directory, and knows nothing of the
//! database: what it is given is found, by whom it may be found is told with each search, and the index can be thrown
//! away and made anew at any time.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod access;
mod analysis;
mod bits;
mod document;
mod error;
mod highlight;
mod index;
pub mod query;
mod search;

pub use access::{Visibilities, VisibleBelow};
pub use analysis::folded;
pub use document::{
    Change, EXTRACTED_TEXT, FacetValue, LONGEST_TEXT, LinkedKind, SearchDocument, Source, TITLE,
    Text,
};
pub use error::{SearchError, Unusable};
pub use highlight::{Highlighter, Mark, Snippet};
pub use index::store::{Rebuild, SearchIndex};
pub use search::{
    Choice, CloseMatch, FacetCounts, FacetRequest, Histogram, Hit, Order, OrderedIds, Page,
    Restriction, Search, SearchResults, SuggestedValue, Suggestions,
};

#[cfg(test)]
mod tests;
