//! From a text to what is found: words without case and diacritics, where they stand, and their stems. The index, the
//! query and the highlighter read every text by these rules, so they agree.

pub mod fold;
mod language;
mod units;

pub use fold::{fold, folded};
pub use language::{Language, Stems};
pub use units::{Unit, Units};
