//! Reads terms from SKOS in Turtle or JSON-LD.

use std::fs::File;
use std::io::{BufReader, Read};

use oxjsonld::{JsonLdParser, JsonLdSyntaxError};
use oxrdf::{Quad, Triple};
use oxttl::TurtleParser;

use super::super::problem::unreadable;
use super::concepts::ConceptGraph;
use super::source_term::SourceTerms;
use crate::actions::Refusal;

/// What relative addresses of a file are completed with. They stay names of its own.
const BASE: &str = "urn:file:";
const ELSEWHERE: &str = "Its context lies at another address. Write the context into the file.";

/// The terms of a file in Turtle.
///
/// # Errors
/// `Invalid` for what is no Turtle, or has more than a file may have.
pub(super) fn terms_of_turtle(file: File) -> Result<SourceTerms, Refusal> {
    let parser = TurtleParser::new().with_base_iri(BASE).map_err(broken)?;
    let mut graph = ConceptGraph::default();
    for triple in parser.for_reader(BufReader::new(file)) {
        let Triple {
            subject,
            predicate,
            object,
        } = triple.map_err(broken)?;
        graph.add(&subject, &predicate, &object)?;
    }
    graph.into_terms()
}

/// The terms of a file in JSON-LD. Contexts are not loaded from anywhere.
///
/// # Errors
/// `Invalid` for what is no JSON-LD, has more than a file may have, or names a context.
pub(super) fn terms_of_json_ld(file: File) -> Result<SourceTerms, Refusal> {
    let parser = JsonLdParser::new().with_base_iri(BASE).map_err(broken)?;
    let parser = parser
        .for_reader(BufReader::new(file).take(u64::MAX))
        .with_load_document_callback(|_, _| Err(ELSEWHERE.into()));
    let mut graph = ConceptGraph::default();
    for quad in parser {
        let Quad {
            subject,
            predicate,
            object,
            ..
        } = quad.map_err(|error| match error {
            oxjsonld::JsonLdParseError::Syntax(error) => of_syntax(&error),
            oxjsonld::JsonLdParseError::Io(error) => broken(error),
        })?;
        graph.add(&subject, &predicate, &object)?;
    }
    graph.into_terms()
}

fn of_syntax(error: &JsonLdSyntaxError) -> Refusal {
    let words = error.to_string();
    match words.contains(ELSEWHERE) {
        true => unreadable(ELSEWHERE),
        false => broken(words),
    }
}

fn broken(error: impl std::fmt::Display) -> Refusal {
    let words: String = error.to_string().chars().take(300).collect();
    unreadable(format!("The file cannot be read: {words}."))
}
