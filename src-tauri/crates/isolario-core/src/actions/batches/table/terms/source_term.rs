//! A term as a file says it.

use super::super::problem::{TableProblem, unreadable};
use crate::actions::Refusal;

/// The most terms that a file has.
pub(super) const MOST_TERMS: usize = 100_000;
/// Bytes of all texts that are kept while a file is read.
const MOST_TEXT: usize = 128 << 20;

/// What a file says. What it does not speak of is `None`.
#[derive(Debug, Clone, Default)]
pub(super) struct SourceTerm {
    /// The row of a table, or the number of the concept.
    pub row: u64,
    pub uuid: Option<String>,
    pub name: String,
    pub other_names: Option<Vec<String>>,
    pub description: Option<String>,
    pub parents: Option<Vec<ParentName>>,
    pub addresses: Option<Vec<String>>,
    pub weight: Option<i64>,
    /// The name of the concept in its graph.
    pub concept: Option<String>,
}

/// How a term names one above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ParentName {
    Name(String),
    Uuid(String),
    /// A concept of the same graph, or the address of a term.
    Concept(String),
}

/// The terms of a file.
#[derive(Debug, Default)]
pub(super) struct SourceTerms {
    pub terms: Vec<SourceTerm>,
    pub problems: Vec<TableProblem>,
    /// Whether they are concepts of SKOS. What these do not say stays as it is, and addresses and names are added.
    pub are_concepts: bool,
    text: usize,
}

impl SourceTerms {
    /// Counts a text that is kept.
    ///
    /// # Errors
    /// `Invalid` where there are more than memory is set aside for.
    pub fn keep(&mut self, text: &str) -> Result<String, Refusal> {
        self.text += text.len();
        if self.text > MOST_TEXT {
            return Err(unreadable(format!(
                "The texts of the terms have more than {MOST_TEXT} bytes."
            )));
        }
        Ok(text.to_owned())
    }

    /// Adds a term.
    ///
    /// # Errors
    /// `Invalid` for more than a file may have.
    pub fn add(&mut self, term: SourceTerm) -> Result<(), Refusal> {
        if self.terms.len() >= MOST_TERMS {
            return Err(too_many());
        }
        self.terms.push(term);
        Ok(())
    }
}

/// The refusal of a file with more terms than are imported at once.
pub(super) fn too_many() -> Refusal {
    unreadable(format!("A file has at most {MOST_TERMS} terms."))
}
