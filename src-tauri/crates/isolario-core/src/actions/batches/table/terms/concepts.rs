//! Collects the concepts of a graph of SKOS (W3C Recommendation 18 August 2009).

use std::collections::HashMap;

use oxrdf::vocab::rdf;
use oxrdf::{NamedNode, NamedOrBlankNode, Term};
use percent_encoding::percent_decode_str;

use super::super::problem::{TableProblem, TableProblemCode, unreadable};
use super::source_term::{MOST_TERMS, ParentName, SourceTerm, SourceTerms, too_many};
use crate::actions::Refusal;

const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
/// How the concepts of terms are named.
const BY_UUID: &str = "urn:uuid:";
/// Bytes of a name and of a text. A short file can say long ones by its prefixes.
const LONGEST_NAME: usize = 2_000;
const LONGEST_TEXT: usize = 1 << 20;

/// The concepts, in the order of the file.
#[derive(Default)]
pub(super) struct ConceptGraph {
    found: SourceTerms,
    concepts: Vec<SourceConcept>,
    places: HashMap<String, usize>,
}

/// What a graph says of something.
#[derive(Default)]
struct SourceConcept {
    id: String,
    is_concept: bool,
    /// Whether it is a scheme or a collection.
    is_other: bool,
    labels: Vec<Label>,
    other_labels: Vec<String>,
    definition: Option<String>,
    note: Option<String>,
    broader: Vec<String>,
    same: Vec<String>,
    /// Properties with an object that they cannot have.
    wrong: Vec<(&'static str, String)>,
}

/// A name in a language.
struct Label {
    language: Option<String>,
    text: String,
}

impl ConceptGraph {
    /// Adds what a triple says, if it says something of a concept.
    ///
    /// # Errors
    /// `Invalid` for more than a file may have.
    pub fn add(
        &mut self,
        subject: &NamedOrBlankNode,
        predicate: &NamedNode,
        object: &Term,
    ) -> Result<(), Refusal> {
        if *predicate == rdf::TYPE {
            return self.add_type(subject, object);
        }
        let Some(property) = predicate.as_str().strip_prefix(SKOS) else {
            return refuse_long(predicate.as_str());
        };
        match property {
            "prefLabel" => self.text(subject, "prefLabel", object, |concept, label| {
                concept.labels.push(label)
            }),
            "altLabel" => self.text(subject, "altLabel", object, |concept, label| {
                concept.other_labels.push(label.text)
            }),
            "definition" => self.text(subject, "definition", object, |concept, label| {
                concept.definition.get_or_insert(label.text);
            }),
            "scopeNote" => self.text(subject, "scopeNote", object, |concept, label| {
                concept.note.get_or_insert(label.text);
            }),
            "broader" => self.link(subject, "broader", object, |concept, id| {
                concept.broader.push(id)
            }),
            "exactMatch" => self.link(subject, "exactMatch", object, |concept, id| {
                concept.same.push(id)
            }),
            "narrower" => {
                let (Some(below), above) = (id_of(object)?, id_of_subject(subject)?) else {
                    return self.wrong(subject, "narrower", object);
                };
                let above = self.found.keep(&above)?;
                self.concept(&below)?.broader.push(above);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn add_type(&mut self, subject: &NamedOrBlankNode, class: &Term) -> Result<(), Refusal> {
        let Term::NamedNode(class) = class else {
            return Ok(());
        };
        refuse_long(class.as_str())?;
        match class.as_str().strip_prefix(SKOS) {
            Some("Concept") => self.concept(&id_of_subject(subject)?)?.is_concept = true,
            Some(_) => self.concept(&id_of_subject(subject)?)?.is_other = true,
            None => {}
        }
        Ok(())
    }

    fn concept(&mut self, id: &str) -> Result<&mut SourceConcept, Refusal> {
        let place = match self.places.get(id) {
            Some(place) => *place,
            None => {
                // What concepts refer to has a place too.
                if self.concepts.len() > 2 * MOST_TERMS {
                    return Err(too_many());
                }
                let place = self.concepts.len();
                self.places.insert(self.found.keep(id)?, place);
                self.concepts.push(SourceConcept {
                    id: self.found.keep(id)?,
                    ..SourceConcept::default()
                });
                place
            }
        };
        Ok(&mut self.concepts[place])
    }

    fn text(
        &mut self,
        subject: &NamedOrBlankNode,
        property: &'static str,
        object: &Term,
        take: impl FnOnce(&mut SourceConcept, Label),
    ) -> Result<(), Refusal> {
        let Term::Literal(literal) = object else {
            return self.wrong(subject, property, object);
        };
        if literal.value().len() > LONGEST_TEXT {
            return Err(unreadable(format!(
                "A text has more than {LONGEST_TEXT} bytes."
            )));
        }
        let label = Label {
            language: literal.language().map(str::to_lowercase),
            text: self.found.keep(literal.value().trim())?,
        };
        take(self.concept(&id_of_subject(subject)?)?, label);
        Ok(())
    }

    fn link(
        &mut self,
        subject: &NamedOrBlankNode,
        property: &'static str,
        object: &Term,
        take: impl FnOnce(&mut SourceConcept, String),
    ) -> Result<(), Refusal> {
        let Some(id) = id_of(object)? else {
            return self.wrong(subject, property, object);
        };
        let id = self.found.keep(&id)?;
        take(self.concept(&id_of_subject(subject)?)?, id);
        Ok(())
    }

    fn wrong(
        &mut self,
        subject: &NamedOrBlankNode,
        property: &'static str,
        object: &Term,
    ) -> Result<(), Refusal> {
        let words: String = object.to_string().chars().take(200).collect();
        let words = self.found.keep(&words)?;
        self.concept(&id_of_subject(subject)?)?
            .wrong
            .push((property, words));
        Ok(())
    }

    /// The terms: everything that is a concept, or has a label and is nothing else.
    ///
    /// # Errors
    /// `Invalid` where there is none, or more than a file may have.
    pub fn into_terms(self) -> Result<SourceTerms, Refusal> {
        let ConceptGraph {
            mut found,
            concepts,
            ..
        } = self;
        found.are_concepts = true;
        let concepts = concepts.into_iter();
        let concepts =
            concepts.filter(|one| one.is_concept || !one.is_other && !one.labels.is_empty());
        for (row, concept) in (1..).zip(concepts) {
            let term = concept.into_term(row, &mut found.problems);
            found.add(term)?;
        }
        match found.terms.is_empty() {
            true => Err(unreadable("The file has no concept of SKOS.")),
            false => Ok(found),
        }
    }
}

impl SourceConcept {
    fn into_term(mut self, row: u64, problems: &mut Vec<TableProblem>) -> SourceTerm {
        let name = self.take_name();
        for (property, object) in &self.wrong {
            let reason = TableProblemCode::NotOfConcept.of(named(&name, &self.id));
            problems.push(TableProblem::of_cell(row, property, object, reason));
        }
        if name.is_empty() {
            let reason = TableProblemCode::NamelessConcept.of(&self.id);
            problems.push(TableProblem::of_cell(row, "prefLabel", "", reason));
        }
        let uuid = uuid_of(&self.id);
        let is_address = self.id.starts_with("http://") || self.id.starts_with("https://");
        let own = is_address.then(|| self.id.clone());
        let mut addresses: Vec<String> = own.into_iter().chain(self.same).collect();
        let mut known = std::collections::HashSet::new();
        addresses.retain(|address| known.insert(address.clone()));
        let mut names: Vec<String> = self.labels.into_iter().map(|label| label.text).collect();
        names.extend(self.other_labels);
        names.retain(|other| *other != name && !other.is_empty());
        let broader: Vec<_> = self.broader.into_iter().map(ParentName::Concept).collect();
        SourceTerm {
            row,
            uuid,
            name,
            other_names: Some(names).filter(|names| !names.is_empty()),
            description: self.definition.or(self.note),
            parents: Some(broader).filter(|broader| !broader.is_empty()),
            addresses: Some(addresses).filter(|addresses| !addresses.is_empty()),
            weight: None,
            concept: Some(self.id),
        }
    }

    /// The label without a language, or else in English, or else the first one. The others are other names.
    fn take_name(&mut self) -> String {
        let in_language = |wanted: Option<&str>| {
            let mut labels = self.labels.iter();
            labels.position(|label| label.language.as_deref() == wanted)
        };
        let place = in_language(None).or_else(|| in_language(Some("en")));
        match self.labels.is_empty() {
            true => String::new(),
            false => self.labels.remove(place.unwrap_or(0)).text,
        }
    }
}

/// The UUID of a term that its concept is named after.
pub(super) fn uuid_of(id: &str) -> Option<String> {
    let encoded = id.strip_prefix(BY_UUID)?;
    Some(percent_decode_str(encoded).decode_utf8_lossy().into_owned())
}

fn named(name: &str, id: &str) -> String {
    match name {
        "" => id.to_owned(),
        name => format!("“{name}”"),
    }
}

fn id_of_subject(subject: &NamedOrBlankNode) -> Result<String, Refusal> {
    match subject {
        NamedOrBlankNode::NamedNode(node) => {
            refuse_long(node.as_str()).map(|()| node.as_str().to_owned())
        }
        NamedOrBlankNode::BlankNode(node) => Ok(node.to_string()),
    }
}

/// The name of a node; `None` for a text.
fn id_of(object: &Term) -> Result<Option<String>, Refusal> {
    Ok(match object {
        Term::NamedNode(node) => {
            refuse_long(node.as_str())?;
            Some(node.as_str().to_owned())
        }
        Term::BlankNode(node) => Some(node.to_string()),
        _ => None,
    })
}

fn refuse_long(name: &str) -> Result<(), Refusal> {
    match name.len() > LONGEST_NAME {
        true => Err(unreadable(format!(
            "An address has more than {LONGEST_NAME} bytes."
        ))),
        false => Ok(()),
    }
}
