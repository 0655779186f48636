//! Crosswalks: how an item is written as a record of a metadata format. The rules are data (`assets/crosswalk.json`,
//! docs/HARVESTING.md): they say which values go where, by the RDF properties of fields. So a field with a property is in
//! every record at once.

mod facts;
mod json_record;
mod template;
mod xml_record;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use serde_json::Value;

use self::facts::{Fact, facts_of};
pub use self::facts::{FieldText, FieldTexts, field_texts};
use self::template::{Placeholders, check_template};
use crate::content::{Bundle, Entity};
use crate::fields::FieldContext;

const FINDING_AID: &str = include_str!("../../../../../../assets/finding-aid.json");
static PARTS_OF_FINDING_AIDS: LazyLock<Option<RecordFormat>> =
    LazyLock::new(|| serde_json::from_str(FINDING_AID).ok());

const SHIPPED: &str = include_str!("../../../../../../assets/crosswalk.json");
static DEFAULT: LazyLock<Crosswalk> = LazyLock::new(|| {
    // A unit test reads the same text.
    Crosswalk(Arc::new(read_formats(SHIPPED).unwrap_or_default()))
});

/// The formats in which items are written, by name. Those of a repository are added to the shipped ones, or replace them.
#[derive(Debug, Clone)]
pub struct Crosswalk(Arc<BTreeMap<String, Arc<RecordFormat>>>);

/// A metadata format and the rules by which an item is written in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordFormat {
    /// The element around the record, with its prefix. A format of JSON has none.
    #[serde(default)]
    root: Option<String>,
    /// Namespaces by prefix; that of the empty prefix is the default.
    #[serde(default)]
    namespaces: BTreeMap<String, String>,
    /// Namespace of the format, as OAI-PMH lists it.
    #[serde(default)]
    pub namespace: String,
    /// Address of the XML schema.
    #[serde(default)]
    pub schema: String,
    /// `@context` of a record in JSON.
    #[serde(default)]
    context: Option<String>,
    rules: Vec<CrosswalkRule>,
}

/// Writes each value of some sources.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CrosswalkRule {
    /// RDF properties (`dcterms:title`), relators (`relators:aut`, `relators:*` for all), or facts of the item
    /// (`uuid`, `address`, `model`, `repository`). Without one, the rule writes its template once.
    #[serde(default)]
    from: Vec<String>,
    /// Relators that another rule writes.
    #[serde(default)]
    except: Vec<String>,
    /// Only the first value that can be written.
    #[serde(default)]
    first: bool,
    /// The rule is for records in which nothing of this name was written before.
    #[serde(default)]
    unless: Option<String>,
    /// The name of what is around all that rules write into it.
    #[serde(default)]
    into: Option<String>,
    /// Words for values of placeholders; `*` for all others.
    #[serde(default)]
    map: BTreeMap<String, BTreeMap<String, String>>,
    write: Value,
}

/// Why a crosswalk cannot be used, in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CrosswalkError(String);

/// What a record says besides the item itself.
pub struct RecordContext<'a> {
    pub fields: &'a dyn FieldContext,
    /// Name of the repository.
    pub repository: &'a str,
}

impl Default for Crosswalk {
    fn default() -> Crosswalk {
        DEFAULT.clone()
    }
}

impl Crosswalk {
    /// The shipped formats, and those of a file.
    ///
    /// # Errors
    /// `CrosswalkError` names the place and what is wrong.
    pub fn with(text: &str) -> Result<Crosswalk, CrosswalkError> {
        let mut formats = (*DEFAULT.0).clone();
        formats.extend(read_formats(text)?);
        Ok(Crosswalk(Arc::new(formats)))
    }

    /// A format by its name.
    #[must_use]
    pub fn format(&self, name: &str) -> Option<&RecordFormat> {
        self.0.get(name).map(Arc::as_ref)
    }

    /// All formats, by name.
    pub fn formats(&self) -> impl Iterator<Item = (&str, &RecordFormat)> {
        let formats = self.0.iter();
        formats.map(|(name, format)| (name.as_str(), format.as_ref()))
    }

    /// The formats in XML, by name.
    pub fn xml_formats(&self) -> impl Iterator<Item = (&str, &RecordFormat)> {
        self.formats().filter(|(_, format)| format.is_xml())
    }
}

/// An item as a component of a finding aid (EAD 3): what stands in its `c` or `archdesc`.
#[must_use]
pub fn component_of_finding_aid(
    item: &Entity,
    bundle: &Bundle,
    context: &RecordContext<'_>,
) -> String {
    // A unit test reads the same text.
    let format = PARTS_OF_FINDING_AIDS.as_ref();
    format.map_or_else(String::new, |format| format.elements(item, bundle, context))
}

fn read_formats(text: &str) -> Result<BTreeMap<String, Arc<RecordFormat>>, CrosswalkError> {
    let formats: BTreeMap<String, Arc<RecordFormat>> =
        serde_json::from_str(text).map_err(|error| CrosswalkError(error.to_string()))?;
    for (name, format) in &formats {
        let wrong = |words: String| CrosswalkError(format!("format {name}: {words}"));
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(wrong("a name has letters, digits, _, - and .".into()));
        }
        format.check().map_err(wrong)?;
    }
    Ok(formats)
}

impl RecordFormat {
    /// Whether records are XML; otherwise they are JSON.
    #[must_use]
    pub fn is_xml(&self) -> bool {
        self.root.is_some()
    }

