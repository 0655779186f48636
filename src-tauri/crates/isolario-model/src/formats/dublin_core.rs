//! A node as simple Dublin Core (oai_dc), derived from the RDF properties of its fields.

use serde_json::Value;

use super::jsonld::mapped_fields;
use super::xml::escape;
use crate::content::{Bundle, Entity, EntityKind, FieldDefinition, Item};
use crate::fields::{FieldContext, field_type};

const ELEMENTS: &str = "http://purl.org/dc/elements/1.1/";
const TERMS: &str = "http://purl.org/dc/terms/";
const RELATORS: &str = "http://id.loc.gov/vocabulary/relators/";

/// The elements in their order.
const ORDER: [&str; 15] = [
    "title",
    "creator",
    "contributor",
    "subject",
    "description",
    "publisher",
    "date",
    "type",
    "format",
    "identifier",
    "source",
    "language",
    "relation",
    "coverage",
    "rights",
];

/// Relators whose agents have made the work.
const CREATORS: [&str; 12] = [
    "art", "arc", "aut", "cmp", "cre", "ctg", "drm", "ill", "pht", "pra", "prg", "scl",
];

/// Properties of DCMI Metadata Terms and the elements that they refine.
const REFINEMENTS: [(&str, &str); 39] = [
    ("abstract", "description"),
    ("accessRights", "rights"),
    ("alternative", "title"),
    ("available", "date"),
    ("bibliographicCitation", "identifier"),
    ("conformsTo", "relation"),
    ("created", "date"),
    ("dateAccepted", "date"),
    ("dateCopyrighted", "date"),
    ("dateSubmitted", "date"),
    ("extent", "format"),
    ("hasFormat", "relation"),
    ("hasPart", "relation"),
    ("hasVersion", "relation"),
    ("isFormatOf", "relation"),
    ("isPartOf", "relation"),
    ("isReferencedBy", "relation"),
    ("isReplacedBy", "relation"),
    ("isRequiredBy", "relation"),
    ("issued", "date"),
    ("isVersionOf", "relation"),
    ("license", "rights"),
    ("medium", "format"),
    ("modified", "date"),
    ("provenance", "description"),
    ("references", "relation"),
    ("replaces", "relation"),
    ("requires", "relation"),
    ("rightsHolder", "rights"),
    ("spatial", "coverage"),
    ("tableOfContents", "description"),
    ("temporal", "coverage"),
    ("valid", "date"),
    ("audience", "description"),
    ("educationLevel", "description"),
    ("mediator", "contributor"),
    ("instructionalMethod", "description"),
    ("accrualMethod", "description"),
    ("accrualPolicy", "description"),
];

/// The document. Every field that has a property of Dublin Core says something; agents do by their relator.
pub fn write_entity(entity: &Entity, bundle: &Bundle, context: &dyn FieldContext) -> String {
    let mut values: Vec<(&str, String)> = Vec::new();
    for (definition, predicates) in mapped_fields(entity, bundle) {
        let model = context.model();
        let expanded: Vec<String> = predicates.iter().map(|name| model.expand(name)).collect();
        for item in entity.items(&definition.name) {
            let kind = field_type(&definition.field_type);
            let statements = kind.statements(definition, item, context);
            let has_relator = statements.iter().any(|said| said.predicate.is_some());
            for statement in statements {
                let names = match &statement.predicate {
                    Some(relator) => vec![agent_element(relator)],
                    // The relator says it more exactly.
                    None if has_relator => continue,
                    None => expanded.iter().filter_map(|name| element(name)).collect(),
                };
                let text = text_of(definition, item, &statement.object, context);
                for name in names {
                    let value = (name, text.clone());
                    if !value.1.is_empty() && !values.contains(&value) {
                        values.push(value);
                    }
                }
            }
        }
    }
    values.push(("identifier", format!("urn:uuid:{}", entity.uuid)));
    document(&values)
}

fn document(values: &[(&str, String)]) -> String {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\"\n    xmlns:dc=\"{ELEMENTS}\"\n    xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n    xsi:schemaLocation=\"http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd\">\n"
    );
    for name in ORDER {
        for (_, value) in values.iter().filter(|(of, _)| *of == name) {
            xml.push_str(&format!("  <dc:{name}>{}</dc:{name}>\n", escape(value)));
        }
    }
    xml.push_str("</oai_dc:dc>\n");
    xml
}

/// The element that a property is or refines.
fn element(property: &str) -> Option<&'static str> {
    let known = |name: &str| ORDER.into_iter().find(|element| *element == name);
    if let Some(name) = property.strip_prefix(ELEMENTS) {
        return known(name);
    }
    let name = property.strip_prefix(TERMS)?;
    let refined = REFINEMENTS.iter().find(|(term, _)| *term == name);
    known(name).or(refined.map(|(_, element)| *element))
}

/// The element of an agent with a relator.
fn agent_element(relator: &str) -> &'static str {
    match relator.strip_prefix(RELATORS) {
        Some(code) if CREATORS.contains(&code) => "creator",
        Some("pbl") => "publisher",
        _ => "contributor",
    }
}

/// What people read: of a thing its name where it has one here.
fn text_of(
    definition: &FieldDefinition,
    item: &Item,
    object: &Value,
    context: &dyn FieldContext,
) -> String {
    let stored = item.get("value").and_then(Value::as_str);
    if let (true, Some(stored)) = (object.get("@type").is_some(), stored) {
        // RDF has no uncertain dates; people read them as they were written.
        return stored.to_owned();
    }
    if let Some(literal) = object.get("@value") {
        return match literal {
            Value::String(text) => text.trim().to_owned(),
            other => other.to_string(),
        };
    }
    let kind = definition.target_kind();
    let target = kind.zip(item.get("target_id").and_then(Value::as_i64));
    let named = target
        .filter(|(kind, _)| matches!(kind, EntityKind::Term | EntityKind::Node))
        .and_then(|(kind, id)| context.target(kind, id));
    match named {
        Some(target) => target.label.clone(),
        None => object
            .get("@id")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
    }
}
