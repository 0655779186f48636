//! Concepts in JSON-LD, with the context inside.

use std::io;

use oxrdf::NamedNode;
use serde_json::{Map, Value, json};

use super::skos::{Concept, SKOS};

/// The bytes of a graph.
pub(super) struct JsonLdGraph {
    bytes: Vec<u8>,
    scheme: String,
}

impl JsonLdGraph {
    /// A graph with a concept scheme of that name.
    pub fn new(scheme: &str, label: &str) -> io::Result<JsonLdGraph> {
        let mut graph = JsonLdGraph {
            bytes: Vec::new(),
            scheme: scheme.to_owned(),
        };
        graph.bytes.extend(b"{\"@context\": ");
        serde_json::to_writer(&mut graph.bytes, &context())?;
        graph.bytes.extend(b", \"@graph\": [\n");
        let scheme = json!({ "@id": scheme, "@type": "skos:ConceptScheme", "prefLabel": label });
        serde_json::to_writer(&mut graph.bytes, &scheme)?;
        Ok(graph)
    }

    /// Adds a concept.
    pub fn add(&mut self, concept: &Concept) -> io::Result<()> {
        let ids = |nodes: &[NamedNode]| nodes.iter().map(NamedNode::as_str).collect::<Value>();
        let mut said = Map::from_iter([
            ("@id".to_owned(), json!(concept.id.as_str())),
            ("@type".to_owned(), json!("skos:Concept")),
            ("inScheme".to_owned(), json!(self.scheme)),
            ("prefLabel".to_owned(), json!(concept.label)),
        ]);
        let lists = [
            ("altLabel", json!(concept.other_labels)),
            ("definition", json!(concept.definitions)),
            ("broader", ids(&concept.broader)),
            ("exactMatch", ids(&concept.matches)),
        ];
        let lists = lists.into_iter().filter(|(_, list)| list != &json!([]));
        said.extend(lists.map(|(name, list)| (name.to_owned(), list)));
        self.bytes.extend(b",\n");
        Ok(serde_json::to_writer(&mut self.bytes, &said)?)
    }

    /// Takes the bytes of the concepts that were added since.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// The last bytes.
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.extend(b"\n]}\n");
        self.bytes
    }
}

fn context() -> Value {
    let link = |name: &str| json!({ "@id": format!("skos:{name}"), "@type": "@id" });
    json!({
        "skos": SKOS,
        "prefLabel": "skos:prefLabel",
        "altLabel": "skos:altLabel",
        "definition": "skos:definition",
        "broader": link("broader"),
        "exactMatch": link("exactMatch"),
        "inScheme": link("inScheme"),
    })
}