    /// The media type of a record.
    #[must_use]
    pub fn mime(&self) -> &'static str {
        match self.is_xml() {
            true => "application/xml",
            false => "application/ld+json",
        }
    }

    /// An item as a document of the format.
    #[must_use]
    pub fn document(&self, item: &Entity, bundle: &Bundle, context: &RecordContext<'_>) -> String {
        match self.is_xml() {
            true => {
                let record = self.record(item, bundle, context);
                format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{record}")
            }
            false => json_record::write(self, &self.parts(item, bundle, context)),
        }
    }

    /// An item as an XML element of the format, without a declaration.
    #[must_use]
    pub fn record(&self, item: &Entity, bundle: &Bundle, context: &RecordContext<'_>) -> String {
        xml_record::write(self, &self.parts(item, bundle, context))
    }

    /// What is in an XML element of the format: the record without its first and its last tag.
    #[must_use]
    pub fn elements(&self, item: &Entity, bundle: &Bundle, context: &RecordContext<'_>) -> String {
        xml_record::write_parts(&self.parts(item, bundle, context))
    }

    /// What the rules write of an item, in their order.
    fn parts<'f>(
        &'f self,
        item: &Entity,
        bundle: &Bundle,
        context: &RecordContext<'_>,
    ) -> Vec<RecordPart<'f>> {
        let facts = facts_of(item, bundle, context);
        let mut all: Vec<RecordPart<'f>> = Vec::new();
        for rule in &self.rules {
            let has = |name: &str| all.iter().any(|written| written.is_named(name));
            if rule.unless.as_deref().is_some_and(has) {
                continue;
            }
            for value in rule.values(&facts, context) {
                let written = RecordPart {
                    into: rule.into.as_deref(),
                    value,
                };
                if !all.contains(&written) {
                    all.push(written);
                }
            }
        }
        all
    }

    fn check(&self) -> Result<(), String> {
        let root = self.root.as_deref();
        let prefixes = root.map(|_| &self.namespaces);
        if let Some(root) = root {
            xml_record::check_name(root, &self.namespaces)?;
            let reserved = ["xml", "xmlns", "xsi"];
            if let Some(name) = reserved
                .iter()
                .find(|name| self.namespaces.contains_key(**name))
            {
                return Err(format!("the prefix {name} is known and cannot be another"));
            }
            let addresses = self.namespaces.values();
            if addresses.chain([&self.namespace]).any(String::is_empty) {
                return Err("a namespace is empty".into());
            }
        }
        for (number, rule) in (1..).zip(&self.rules) {
            let wrong = |words: String| format!("rule {number}: {words}");
            if !rule.write.is_object() {
                return Err(wrong("\"write\" must be an object".into()));
            }
            if let (Some(into), Some(prefixes)) = (&rule.into, prefixes) {
                xml_record::check_name(into, prefixes).map_err(wrong)?;
            }
            check_template(&rule.write, prefixes, 0).map_err(wrong)?;
        }
        Ok(())
    }
}

/// What a rule has written of one value.
#[derive(Debug, PartialEq)]
struct RecordPart<'f> {
    into: Option<&'f str>,
    /// An object.
    value: Value,
}

impl RecordPart<'_> {
    fn is_named(&self, name: &str) -> bool {
        self.into == Some(name) || self.value.get(name).is_some()
    }
}

impl CrosswalkRule {
    fn values(&self, facts: &[Fact], context: &RecordContext<'_>) -> Vec<Value> {
        if self.from.is_empty() {
            return Placeholders::default()
                .fill(&self.write)
                .into_iter()
                .collect();
        }
        let model = context.fields.model();
        let expand = |names: &[String]| -> Vec<String> {
            names.iter().map(|name| model.expand(name)).collect()
        };
        let (from, except) = (expand(&self.from), expand(&self.except));
        let all = from.iter().flat_map(|source| {
            let of_source = facts.iter().filter(move |fact| fact.is_of(source));
            of_source.filter(|fact| !except.iter().any(|source| fact.is_of(source)))
        });
        let values = all.filter_map(|fact| Placeholders::of(fact, &self.map).fill(&self.write));
        match self.first {
            true => values.take(1).collect(),
            false => values.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Crosswalk;

    #[test]
    fn the_shipped_crosswalk_is_right() {
        super::read_formats(super::SHIPPED).expect("assets/crosswalk.json");
        let format = super::PARTS_OF_FINDING_AIDS.as_ref();
        let format = format.expect("assets/finding-aid.json");
        format.check().expect("assets/finding-aid.json");
        let crosswalk = Crosswalk::default();
        let names: Vec<&str> = crosswalk.xml_formats().map(|(name, _)| name).collect();
        assert_eq!(names, ["datacite", "mods", "oai_dc"]);
        assert!(!crosswalk.format("schema_org").expect("JSON").is_xml());
    }

    #[test]
    fn a_crosswalk_that_makes_no_sense_is_refused_in_words() {
        let wrong = |rule: &str| {
            let text = format!(
                r#"{{"own": {{"root": "o:record", "namespaces": {{"o": "urn:own"}}, "namespace": "urn:own", "rules": [{rule}]}}}}"#
            );
            Crosswalk::with(&text).expect_err(rule).to_string()
        };
        let said = wrong(r#"{"write": {"o:a b": "{text}"}}"#);
        assert_eq!(
            said,
            "format own: rule 1: `o:a b` is no name of an XML element"
        );
        let said = wrong(r#"{"write": {"p:a": "{text}"}}"#);
        assert_eq!(said, "format own: rule 1: `p:a` has an unknown prefix");
        let said = wrong(r#"{"write": {"o:a": "{words}"}}"#);
        assert!(said.contains("{words}"), "{said}");
        let said = wrong(r#"{"write": "text"}"#);
        assert!(said.contains("must be an object"), "{said}");
        assert!(wrong(r#"{"writes": {}}"#).contains("unknown field"));
    }
}
