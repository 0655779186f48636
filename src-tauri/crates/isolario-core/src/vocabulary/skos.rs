//! Terms as concepts of SKOS, in Turtle.

use std::io;

use oxrdf::vocab::rdf;
use oxrdf::{Literal, NamedNode, NamedNodeRef, Term, TripleRef};
use oxttl::TurtleSerializer;
use oxttl::turtle::LowLevelTurtleSerializer;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{ExportedTerm, texts};
use isolario_model::content::field_roles;

const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";

/// The bytes of a graph.
pub(super) struct SkosGraph {
    serializer: LowLevelTurtleSerializer,
    bytes: Vec<u8>,
    scheme: NamedNode,
}

impl SkosGraph {
    /// A graph with a concept scheme of that name.
    pub fn new(scheme: &str, label: &str) -> io::Result<SkosGraph> {
        let serializer = TurtleSerializer::new().with_prefix("skos", SKOS);
        let mut graph = SkosGraph {
            serializer: serializer.map_err(io::Error::other)?.low_level(),
            bytes: Vec::new(),
            scheme: NamedNode::new(scheme).map_err(io::Error::other)?,
        };
        let scheme = graph.scheme.clone();
        graph.is_a(scheme.as_ref(), "ConceptScheme")?;
        graph.say(scheme.as_ref(), "prefLabel", &text(label))?;
        Ok(graph)
    }

    /// Adds a term.
    pub fn add(&mut self, exported: &ExportedTerm) -> io::Result<()> {
        let (term, roles) = (&exported.term, field_roles());
        let concept = by_uuid(&term.uuid);
        let concept = concept.as_ref();
        self.is_a(concept, "Concept")?;
        let scheme = Term::from(self.scheme.clone());
        self.say(concept, "inScheme", &scheme)?;
        self.say(concept, "prefLabel", &text(term.label()))?;
        for field in &roles.alternative_names {
            for name in texts(term, field, "value") {
                self.say(concept, "altLabel", &text(name))?;
            }
        }
        for words in texts(term, "description", "value") {
            self.say(concept, "definition", &text(words))?;
        }
        for (uuid, _) in &exported.parents {
            self.say(concept, "broader", &by_uuid(uuid).into())?;
        }
        for field in [&roles.external_uri, &roles.authority_link] {
            for address in texts(term, field, "uri") {
                // What is no address in the sense of RDF, such as one within the repository, says nothing elsewhere.
                if let Ok(address) = NamedNode::new(address) {
                    self.say(concept, "exactMatch", &address.into())?;
                }
            }
        }
        Ok(())
    }

    /// Takes the bytes of the terms that were added since.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// The last bytes.
    pub fn finish(mut self) -> io::Result<Vec<u8>> {
        self.serializer.finish(&mut self.bytes)?;
        Ok(self.bytes)
    }

    fn is_a(&mut self, subject: NamedNodeRef<'_>, class: &str) -> io::Result<()> {
        let class = Term::from(NamedNode::new_unchecked(format!("{SKOS}{class}")));
        let triple = TripleRef::new(subject, rdf::TYPE, &class);
        self.serializer.serialize_triple(triple, &mut self.bytes)
    }

    fn say(&mut self, subject: NamedNodeRef<'_>, property: &str, object: &Term) -> io::Result<()> {
        let property = NamedNode::new_unchecked(format!("{SKOS}{property}"));
        let triple = TripleRef::new(subject, &property, object);
        self.serializer.serialize_triple(triple, &mut self.bytes)
    }
}

fn text(words: &str) -> Term {
    Literal::new_simple_literal(words).into()
}

/// What may stand in a URN as it is.
const UUID: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-');

/// A term keeps its UUID in every repository. Clients choose it, so it may be any text.
fn by_uuid(uuid: &str) -> NamedNode {
    let name = utf8_percent_encode(uuid, UUID);
    NamedNode::new_unchecked(format!("urn:uuid:{name}"))
}
