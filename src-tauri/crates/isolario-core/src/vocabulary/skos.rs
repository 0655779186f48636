//! Terms as concepts of SKOS (W3C Recommendation 18 August 2009), whatever they are written in.

use oxrdf::NamedNode;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{ExportedTerm, texts};
use isolario_model::content::field_roles;

pub(super) const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";

/// What a graph says of a term.
pub(super) struct Concept {
    pub id: NamedNode,
    pub label: String,
    pub other_labels: Vec<String>,
    pub definitions: Vec<String>,
    pub broader: Vec<NamedNode>,
    pub matches: Vec<NamedNode>,
}

impl Concept {
    /// The concept of a term.
    pub fn of(exported: &ExportedTerm) -> Concept {
        let (term, roles) = (&exported.term, field_roles());
        let owned = |field: &str| {
            texts(term, field, "value")
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let links = [&roles.external_uri, &roles.authority_link].into_iter();
        let addresses = links.flat_map(|field| texts(term, field, "uri"));
        let names = roles.alternative_names.iter();
        Concept {
            id: by_uuid(&term.uuid),
            label: term.label().to_owned(),
            other_labels: names.flat_map(|field| owned(field)).collect(),
            definitions: owned("description"),
            broader: exported
                .parents
                .iter()
                .map(|(uuid, _)| by_uuid(uuid))
                .collect(),
            // What is no address in the sense of RDF, such as one within the repository, says nothing elsewhere.
            matches: addresses
                .filter_map(|address| NamedNode::new(address).ok())
                .collect(),
        }
    }
}

/// What may stand in a URN as it is.
const UUID: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-');

/// A term keeps its UUID in every repository. Clients choose it, so it may be any text.
fn by_uuid(uuid: &str) -> NamedNode {
    let name = utf8_percent_encode(uuid, UUID);
    NamedNode::new_unchecked(format!("urn:uuid:{name}"))
}
