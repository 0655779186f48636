//! Terms of a vocabulary from a file (docs/VOCABULARIES.md): a table, or SKOS in Turtle or JSON-LD. The whole file is
//! read and compared with the vocabulary; then its terms are made and changed as the rows of a table of items are.

mod addresses;
mod begin;
mod carry_out;
mod check;
mod concepts;
mod from_graph;
mod from_rows;
mod matching;
mod order;
mod planned;
mod source_term;
mod term_file;

pub use begin::{PlannedTerms, begin_terms};
pub(super) use carry_out::{TermOutcome, TermRows};
pub use check::{ChangedTerm, TermCheck, check_terms};
pub use term_file::{TermFile, read_term_file, receive_terms};
