//! Concepts in Turtle.

use std::io;

use oxrdf::vocab::rdf;
use oxrdf::{Literal, NamedNode, NamedNodeRef, Term, TripleRef};
use oxttl::TurtleSerializer;
use oxttl::turtle::LowLevelTurtleSerializer;

use super::skos::{Concept, SKOS};

/// The bytes of a graph.
pub(super) struct TurtleGraph {
    serializer: LowLevelTurtleSerializer,
    bytes: Vec<u8>,
    scheme: NamedNode,
}

impl TurtleGraph {
    /// A graph with a concept scheme of that name.
    pub fn new(scheme: &str, label: &str) -> io::Result<TurtleGraph> {
        let serializer = TurtleSerializer::new().with_prefix("skos", SKOS);
        let mut graph = TurtleGraph {
            serializer: serializer.map_err(io::Error::other)?.low_level(),
            bytes: Vec::new(),
            scheme: NamedNode::new(scheme).map_err(io::Error::other)?,
        };
        let scheme = graph.scheme.clone();
        graph.is_a(scheme.as_ref(), "ConceptScheme")?;
        graph.say(scheme.as_ref(), "prefLabel", &text(label))?;
        Ok(graph)
    }

    /// Adds a concept.
    pub fn add(&mut self, concept: &Concept) -> io::Result<()> {
        let id = concept.id.as_ref();
        self.is_a(id, "Concept")?;
        let scheme = Term::from(self.scheme.clone());
        self.say(id, "inScheme", &scheme)?;
        self.say(id, "prefLabel", &text(&concept.label))?;
        for name in &concept.other_labels {
            self.say(id, "altLabel", &text(name))?;
        }
        for words in &concept.definitions {
            self.say(id, "definition", &text(words))?;
        }
        for above in &concept.broader {
            self.say(id, "broader", &above.clone().into())?;
        }
        for address in &concept.matches {
            self.say(id, "exactMatch", &address.clone().into())?;
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
