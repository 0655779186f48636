//! The names by which people search: fields, and facets with the kind of their values.

use super::documents::{COLLECTION, FILE_NAME, FORMAT, PART_OF, STATUS, by_relator};
use isolario_model::content::{ContentModel, EntityKind, FieldDefinition, field_roles};
use isolario_search::query::FieldNames;
use isolario_search::{EXTRACTED_TEXT, TITLE};

/// A facet that items of this content model can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facet {
    /// The name, also in the index.
    pub name: String,
    pub values: FacetValues,
}

/// What stands for the values of a facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FacetValues {
    /// Ids of resources.
    Ids(EntityKind),
    /// The values themselves.
    Words,
}

/// All facets, those of the content model first, in the order of the form.
pub fn facets(model: &ContentModel) -> Vec<Facet> {
    let mut facets = vec![Facet {
        name: COLLECTION.to_owned(),
        values: FacetValues::Ids(EntityKind::Node),
    }];
    for definition in fields(model) {
        let Some(name) = &definition.facet else {
            continue;
        };
        let values = match definition.target_kind() {
            Some(kind) => FacetValues::Ids(kind),
            None => FacetValues::Words,
        };
        add(&mut facets, name, values);
        if definition.field_type == "typed_relation" {
            let relators = model.relators.keys();
            relators.for_each(|relator| add(&mut facets, &by_relator(name, relator), values));
        }
    }
    for name in [FORMAT, STATUS] {
        add(&mut facets, name, FacetValues::Words);
    }
    add(&mut facets, PART_OF, FacetValues::Ids(EntityKind::Node));
    facets
}

fn add(facets: &mut Vec<Facet>, name: &str, values: FacetValues) {
    if facets.iter().all(|known| known.name != name) {
        let name = name.to_owned();
        facets.push(Facet { name, values });
    }
}

/// Every field of nodes and media.
fn fields(model: &ContentModel) -> impl Iterator<Item = &FieldDefinition> {
    let kinds = [EntityKind::Node, EntityKind::Media].into_iter();
    let bundles = kinds.flat_map(|kind| model.bundles_of(kind));
    bundles.flat_map(|bundle| &bundle.fields)
}

/// Names of the search box beside those of the content model: English, then German.
const NAMES: [(&str, &[&str], &str); 3] = [
    ("title", &["Titel"], TITLE),
    ("file", &["Datei", "filename", "Dateiname"], FILE_NAME),
    ("text", &["Volltext", "fulltext"], EXTRACTED_TEXT),
];

/// Other names of facets: German, and what people say instead.
const FACET_NAMES: [(&str, &[&str]); 7] = [
    ("subject", &["Thema", "Schlagwort", "topic"]),
    ("agent", &["Person", "creator", "contributor", "Urheber"]),
    ("place", &["Ort"]),
    ("genre", &["Gattung"]),
    ("language", &["Sprache"]),
    ("rights", &["Rechte"]),
    ("model", &["Modell"]),
];

/// The names of fields in the search box: facets stand for all their fields, then come labels and names of fields.
pub fn field_names(model: &ContentModel) -> FieldNames {
    let mut names = FieldNames::default();
    for (name, aliases, field) in NAMES {
        names.add(name, aliases, &[field]);
    }
    names.add_dates("date", &["Datum", "year", "Jahr"]);
    let nodes = || {
        let bundles = model.bundles_of(EntityKind::Node);
        bundles.flat_map(|bundle| &bundle.fields)
    };
    for facet in facets(model) {
        let with_facet = nodes().filter(|field| field.facet.as_ref() == Some(&facet.name));
        let mut fields: Vec<&str> = with_facet.map(|field| field.name.as_str()).collect();
        fields.dedup();
        let aliases = FACET_NAMES.iter().find(|(name, _)| *name == facet.name);
        if !fields.is_empty() {
            names.add(
                &facet.name,
                aliases.map_or(&[], |(_, aliases)| aliases),
                &fields,
            );
        }
    }
    names.add("identifier", &[], &[&field_roles().identifier]);
    for field in nodes() {
        let label = field.value_label.as_ref().unwrap_or(&field.label);
        names.add(label, &[&field.label, &field.name], &[&field.name]);
        names.add(&field.name, &[], &[&field.name]);
    }
    names
}
